/** How near hands and feet are to props. */

import { forward } from "../../motion/kinematics";
import type { Pose, SkeletonData } from "../../motion/types";

export interface Near {
  point: string; // the hand or foot that is nearest, by its role
  metres: number;
}

/** The nearest of some points of a body to a place. */
export function findNearest(skeleton: SkeletonData, pose: Pose, points: readonly string[], places: readonly (readonly number[])[]): (Near | null)[] {
  const positions = placesOf(skeleton, pose);
  return places.map((place) => {
    let nearest: Near | null = null;
    for (const point of points) {
      const joint = skeleton.roles[point];
      if (joint === undefined) continue;
      const metres = Math.hypot(...[0, 1, 2].map((axis) => positions[3 * joint + axis] - place[axis]));
      if (nearest === null || metres < nearest.metres) nearest = { point, metres };
    }
    return nearest;
  });
}

/** Where joints of a body are in a pose: (J * 3) metres. */
export function placesOf(skeleton: SkeletonData, pose: Pose): Float32Array {
  const joints = skeleton.names.length;
  const positions = new Float32Array(3 * joints);
  forward(skeleton, pose.root, pose.rotations, positions, new Float32Array(4 * joints));
  return positions;
}

/** "34 cm". */
export const centimetresText = (metres: number): string => `${Math.round(100 * metres)} cm`;
