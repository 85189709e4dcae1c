/** What is drawn beside the motion: paths, cameras, and the ghosts of key poses. */

import type { Extra, Extras } from "../../extras";
import { ACCENT } from "../../view3d/types";
import { cardOfPose } from "../poses/poses";
import { cameraTrails } from "./cameras";
import { directState } from "./direct.svelte";
import { trails } from "./drawing.svelte";

const OPACITY = 0.35;

export function extras(): Extras {
  return { characters: ghosts(), trails: [...trails(), ...cameraTrails(directState.request, directState.kind)], reach: null };
}

/** Key poses that have a place on the ground, where they have to be. */
function ghosts(): Extra[] {
  const { request, poses } = directState;
  const { skeleton, body } = poses.looks;
  if (skeleton === null) return [];
  const { carried } = directState;
  const looks = { skeleton, body, hue: ACCENT, floor: 0 };
  const over: Extra[] = carried === null ? [] : [{ spec: { id: "carried", ...looks, opacity: 0.62 }, pose: placed(carried.card, carried.place, 0) }];
  const keys = request.poses.flatMap(({ pose, place, heading }, index): Extra[] => {
    const card = pose == null ? null : cardOfPose(poses.cards, { take: pose.take, frame: pose.frame });
    if (card === null || place == null) return [];
    return [{ spec: { id: `key ${index}`, ...looks, opacity: OPACITY }, pose: placed(card, place, heading ?? 0) }];
  });
  return [...keys, ...over];
}

/** A pose that looks along +z at the origin, at a place and with a heading in degrees. */
export function placed({ root, rotations }: { root: readonly number[]; rotations: readonly number[] }, [x, z]: readonly number[], heading: number): Extra["pose"] {
  const [c, s] = [Math.cos((heading * Math.PI) / 180), Math.sin((heading * Math.PI) / 180)];
  const [hc, hs] = [Math.cos((heading * Math.PI) / 360), Math.sin((heading * Math.PI) / 360)];
  const turned = new Float32Array(rotations);
  const [w, a, b, d] = rotations;
  turned.set([hc * w - hs * b, hc * a + hs * d, hc * b + hs * w, hc * d - hs * a]); // about y, then as it was
  return { root: new Float32Array([x + root[0] * c + root[2] * s, root[1], z - root[0] * s + root[2] * c]), rotations: turned };
}
