/** Frames of one motion as they arrive: in chunks, in any order. Between two frames, poses are interpolated. */

import { CHUNK } from "../api/constants";
import type { MotionInfo, Pose } from "./types";

export type Range = [start: number, stop: number]; // frames

export interface Wish {
  loop?: [number, number] | null; // seconds: what comes after its end is its start
  ahead?: number; // seconds wanted before they are needed
  behind?: number;
}

interface Chunk {
  roots: Float32Array | null; // (n * 3) metres
  rotations: Int16Array | null; // (n * J * 4) / UNIT
  points: Float32Array | null; // (n * K * 3) metres
  present: Uint8Array | null; // (n); null: all are there
}

export class FrameStore {
  /** Memory held by frames. */
  bytes = 0;
  private readonly chunks: (Chunk | null)[];
  private readonly asked = new Set<number>();

  constructor(readonly info: MotionInfo) {
    this.chunks = new Array<Chunk | null>(Math.ceil(info.frames / CHUNK)).fill(null);
  }

  /** Seconds that the motion takes; its last frame stands for one frame's time. */
  get length(): number {
    return this.info.frames / this.info.fps;
  }

  /** Frames of a body: roots (n * 3) metres, rotations (n * J * 4) / UNIT. */
  add(start: number, roots: Float32Array, rotations: Int16Array): void {
    const count = roots.length / 3;
    const perFrame = rotations.length / count;
    this.addInto(start, count, (chunk, from, at, n, room) => {
      chunk.roots = place(chunk.roots, roots, from * 3, at * 3, n * 3, room * 3);
      chunk.rotations = place(chunk.rotations, rotations, from * perFrame, at * perFrame, n * perFrame, room * perFrame);
    });
  }

  /** Frames of points: (n * K * 3) metres; what was not seen is NaN. */
  addPoints(start: number, points: Float32Array): void {
    const perFrame = Math.max(1, (this.info.points?.length ?? 1) * 3);
    this.addInto(start, points.length / perFrame, (chunk, from, at, n, room) => {
      chunk.points = place(chunk.points, points, from * perFrame, at * perFrame, n * perFrame, room * perFrame);
    });
  }

  has(frame: number): boolean {
    const chunk = this.chunks[Math.floor(frame / CHUNK)];
    return !!chunk && (chunk.present === null || chunk.present[frame % CHUNK] === 1);
  }

  get isWhole(): boolean {
    return this.chunks.every((chunk) => chunk !== null && chunk.present === null);
  }

  /**
   * The pose at a time, into `out`. False: frames are missing, and `out` is the nearest pose there is, or as it was
   * if there is none. Allocates nothing.
   */
  poseAt(time: number, out: Pose): boolean {
    const place = this.placeOf(time);
    const before = Math.floor(place);
    const after = Math.min(before + 1, this.info.frames - 1);
    const part = place - before;
    const hasBefore = this.has(before);
    if (hasBefore && (part === 0 || after === before)) {
      this.copyPose(before, out);
      return true;
    }
    if (hasBefore && this.has(after)) {
      this.mixPoses(before, after, part, out);
      return true;
    }
    const near = this.nearest(Math.round(place));
    if (near >= 0) this.copyPose(near, out);
    return false;
  }

  /** Positions of points at a time, (K * 3) metres; as `poseAt`. */
  pointsAt(time: number, out: Float32Array): boolean {
    const place = this.placeOf(time);
    const before = Math.floor(place);
    const after = Math.min(before + 1, this.info.frames - 1);
    const part = place - before;
    const isThere = this.has(before) && (part === 0 || this.has(after));
    const from = isThere ? before : this.nearest(Math.round(place));
    if (from < 0) return false;
    const a = this.chunks[Math.floor(from / CHUNK)]?.points;
    const b = this.chunks[Math.floor(after / CHUNK)]?.points;
    if (!a) return false;
    const i = (from % CHUNK) * out.length;
    const j = (after % CHUNK) * out.length;
    const weight = isThere && b && part > 0 ? part : 0;
    for (let k = 0; k < out.length; k++) {
      out[k] = weight === 0 ? a[i + k] : a[i + k] + (b![j + k] - a[i + k]) * weight;
    }
    return isThere;
  }

