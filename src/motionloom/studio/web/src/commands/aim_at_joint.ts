/** Hit a moving joint of another character at the end of a step, with another joint, or no longer. */

import type * as T from "../api/types";
import { defineDocumentCommand } from "./command";
import { editBuilt, type Ways, withWays } from "./edit_buildup";

export interface AimAtJoint {
  character: number;
  index: number | null; // of the hit that is changed; null: one more
  hit: T.Hit | null; // null: it is not hit any more
  what: string; // "the head of B"
  ways?: Ways | null; // chosen for it
}

export const aimAtJointChange = editBuilt<AimAtJoint>((built, { index, hit, ways }) => {
  const added = hit === null ? [] : [hit];
  const hits = index === null ? [...built.hits, ...added] : built.hits.flatMap((each, n) => (n === index ? added : [each]));
  return { ...built, steps: withWays(built.steps, ways), hits };
});

export const aimAtJoint = defineDocumentCommand<AimAtJoint>({
  kind: "aim_at_joint",
  describe: ({ hit, what }) => (hit === null ? `Do not hit ${what}` : `Hit ${what}`),
  change: aimAtJointChange,
});
