/** How joints move the skin away from its bind pose: the matrices of linear blend skinning, as motionloom.body has them. */

/** What of a body the matrices depend on. */
export interface Bind {
  bindPositions: Float32Array; // (J * 3) metres
  bindRotations: Float32Array; // (J * 4) joint to world
}

/** Fill (J * 16) matrices, column by column as WebGL reads them, from (J * 3) positions and (J * 4) joint to world. */
export function fillBoneMatrices(bind: Bind, positions: Float32Array, turned: Float32Array, matrices: Float32Array): void {
  const { bindPositions, bindRotations } = bind;
  for (let joint = 0; joint * 4 < bindRotations.length; joint++) {
    const q = joint * 4;
    const p = joint * 3;
    const m = joint * 16;
    // turn = turned * inverse(bind rotation)
    const aw = turned[q];
    const ax = turned[q + 1];
    const ay = turned[q + 2];
    const az = turned[q + 3];
    const bw = bindRotations[q];
    const bx = -bindRotations[q + 1];
    const by = -bindRotations[q + 2];
    const bz = -bindRotations[q + 3];
    const w = aw * bw - ax * bx - ay * by - az * bz;
    const x = aw * bx + ax * bw + ay * bz - az * by;
    const y = aw * by - ax * bz + ay * bw + az * bx;
    const z = aw * bz + ax * by - ay * bx + az * bw;
    const xx = 1 - 2 * (y * y + z * z);
    const xy = 2 * (x * y - w * z);
    const xz = 2 * (x * z + w * y);
    const yx = 2 * (x * y + w * z);
    const yy = 1 - 2 * (x * x + z * z);
    const yz = 2 * (y * z - w * x);
    const zx = 2 * (x * z - w * y);
    const zy = 2 * (y * z + w * x);
    const zz = 1 - 2 * (x * x + y * y);
    const px = bindPositions[p];
    const py = bindPositions[p + 1];
    const pz = bindPositions[p + 2];
    matrices[m] = xx;
    matrices[m + 1] = yx;
    matrices[m + 2] = zx;
    matrices[m + 3] = 0;
    matrices[m + 4] = xy;
    matrices[m + 5] = yy;
    matrices[m + 6] = zy;
    matrices[m + 7] = 0;
    matrices[m + 8] = xz;
    matrices[m + 9] = yz;
    matrices[m + 10] = zz;
    matrices[m + 11] = 0;
    matrices[m + 12] = positions[p] - (xx * px + xy * py + xz * pz);
    matrices[m + 13] = positions[p + 1] - (yx * px + yy * py + yz * pz);
    matrices[m + 14] = positions[p + 2] - (zx * px + zy * py + zz * pz);
    matrices[m + 15] = 1;
  }
}
