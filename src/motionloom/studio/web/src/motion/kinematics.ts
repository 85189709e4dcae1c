/** From local rotations to places in the world; plain loops that allocate nothing, for every frame that is drawn. */

import type { SkeletonData } from "./types";

/**
 * Place every joint.
 *
 * root: (3) metres; rotations: (J * 4) joint to parent. Fills positions, (J * 3) metres, and turned, (J * 4) joint to world.
 */
export function forward(
  skeleton: SkeletonData,
  root: ArrayLike<number>,
  rotations: ArrayLike<number>,
  positions: Float32Array,
  turned: Float32Array,
): void {
  const { parents, offsets } = skeleton;
  for (let joint = 0; joint < parents.length; joint++) {
    const parent = parents[joint];
    if (parent < 0) {
      for (let c = 0; c < 3; c++) positions[joint * 3 + c] = root[c];
      for (let c = 0; c < 4; c++) turned[joint * 4 + c] = rotations[joint * 4 + c];
      continue;
    }
    placePoint(positions, turned, parent, offsets[joint * 3], offsets[joint * 3 + 1], offsets[joint * 3 + 2], positions, joint);
    multiply(turned, parent * 4, rotations, joint * 4, turned, joint * 4);
  }
}

/** Write where a point fixed to a joint is: offset in metres, in the joint's frame; into place `slot` of `result`. */
export function placePoint(
  positions: Float32Array,
  turned: Float32Array,
  joint: number,
  x: number,
  y: number,
  z: number,
  result: Float32Array,
  slot: number,
): void {
  const w = turned[joint * 4];
  const a = turned[joint * 4 + 1];
  const b = turned[joint * 4 + 2];
  const c = turned[joint * 4 + 3];
  const tx = 2 * (b * z - c * y);
  const ty = 2 * (c * x - a * z);
  const tz = 2 * (a * y - b * x);
  result[slot * 3] = positions[joint * 3] + x + w * tx + b * tz - c * ty;
  result[slot * 3 + 1] = positions[joint * 3 + 1] + y + w * ty + c * tx - a * tz;
  result[slot * 3 + 2] = positions[joint * 3 + 2] + z + w * tz + a * ty - b * tx;
}

/** Quaternions wxyz: the second first, then the first. The result may be one of the arguments. */
export function multiply(
  first: ArrayLike<number>,
  i: number,
  second: ArrayLike<number>,
  j: number,
  result: Float32Array,
  k: number,
): void {
  const aw = first[i];
  const ax = first[i + 1];
  const ay = first[i + 2];
  const az = first[i + 3];
  const bw = second[j];
  const bx = second[j + 1];
  const by = second[j + 2];
  const bz = second[j + 3];
  result[k] = aw * bw - ax * bx - ay * by - az * bz;
  result[k + 1] = aw * bx + ax * bw + ay * bz - az * by;
  result[k + 2] = aw * by - ax * bz + ay * bw + az * bx;
  result[k + 3] = aw * bz + ax * by - ay * bx + az * bw;
}

/** Metres from the root to the farthest tip when all bones are stretched out: no pose reaches farther. */
export function reachOf(skeleton: SkeletonData): number {
  const reach = new Float32Array(skeleton.parents.length);
  let farthest = 0;
  skeleton.parents.forEach((parent, joint) => {
    const o = skeleton.offsets;
    const length = Math.hypot(o[joint * 3], o[joint * 3 + 1], o[joint * 3 + 2]);
    if (parent >= 0) reach[joint] = reach[parent] + length;
    farthest = Math.max(farthest, reach[joint]);
  });
  for (const end of skeleton.ends) farthest = Math.max(farthest, reach[end.parent] + Math.hypot(...end.offset));
  return farthest;
}
