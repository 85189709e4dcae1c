/** Where joints of a character, or markers, are as they stand, above the floor. */

import type { FrameStore } from "./motion/frames";
import { forward } from "./motion/kinematics";
import type { Pose, SkeletonData } from "./motion/types";
import type { PointLooks } from "./view3d/types";

export type Place = [number, number, number]; // metres

/** What stands somewhere: a body, or points. */
export interface Standing {
  motion: { floor: number; points: string[] | null; looks: PointLooks | null };
  store: Pick<FrameStore, "poseAt" | "pointsAt">;
  skeleton: SkeletonData | null;
  pose: Pose; // of a body, now
  points: Float32Array | null; // (K * 3) metres, now
}

/** What joints or points are called. */
export const namesOf = ({ skeleton, motion }: Pick<Standing, "skeleton" | "motion">): readonly string[] => skeleton?.names ?? motion.points ?? [];

/** The number of a joint by its role or name, or of a point by its name; -1 where there is none. */
export function numberOf(standing: Pick<Standing, "skeleton" | "motion">, name: string): number {
  return standing.skeleton?.roles[name] ?? namesOf(standing).indexOf(name);
}

/** All joints or points, now or at another time of the motion. */
export function placesOf(standing: Standing, seconds?: number): Place[] {
  const { skeleton, motion, store, pose: now, points } = standing;
  if (points !== null) {
    const at = seconds === undefined ? points : points.slice();
    if (seconds !== undefined) store.pointsAt(seconds, at);
    return (motion.points ?? []).map((_, n): Place => [at[3 * n], at[3 * n + 1] - motion.floor, at[3 * n + 2]]);
  }
  if (skeleton === null) return [];
  const pose = seconds === undefined ? now : { root: now.root.slice(), rotations: now.rotations.slice() };
  if (seconds !== undefined) store.poseAt(seconds, pose);
  return placesIn(skeleton, pose, motion.floor);
}

/** Bones, from joint to joint, or the links between points that were seen. */
export function linesOf(standing: Standing): [Place, Place][] {
  const places = placesOf(standing);
  const { skeleton, motion } = standing;
  const pairs: [number, number][] = skeleton === null ? linksOf(motion.looks) : skeleton.parents.flatMap((parent, joint): [number, number][] => (parent < 0 ? [] : [[parent, joint]]));
  return pairs.map(([a, b]): [Place, Place] => [places[a], places[b]]).filter((ends) => ends.flat().every(Number.isFinite));
}

function linksOf(looks: PointLooks | null): [number, number][] {
  const outlines = looks?.outlines ?? [];
  return [...(looks?.links ?? []), ...outlines.flatMap((outline) => outline.slice(1).map((to, n): [number, number] => [outline[n], to]))];
}

/** Metres, of each joint. */
export function placesIn(skeleton: SkeletonData, pose: Pose, floor: number): Place[] {
  const positions = new Float32Array(3 * skeleton.names.length);
  forward(skeleton, pose.root, pose.rotations, positions, new Float32Array(4 * skeleton.names.length));
  return skeleton.names.map((_, joint): Place => [positions[3 * joint], positions[3 * joint + 1] - floor, positions[3 * joint + 2]]);
}
