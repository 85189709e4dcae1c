/** Onion skins: the poses of a motion before and after a time. */

import type { FrameStore } from "./motion/frames";
import type { Pose } from "./motion/types";

/** As many poses before as after a slot of time, those that are there; seconds: from one slot to the next. */
export function posesAround(store: FrameStore, slot: number, count: number, seconds: number, like: Pose): Pose[] {
  const poses: Pose[] = [];
  for (let k = 1 - count; k <= count && count > 0; k++) {
    const at = (slot + k) * seconds;
    const pose = { root: new Float32Array(3), rotations: new Float32Array(like.rotations.length) };
    if (at >= 0 && at <= store.length && store.poseAt(at, pose)) poses.push(pose);
  }
  return poses;
}
