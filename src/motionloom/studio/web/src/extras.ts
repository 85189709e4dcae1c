/** What a workspace shows beside the cast: characters that it poses itself, such as a ghost, lines, and shading. */

import type { Pose } from "./motion/types";
import type { CharacterSpec, CharacterStyle, Reach, StudioView, Trail } from "./view3d/types";

export interface Extra {
  spec: Omit<CharacterSpec, "style">;
  pose: Pose;
}

export interface Extras {
  characters: Extra[];
  trails: Trail[];
  reach: Reach | null;
}

export const NO_EXTRAS: Extras = { characters: [], trails: [], reach: null };

/** Whether the same characters are shown, wherever they are. */
export function isSameCrowd(one: Extras, other: Extras): boolean {
  const isSame = (a: Extra["spec"], b: Extra["spec"]): boolean =>
    a.id === b.id && a.skeleton === b.skeleton && a.body === b.body && a.hue === b.hue && a.opacity === b.opacity;
  return one.characters.length === other.characters.length && one.characters.every((each, i) => isSame(each.spec, other.characters[i].spec));
}

export function specsOf(extras: Extras, style: CharacterStyle): CharacterSpec[] {
  return extras.characters.map(({ spec }) => ({ ...spec, style: spec.body ? style : "stick" }));
}

/** Put the characters where they are now. */
export function poseExtras(view: StudioView | null, extras: Extras): void {
  for (const { spec, pose } of extras.characters) view?.pose(spec.id, pose);
  view?.setReach(extras.reach);
}
