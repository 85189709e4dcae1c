/** Names of pairs of markers whose distance people think in: "mouth width". */

import type * as T from "../../api/types";

type Pair = Pick<T.NamedDistance, "joint" | "other">;

class PairNames {
  known = $state.raw<readonly T.NamedDistance[]>([]);

  /** What people call the distance of two markers; null where it has no name. */
  find(pair: { joint: string; other?: string | null }): string | null {
    return this.known.find((each) => isSamePair(each, pair))?.name ?? null;
  }
}

/** Whether two markers are the same two, in whichever order. */
export function isSamePair(one: Pair, other: { joint: string; other?: string | null }): boolean {
  return (one.joint === other.joint && one.other === other.other) || (one.joint === other.other && one.other === other.joint);
}

export const pairNames = new PairNames();
