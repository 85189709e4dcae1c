/** The way of a joint through a whole motion. */

import type { FrameStore } from "./frames";
import { forward } from "./kinematics";
import type { Pose, SkeletonData } from "./types";

const MOST_POINTS = 3000;

export interface Trace {
  points: Float32Array; // (N * 3) metres, world, floor at 0
  every: number; // frames between two points
}

/** Follow a point; it stays where it was last while it is not seen. */
export function tracePoint(store: FrameStore, number: number, floor: number): Trace {
  const { frames, fps, points: names } = store.info;
  const every = Math.max(1, Math.ceil(frames / MOST_POINTS));
  const points = new Float32Array(Math.ceil(frames / every) * 3);
  const positions = new Float32Array((names?.length ?? 0) * 3);
  let seen = -1; // the last place that was
  for (let i = 0; i * 3 < points.length; i++) {
    store.pointsAt((i * every) / fps, positions);
    const [x, y, z] = positions.subarray(3 * number, 3 * number + 3);
    if (Number.isFinite(x + y + z)) {
      points.set([x, y - floor, z], 3 * i);
      if (seen < 0) for (let k = 0; k < i; k++) points.copyWithin(3 * k, 3 * i, 3 * i + 3);
      seen = i;
    } else if (seen >= 0) points.copyWithin(3 * i, 3 * seen, 3 * seen + 3);
  }
  return { points, every };
}

/** Follow a joint; frames that are not there yet are left out at the end, or stand still. */
export function traceJoint(skeleton: SkeletonData, store: FrameStore, joint: number, floor: number): Trace {
  const { frames, fps } = store.info;
  const every = Math.max(1, Math.ceil(frames / MOST_POINTS));
  const count = Math.ceil(frames / every);
  const points = new Float32Array(count * 3);
  const joints = skeleton.names.length;
  const pose: Pose = { root: new Float32Array(3), rotations: new Float32Array(joints * 4) };
  const positions = new Float32Array(joints * 3);
  const turned = new Float32Array(joints * 4);
  for (let i = 0; i < count; i++) {
    store.poseAt((i * every) / fps, pose);
    forward(skeleton, pose.root, pose.rotations, positions, turned);
    points[i * 3] = positions[joint * 3];
    points[i * 3 + 1] = positions[joint * 3 + 1] - floor;
    points[i * 3 + 2] = positions[joint * 3 + 2];
  }
  return { points, every };
}