  /**
   * Chunks to ask for next, most urgent first: around the playhead, then where it is going, then behind. What was asked
   * for already is left out.
   */
  wanted(time: number, direction: 1 | -1 = 1, wish: Wish = {}): Range[] {
    const { fps } = this.info;
    const ahead = (wish.ahead ?? 20) * direction;
    const behind = (wish.behind ?? 4) * -direction;
    const order: number[] = [this.chunkAt(time), this.chunkAt(time + 0.5 * direction), this.chunkAt(time + 1 / fps)];
    const loop = wish.loop ?? null;
    const isInLoop = loop !== null && time >= loop[0] && time < loop[1];
    const far = isInLoop ? Math.max(loop[0], Math.min(loop[1], time + ahead)) : time + ahead;
    this.walk(order, time, far);
    if (isInLoop) this.walk(order, direction > 0 ? loop[0] : loop[1], direction > 0 ? time : time + 1 / fps);
    this.walk(order, time, time + behind);
    const open = [...new Set(order)].filter((index) => !this.asked.has(index) && !this.isComplete(index));
    return open.map((index) => this.rangeOf(index));
  }

  /** Mark frames as requested from the server. */
  markAsked(range: Range): void {
    for (let index = Math.floor(range[0] / CHUNK); index * CHUNK < range[1]; index++) this.asked.add(index);
  }

  /** The connection was lost: requested frames will not arrive. */
  forgetAsked(): void {
    this.asked.clear();
  }

  /** Evict the chunks that are farthest from a time until so many bytes are left; the one at the time stays. */
  shrink(time: number, bytes: number): void {
    const here = this.chunkAt(time);
    const held = this.chunks.flatMap((chunk, index) => (chunk && index !== here ? [index] : []));
    held.sort((a, b) => Math.abs(b - here) - Math.abs(a - here));
    for (const index of held) {
      if (this.bytes <= bytes) return;
      this.bytes -= bytesOf(this.chunks[index]);
      this.chunks[index] = null;
    }
  }

  private addInto(
    start: number,
    count: number,
    fill: (chunk: Chunk, from: number, at: number, n: number, room: number) => void,
  ): void {
    const stop = Math.min(start + count, this.info.frames);
    for (let frame = Math.max(0, start); frame < stop; ) {
      const index = Math.floor(frame / CHUNK);
      const [first, last] = this.rangeOf(index);
      const until = Math.min(stop, last);
      const chunk = this.chunks[index] ?? { roots: null, rotations: null, points: null, present: new Uint8Array(last - first) };
      this.bytes -= bytesOf(this.chunks[index]);
      fill(chunk, frame - start, frame - first, until - frame, last - first);
      chunk.present?.fill(1, frame - first, until - first);
      if (chunk.present?.every((flag) => flag === 1)) chunk.present = null;
      this.chunks[index] = chunk;
      this.bytes += bytesOf(chunk);
      this.asked.delete(index);
      frame = until;
    }
  }

  private placeOf(time: number): number {
    const place = Math.max(0, Math.min(this.info.frames - 1, time * this.info.fps));
    const whole = Math.round(place);
    return Math.abs(place - whole) < 1e-5 ? whole : place; // 0.1 s times 30 is not 3
  }

  private chunkAt(time: number): number {
    return Math.floor(this.placeOf(time) / CHUNK);
  }

  private rangeOf(index: number): Range {
    return [index * CHUNK, Math.min((index + 1) * CHUNK, this.info.frames)];
  }

  private isComplete(index: number): boolean {
    const chunk = this.chunks[index];
    return !!chunk && chunk.present === null;
  }

  private walk(order: number[], from: number, to: number): void {
    const [first, last] = [this.chunkAt(from), this.chunkAt(to)];
    const step = last >= first ? 1 : -1;
    for (let index = first; index !== last + step; index += step) order.push(index);
  }

