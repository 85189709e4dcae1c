/** What is drawn of the pose that is tried: its ghost, the way there and the other ways, and where else it can be had. */

import type * as T from "../../api/types";
import { type Extra, type Extras, NO_EXTRAS } from "../../extras";
import { multiply } from "../../motion/kinematics";
import type { Pose } from "../../motion/types";
import type { Looks } from "../poses/palette.svelte";
import { ACCENT, type Reach, type Trail } from "../../view3d/types";
import type { ShownWay } from "./buildup.svelte";

export const GHOST = "ghost"; // id of the character
const OPACITY = 0.62;
const HEIGHT = 0.012; // metres above the ground, over the shading

export function extrasOf(ways: readonly ShownWay[], shown: ShownWay | null, reach: Reach | null, { skeleton, body }: Looks): Extras {
  const ghosts: Extra[] =
    shown === null || skeleton === null
      ? []
      : [
          {
            spec: { id: GHOST, skeleton, body, hue: ACCENT, floor: 0, opacity: OPACITY },
            pose: { root: shown.root, rotations: shown.rotations },
          },
        ];
  return { characters: ghosts, trails: ways.map((way, n) => trailOf(way, n, way === shown)), reach };
}

/** What is drawn of an edit: its ghost where it stands, until the bridge to where it is moved is known; then there. */
export function extrasOfEdit({ card, stands }: Placed, way: ShownWay | null, { skeleton, body }: Looks): Extras {
  if (skeleton === null) return NO_EXTRAS;
  const pose = way ?? poseAt(card, stands);
  const spec = { id: GHOST, skeleton, body, hue: ACCENT, floor: 0, opacity: OPACITY };
  const character = { spec, pose: { root: pose.root, rotations: pose.rotations } };
  return { characters: [character], trails: way === null ? [] : [trailOf(way, 0, true)], reach: null };
}

interface Placed {
  card: T.PoseCard;
  stands: [number, number, number]; // metres along x and z, radians
}

/** A pose of the palette, which looks along +z at the origin, at a place, metres and radians. */
export function poseAt(card: T.PoseCard, place: [number, number, number]): Pose {
  return movedPose(card, [0, 0, 0], place);
}

/** A pose that stands at one place, at another: each metres along x and z, radians. */
export function movedPose({ root, rotations }: Standing, from: [number, number, number], to: [number, number, number]): Pose {
  const heading = to[2] - from[2];
  const [c, s] = [Math.cos(heading), Math.sin(heading)];
  const [x, z] = [root[0] - from[0], root[2] - from[1]];
  const placed = new Float32Array([to[0] + x * c + z * s, root[1], to[1] - x * s + z * c]);
  const turned = new Float32Array(rotations);
  multiply([Math.cos(heading / 2), 0, Math.sin(heading / 2), 0], 0, rotations, 0, turned, 0);
  return { root: placed, rotations: turned };
}

interface Standing {
  root: ArrayLike<number>;
  rotations: ArrayLike<number>;
}

/** What is drawn while a character is moved to where it shall begin. */
export function extrasOfStart(pose: Pose | null, { skeleton, body }: Looks): Extras {
  if (pose === null || skeleton === null) return NO_EXTRAS;
  return { ...NO_EXTRAS, characters: [{ spec: { id: GHOST, skeleton, body, hue: ACCENT, floor: 0, opacity: OPACITY }, pose }] };
}

/** A line on the ground, brightest at its end; that of another way is faint. */
function trailOf({ path }: ShownWay, number: number, isShown: boolean): Trail {
  const points = new Float32Array((path.length / 2) * 3);
  for (let n = 0; 2 * n < path.length; n++) points.set([path[2 * n], HEIGHT, path[2 * n + 1]], 3 * n);
  const current = isShown ? path.length / 2 - 1 : -1;
  return { id: `way ${number}`, joint: "", points, current, colour: "var(--view-accent)" };
}
