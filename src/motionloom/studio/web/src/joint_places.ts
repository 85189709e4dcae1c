/** Where joints of a character are as it stands, above its floor. */

import { forward } from "./motion/kinematics";
import type { Pose, SkeletonData } from "./motion/types";

export type Place = [number, number, number]; // metres

/** Metres, of each joint. */
export function placesIn(skeleton: SkeletonData, pose: Pose, floor: number): Place[] {
  const positions = new Float32Array(3 * skeleton.names.length);
  forward(skeleton, pose.root, pose.rotations, positions, new Float32Array(4 * skeleton.names.length));
  return skeleton.names.map((_, joint): Place => [positions[3 * joint], positions[3 * joint + 1] - floor, positions[3 * joint + 2]]);
}

/** Bones, from joint to joint. */
export function bonesIn({ parents }: SkeletonData, places: readonly Place[]): [Place, Place][] {
  return parents.flatMap((parent, joint): [Place, Place][] => (parent < 0 ? [] : [[places[parent], places[joint]]]));
}