  /** The frame nearest to one that is missing, or -1. */
  private nearest(frame: number): number {
    const limit = this.info.frames;
    for (let away = 0; away < limit; ) {
      const below = frame - away;
      const above = frame + away;
      if (below < 0 && above >= limit) return -1;
      if (below >= 0 && this.has(below)) return below;
      if (above < limit && this.has(above)) return above;
      // Where whole chunks are missing on both sides, step over them.
      const isBelowEmpty = below < 0 || this.chunks[Math.floor(below / CHUNK)] === null;
      const isAboveEmpty = above >= limit || this.chunks[Math.floor(above / CHUNK)] === null;
      const toBelow = below < 0 ? Infinity : (below % CHUNK) + 1;
      const toAbove = above >= limit ? Infinity : CHUNK - (above % CHUNK);
      away += isBelowEmpty && isAboveEmpty ? Math.max(1, Math.min(toBelow, toAbove)) : 1;
    }
    return -1;
  }

  private copyPose(frame: number, out: Pose): void {
    const chunk = this.chunks[Math.floor(frame / CHUNK)];
    const at = frame % CHUNK;
    if (!chunk?.roots || !chunk.rotations) return;
    for (let axis = 0; axis < 3; axis++) out.root[axis] = chunk.roots[at * 3 + axis];
    const size = out.rotations.length;
    for (let k = 0; k < size; k += 4) mixInto(out.rotations, k, chunk.rotations, at * size + k, chunk.rotations, at * size + k, 0);
  }

  private mixPoses(before: number, after: number, part: number, out: Pose): void {
    const a = this.chunks[Math.floor(before / CHUNK)];
    const b = this.chunks[Math.floor(after / CHUNK)];
    if (!a?.roots || !a.rotations || !b?.roots || !b.rotations) return;
    const i = before % CHUNK;
    const j = after % CHUNK;
    for (let axis = 0; axis < 3; axis++) {
      const from = a.roots[i * 3 + axis];
      out.root[axis] = from + (b.roots[j * 3 + axis] - from) * part;
    }
    const size = out.rotations.length;
    for (let k = 0; k < size; k += 4) mixInto(out.rotations, k, a.rotations, i * size + k, b.rotations, j * size + k, part);
  }
}

type Numbers = Int16Array | Float32Array;

/** One quaternion between two, the short way around, of unit length. Between two frames this is as good as slerp. */
export function mixInto(out: Float32Array, o: number, a: Numbers, i: number, b: Numbers, j: number, part: number): void {
  const sign = a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2] + a[i + 3] * b[j + 3] < 0 ? -part : part;
  const rest = 1 - part;
  const w = a[i] * rest + b[j] * sign;
  const x = a[i + 1] * rest + b[j + 1] * sign;
  const y = a[i + 2] * rest + b[j + 2] * sign;
  const z = a[i + 3] * rest + b[j + 3] * sign;
  const length = Math.sqrt(w * w + x * x + y * y + z * z);
  const scale = length > 0 ? 1 / length : 0;
  out[o] = length > 0 ? w * scale : 1;
  out[o + 1] = x * scale;
  out[o + 2] = y * scale;
  out[o + 3] = z * scale;
}

/** Keeps the given array itself where it fills a chunk, else copies it in. */
function place<A extends Numbers>(held: A | null, given: A, from: number, at: number, n: number, room: number): A {
  if (held === null && n === room) return given.subarray(from, from + n) as A;
  const target = held ?? (new (given.constructor as new (length: number) => A)(room) as A);
  // What was kept may be part of a message: it is ours alone, so it can be written over.
  target.set(given.subarray(from, from + n), at);
  return target;
}

function bytesOf(chunk: Chunk | null): number {
  if (!chunk) return 0;
  return (chunk.roots?.byteLength ?? 0) + (chunk.rotations?.byteLength ?? 0) + (chunk.points?.byteLength ?? 0);
}
