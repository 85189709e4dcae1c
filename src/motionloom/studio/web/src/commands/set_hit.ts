/** Hit a prop exactly at the end of a step, or no longer. */

import type * as T from "../api/types";
import { defineDocumentCommand } from "./command";
import { editBuilt, type Ways, withWays } from "./edit_buildup";
import { isAt } from "./edit_props";

export interface SetHit {
  character: number;
  prop: T.PropPart;
  hit: T.Hit | null; // null: it is not hit any more
  ways?: Ways | null; // chosen for it
}

export const setHitChange = editBuilt<SetHit>((built, { prop, hit, ways }) => ({
  ...built,
  steps: withWays(built.steps, ways),
  hits: [...built.hits.filter((each) => !isAt(each, prop)), ...(hit === null ? [] : [hit])],
}));

export const setHit = defineDocumentCommand<SetHit>({
  kind: "set_hit",
  describe: ({ prop, hit }) => (hit === null ? `Do not hit ${prop.name}` : `Hit ${prop.name} exactly`),
  change: setHitChange,
});
