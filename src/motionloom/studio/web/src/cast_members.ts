/** The characters, or clouds of points, on the stage. */

import type * as T from "./api/types";
import type { FrameStore } from "./motion/frames";
import type { BodyData, Pose, SkeletonData } from "./motion/types";
import type { CastMember } from "./state.svelte";

export interface Member {
  id: string; // in the view
  hue: number;
  opacity: number;
  motion: T.Motion;
  store: FrameStore;
  skeleton: SkeletonData | null;
  body: BodyData | null;
  pose: Pose;
  points: Float32Array | null;
  steps: T.Footprints | null;
}

/** Whether it is a face, which is looked at from near and has no ground under it. */
export const isFace = (member: Pick<Member, "motion"> | undefined): boolean => member !== undefined && (member.motion.looks?.front ?? null) !== null;

/** How long they play: as long as the longest, who has ended stands meanwhile; what is only compared does not count. */
export function secondsOf(members: readonly Pick<Member, "store">[], cast: readonly CastMember[]): number | undefined {
  const lengths = members.filter((_, n) => !cast[n]?.isBeside).map(({ store }) => store.length);
  return lengths.length === 0 ? undefined : Math.max(...lengths);
}
