/** Reads `*.hubs` files; docs/hub_files.md describes the format. The other side is motionloom.methods.snap.graph.hubs_file. */

import { ALIGNMENT, MOST_SUPPORTS, PREFIX, VERSION } from "./constants";
import { CONTROLS, type ClipControls } from "./controls";

export interface HubSkeleton {
  name: string;
  digest: string; // the same for exactly the same skeleton
  names: string[];
  parents: number[]; // -1 for the root; parents come before children
  offsets: Float32Array; // (J * 3) metres, in the parent's frame
  roles: Record<string, number>; // "left_foot" -> joint
  ends: { parent: number; offset: [number, number, number] }[]; // tips of the last bones
}

export interface HubNode {
  name: string;
  kind: "hub" | "start" | "end";
  planted: boolean[]; // left heel, left ball, right heel, right ball
}

export interface HubClip {
  name: string;
  source: number; // node that it leaves; its frames are seen from there
  target: number; // node that it enters
  first: number; // frame, over all frames of the graph
  frames: number;
  placement: [x: number, z: number, heading: number]; // of the target node, seen from the source node: metres, radians
  labels: Record<string, number>; // label -> share of its frames
  controls: ClipControls;
  motion: string; // the recording it is from, and which frames of it: [start, stop)
  start: number;
  stop: number;
  supports: HubSupport[]; // what its feet stand on besides the floor, seen from the source node
}

/** A box that feet stand on in the frames [start, stop) of a clip: a step, a stone, a rung. */
export interface HubSupport {
  start: number;
  stop: number;
  centre: [x: number, z: number]; // metres
  half: [x: number, z: number]; // metres, half extents along its own axes
  turn: number; // radians about up, as a heading
  top: number; // metres
  bottom: number;
}

export interface HubAction {
  name: string;
  clips: number[];
}

/** All that a player needs. Arrays lie over the bytes of the file; nothing is copied. */
export interface HubGraph {
  fps: number;
  skeleton: HubSkeleton;
  nodes: HubNode[]; // hubs first
  clips: HubClip[];
  actions: HubAction[];
  hubs: number; // how many nodes are hubs
  leaving: number[][]; // clips that leave each node
  roots: Float32Array; // (N * 3) metres, seen from the source node of the clip
  rotations: Int16Array; // (N * J * 4) / UNIT, wxyz, joint to parent
  contacts: Uint8Array; // (N) bits 0 to 3: left heel, left ball, right heel, right ball
  hubRoots: Float32Array; // (H * 3 * 3) before, at and after the common pose of each hub
  hubRotations: Int16Array; // (H * 3 * J * 4)
}

const MAGIC = [0x48, 0x55, 0x42, 0x53, 0x0d, 0x0a, 0x1a, 0x0a]; // "HUBS" and bytes that text programs change
const KINDS = { float32: Float32Array, int16: Int16Array, uint32: Uint32Array, uint8: Uint8Array } as const;
type Kind = keyof typeof KINDS;
type Fields = Record<string, unknown>;

