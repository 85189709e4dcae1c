/** Forward kinematics: positions of joints, for pages that draw a figure without an engine. */

import type { HubSkeleton } from "./hubs_file";

let turned = new Float32Array(0); // (J * 4) joint to world, kept between calls

/** Write the place of every joint, (J * 3) metres, world; root and rotations as `Player.writePose` gives them. */
export function writeJoints(skeleton: HubSkeleton, root: Float32Array, rotations: Float32Array, positions: Float32Array): void {
  const { parents, offsets } = skeleton;
  if (turned.length < rotations.length) turned = new Float32Array(rotations.length);
  for (let k = 0; k < 4; k++) turned[k] = rotations[k];
  for (let k = 0; k < 3; k++) positions[k] = root[k];
  for (let joint = 1; joint < parents.length; joint++) {
    const p = parents[joint];
    const [w, a, b, c] = [turned[p * 4], turned[p * 4 + 1], turned[p * 4 + 2], turned[p * 4 + 3]];
    const [x, y, z] = [offsets[joint * 3], offsets[joint * 3 + 1], offsets[joint * 3 + 2]];
    const tx = 2 * (b * z - c * y);
    const ty = 2 * (c * x - a * z);
    const tz = 2 * (a * y - b * x);
    positions[joint * 3] = positions[p * 3] + x + w * tx + b * tz - c * ty;
    positions[joint * 3 + 1] = positions[p * 3 + 1] + y + w * ty + c * tx - a * tz;
    positions[joint * 3 + 2] = positions[p * 3 + 2] + z + w * tz + a * ty - b * tx;
    const [qw, qx, qy, qz] = [rotations[joint * 4], rotations[joint * 4 + 1], rotations[joint * 4 + 2], rotations[joint * 4 + 3]];
    turned[joint * 4] = w * qw - a * qx - b * qy - c * qz;
    turned[joint * 4 + 1] = w * qx + a * qw + b * qz - c * qy;
    turned[joint * 4 + 2] = w * qy - a * qz + b * qw + c * qx;
    turned[joint * 4 + 3] = w * qz + a * qy - b * qx + c * qw;
  }
}
