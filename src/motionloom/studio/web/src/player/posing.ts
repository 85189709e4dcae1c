/** Frames of a graph as poses: plain loops that allocate nothing, for every frame that is drawn. */

import type { HubGraph, HubSupport } from "./hubs_file";

/** Write a rotation of whole numbers as one of unit length. */
export function unitInto(out: Float32Array, o: number, a: Int16Array, i: number): void {
  const w = a[i];
  const x = a[i + 1];
  const y = a[i + 2];
  const z = a[i + 3];
  const scale = 1 / Math.sqrt(w * w + x * x + y * y + z * z);
  out[o] = w * scale;
  out[o + 1] = x * scale;
  out[o + 2] = y * scale;
  out[o + 3] = z * scale;
}

/** Write the pose between a frame of a clip and the one after it, seen from the clip's source node; part: 0 to 1. */
export function writeBetween(
  graph: HubGraph,
  row: number,
  clip: number,
  frame: number,
  part: number,
  root: Float32Array,
  rotations: Float32Array,
): void {
  const { frames, target, placement } = graph.clips[clip];
  const size = rotations.length;
  const from = row * size;
  if (frame + 1 < frames || graph.leaving[target].length === 0) {
    const next = frame + 1 < frames ? row + 1 : row; // nothing comes after a dead end
    mixRoots(root, graph.roots, row, graph.roots, next, part);
    for (let k = 0; k < size; k += 4) mixInto(rotations, k, graph.rotations, from + k, graph.rotations, next * size + k, part);
    return;
  }
  const hub = 3 * target + 1; // what comes next is the pose of the hub, whatever clip follows, moved to where the clip ends
  root[0] = graph.hubRoots[hub * 3];
  root[1] = graph.hubRoots[hub * 3 + 1];
  root[2] = graph.hubRoots[hub * 3 + 2];
  unitInto(rotations, 0, graph.hubRotations, hub * size);
  placeRoot(root, rotations, placement[0], placement[1], placement[2]);
  mixRoots(root, graph.roots, row, root, 0, part);
  mixInto(rotations, 0, graph.rotations, from, rotations, 0, part);
  for (let k = 4; k < size; k += 4) mixInto(rotations, k, graph.rotations, from + k, graph.hubRotations, hub * size + k, part);
}

/** Move a pose over the ground: turn it about up, then slide it. */
export function placeRoot(root: Float32Array, rotations: Float32Array, x: number, z: number, heading: number): void {
  const c = Math.cos(heading);
  const s = Math.sin(heading);
  const px = root[0];
  const pz = root[2];
  root[0] = c * px + s * pz + x;
  root[2] = -s * px + c * pz + z;
  const w = Math.cos(heading / 2);
  const v = Math.sin(heading / 2);
  const qw = rotations[0];
  const qx = rotations[1];
  const qy = rotations[2];
  const qz = rotations[3];
  rotations[0] = w * qw - v * qy;
  rotations[1] = w * qx + v * qz;
  rotations[2] = w * qy + v * qw;
  rotations[3] = w * qz - v * qx;
}

/** A support moved over the ground: turned about up, then slid. */
export function placeSupport(support: HubSupport, x: number, z: number, heading: number): HubSupport {
  const c = Math.cos(heading);
  const s = Math.sin(heading);
  const [px, pz] = support.centre;
  return { ...support, centre: [c * px + s * pz + x, -s * px + c * pz + z], turn: support.turn + heading };
}

function mixRoots(out: Float32Array, a: Float32Array, i: number, b: Float32Array, j: number, part: number): void {
  for (let axis = 0; axis < 3; axis++) {
    const from = a[i * 3 + axis];
    out[axis] = from + (b[j * 3 + axis] - from) * part;
  }
}

/** One rotation between two, the short way around, of unit length; their own lengths may differ. */
function mixInto(
  out: Float32Array,
  o: number,
  a: Int16Array | Float32Array,
  i: number,
  b: Int16Array | Float32Array,
  j: number,
  part: number,
): void {
  const aw = a[i];
  const ax = a[i + 1];
  const ay = a[i + 2];
  const az = a[i + 3];
  const bw = b[j];
  const bx = b[j + 1];
  const by = b[j + 2];
  const bz = b[j + 3];
  const dot = aw * bw + ax * bx + ay * by + az * bz;
  const rest = (1 - part) / Math.sqrt(aw * aw + ax * ax + ay * ay + az * az);
  const weight = (dot < 0 ? -part : part) / Math.sqrt(bw * bw + bx * bx + by * by + bz * bz);
  const w = aw * rest + bw * weight;
  const x = ax * rest + bx * weight;
  const y = ay * rest + by * weight;
  const z = az * rest + bz * weight;
  const scale = 1 / Math.sqrt(w * w + x * x + y * y + z * z);
  out[o] = w * scale;
  out[o + 1] = x * scale;
  out[o + 2] = y * scale;
  out[o + 3] = z * scale;
}
