/** What is drawn of the pose that is tried: its ghost, the way there and the other ways, and where else it can be had. */

import type { Extra, Extras } from "../../extras";
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

/** A line on the ground, brightest at its end; that of another way is faint. */
function trailOf({ path }: ShownWay, number: number, isShown: boolean): Trail {
  const points = new Float32Array((path.length / 2) * 3);
  for (let n = 0; 2 * n < path.length; n++) points.set([path[2 * n], HEIGHT, path[2 * n + 1]], 3 * n);
  const current = isShown ? path.length / 2 - 1 : -1;
  return { id: `way ${number}`, joint: "", points, current, colour: "var(--view-accent)" };
}