/** The graph of a file; throws an error of one sentence if the file is no .hubs file or is damaged. */
export function readHubs(file: ArrayBuffer | Uint8Array): HubGraph {
  const content = file instanceof Uint8Array ? new Uint8Array(file).buffer : file;
  const { header, begin } = open(content);
  try {
    return graphOf(header, content, begin);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the parts of this .hubs file do not make a hub graph (${reason.slice(0, 200)}). Please export it again.`);
  }
}

function open(content: ArrayBuffer): { header: Fields; begin: number } {
  const bytes = new Uint8Array(content);
  if (bytes.length === 0) throw new Error("the .hubs file is empty. Was it copied completely?");
  if (MAGIC.some((byte, k) => k < bytes.length && bytes[k] !== byte)) throw new Error("this is not a .hubs file.");
  if (bytes.length < PREFIX) throw new Error(`the .hubs file is cut off after ${bytes.length} bytes. Was it copied completely?`);
  const view = new DataView(content);
  const [version, length, size, checksum] = [8, 12, 16, 20].map((at) => view.getUint32(at, true));
  if (version > VERSION) throw new Error(`.hubs format version ${version}, but this player reads up to ${VERSION}. Please update the player.`);
  if (bytes.length < size) throw new Error(`the .hubs file is cut off: ${bytes.length} of ${size} bytes. Was it copied completely?`);
  if (bytes.length > size || crc32(bytes, PREFIX) !== checksum) throw new Error("the .hubs file is damaged: its checksum does not agree. Please export it again.");
  const end = PREFIX + length;
  let header: unknown = null;
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(PREFIX, end)));
  } catch {
    // the error is thrown below
  }
  if (version < 1 || end > size || !isFields(header)) throw new Error("the header of this .hubs file cannot be read. Please export it again.");
  return { header, begin: Math.ceil(end / ALIGNMENT) * ALIGNMENT };
}

function graphOf(header: Fields, content: ArrayBuffer, begin: number): HubGraph {
  const skeleton = skeletonOf(fieldsOf(header.skeleton));
  const nodes = list(header.nodes).map((node) => nodeOf(fieldsOf(node)));
  const clips = clipsOf(list(header.clips), nodes.length);
  const hubs = nodes.filter((node) => node.kind === "hub").length;
  if (clips.length === 0 || nodes.slice(0, hubs).some((node) => node.kind !== "hub")) throw new Error("there must be clips, and hubs come first among the nodes");
  const last = clips[clips.length - 1];
  const frames = last.first + last.frames;
  const joints = skeleton.names.length;
  const fps = number(header.fps);
  if (fps <= 0) throw new Error(`${fps} frames per second`);
  const arrays = fieldsOf(header.arrays);
  if (arrays.supports !== undefined || arrays.support_frames !== undefined) layBelow(clips, arrays, content, begin);
  const lay = <K extends Kind>(name: string, kind: K, shape: number[]) => layOver(arrays, name, kind, shape, content, begin);
  return {
    fps,
    skeleton,
    nodes,
    clips,
    hubs,
    actions: list(header.actions).map((action) => ({
      name: text(fieldsOf(action).name),
      clips: list(fieldsOf(action).clips).map((clip) => numberOf(clip, clips.length)),
    })),
    leaving: nodes.map((_, node) => clips.flatMap((clip, c) => (clip.source === node ? [c] : []))),
    roots: lay("roots", "float32", [frames, 3]) as Float32Array,
    rotations: lay("rotations", "int16", [frames, 4 * joints]) as Int16Array,
    contacts: lay("contacts", "uint8", [frames]) as Uint8Array,
    hubRoots: lay("hub_roots", "float32", [hubs, 3, 3]) as Float32Array,
    hubRotations: lay("hub_rotations", "int16", [hubs, 3, 4 * joints]) as Int16Array,
  };
}

function skeletonOf(skeleton: Fields): HubSkeleton {
  const names = list(skeleton.names).map(text);
  const parents = list(skeleton.parents).map(number);
  if (parents.length !== names.length || parents.some((parent, j) => !Number.isInteger(parent) || (j === 0 ? parent !== -1 : parent < 0 || parent >= j))) {
    throw new Error("joint 0 must be the only root, and every parent must come before its children");
  }
  const offsets = list(skeleton.offsets).map((offset) => numbers(offset, 3));
  if (offsets.length !== names.length) throw new Error(`${offsets.length} offsets for ${names.length} joints`);
  const tips = list(skeleton.end_offsets).map((offset) => numbers(offset, 3) as [number, number, number]);
  const roles = Object.entries(fieldsOf(skeleton.roles)).map(([role, joint]) => [role, names.indexOf(text(joint))] as const);
  if (roles.some(([, joint]) => joint < 0)) throw new Error("a role names an unknown joint");
  const carriers = list(skeleton.end_parents).map((parent) => numberOf(parent, names.length));
  if (carriers.length !== tips.length) throw new Error(`${carriers.length} end sites with ${tips.length} offsets`);
  return {
    name: text(skeleton.name),
    digest: text(skeleton.digest),
    names,
    parents,
    offsets: new Float32Array(offsets.flat()),
    roles: Object.fromEntries(roles),
    ends: carriers.map((parent, k) => ({ parent, offset: tips[k] })),
  };
}

function nodeOf(node: Fields): HubNode {
  const kind = text(node.kind);
  const planted = list(node.planted).map(Boolean);
  if ((kind !== "hub" && kind !== "start" && kind !== "end") || planted.length !== 4) throw new Error(`a node of kind '${kind}'`);
  return { name: text(node.name), kind, planted };
}

function clipsOf(all: unknown[], nodes: number): HubClip[] {
  let first = 0;
  return all.map((value) => {
    const clip = fieldsOf(value);
    const frames = number(clip.frames);
    if (clip.first !== first || !Number.isSafeInteger(frames) || frames < 1) throw new Error("a clip does not begin where the one before it ends");
    first += frames;
    const measured = fieldsOf(clip.controls);
    return {
      name: text(clip.name),
      source: numberOf(clip.source, nodes),
      target: numberOf(clip.target, nodes),
      first: first - frames,
      frames,
      placement: numbers(clip.placement, 3) as [number, number, number],
      labels: Object.fromEntries(Object.entries(fieldsOf(clip.labels)).map(([label, share]) => [label, number(share)])),
      controls: Object.fromEntries(CONTROLS.map((name) => [name, number(measured[name])])) as unknown as ClipControls,
      motion: text(clip.motion),
      start: number(clip.start),
      stop: number(clip.stop),
      supports: [],
    };
  });
}

/** Give clips what their feet stand on. */
function layBelow(clips: HubClip[], arrays: Fields, content: ArrayBuffer, begin: number): void {
  const [count] = list(fieldsOf(arrays.supports).shape).map(number);
  if (!Number.isInteger(count) || count < 0 || count > MOST_SUPPORTS) throw new Error(`${count} supports; at most ${MOST_SUPPORTS} are read`);
  const boxes = layOver(arrays, "supports", "float32", [count, 7], content, begin);
  const frames = layOver(arrays, "support_frames", "uint32", [count, 3], content, begin);
  let last = 0;
  for (let k = 0; k < count; k++) {
    const [clip, start, stop] = frames.subarray(3 * k, 3 * k + 3);
    if (clip >= clips.length) throw new Error(`support ${k} is of clip ${clip}, but there are ${clips.length}`);
    if (!(start < stop && stop <= clips[clip].frames)) throw new Error(`support ${k} has the frames [${start}, ${stop}) of a clip of ${clips[clip].frames}`);
    if (clip < last) throw new Error("supports must be in the order of their clips");
    last = clip;
    const [x, z, a, b, turn, top, bottom] = boxes.subarray(7 * k, 7 * k + 7);
    if (!(a > 0 && b > 0 && bottom <= top)) throw new Error(`support ${k} is no box: its extents must be above 0, and its bottom below its top`);
    clips[clip].supports.push({ start, stop, centre: [x, z], half: [a, b], turn, top, bottom });
  }
}

function layOver(arrays: Fields, name: string, kind: Kind, shape: number[], content: ArrayBuffer, begin: number) {
  const entry = fieldsOf(arrays[name]);
  const found = list(entry.shape);
  if (entry.type !== kind || found.length !== shape.length || shape.some((size, k) => size !== found[k])) throw new Error(`'${name}' is not ${kind} of ${shape.join(" x ")}`);
  const count = shape.reduce((product, size) => product * size, 1);
  const offset = number(entry.offset);
  const room = content.byteLength - begin - offset;
  if (!Number.isSafeInteger(offset) || offset < 0 || offset % ALIGNMENT !== 0 || count * KINDS[kind].BYTES_PER_ELEMENT > room) throw new Error(`'${name}' lies outside the file`);
  const array = new KINDS[kind](content, begin + offset, count);
  if (kind === "float32" && !array.every(Number.isFinite)) throw new Error(`'${name}' holds what is not a finite number`);
  if (kind === "int16" && hasZero(array)) throw new Error("a rotation is zero");
  return array;
}

/** Whether any four numbers in a row, a rotation, are all zero: it cannot be normalized. */
function hasZero(rotations: ArrayLike<number>): boolean {
  for (let k = 0; k < rotations.length; k += 4) {
    if (!(rotations[k] || rotations[k + 1] || rotations[k + 2] || rotations[k + 3])) return true;
  }
  return false;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fieldsOf(value: unknown): Fields {
  if (!isFields(value)) throw new Error("its header lacks an object");
  return value;
}

function list(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error("its header lacks a list");
  return value;
}

function text(value: unknown): string {
  if (typeof value !== "string") throw new Error(`'${String(value)}' where a name is wanted`);
  return value;
}

function number(value: unknown): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new Error(`'${String(value)}' where a number is wanted`);
  return value;
}

function numbers(value: unknown, count: number): number[] {
  const found = list(value).map(number);
  if (found.length !== count) throw new Error(`${found.length} numbers where ${count} are wanted`);
  return found;
}

/** A whole number that counts something: 0 to count - 1. */
function numberOf(value: unknown, count: number): number {
  const found = number(value);
  if (!Number.isInteger(found) || found < 0 || found >= count) throw new Error(`number ${found} of something of which there are ${count}`);
  return found;
}

let table: Uint32Array | null = null;

/** CRC-32, as in zip and PNG files, of all bytes from an offset on. */
export function crc32(bytes: Uint8Array, from: number): number {
  if (table === null) {
    table = new Uint32Array(256);
    for (let n = 0; n < 256; n++) {
      let value = n;
      for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
      table[n] = value;
    }
  }
  let sum = 0xffffffff;
  for (let k = from; k < bytes.length; k++) sum = table[(sum ^ bytes[k]) & 0xff] ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}
