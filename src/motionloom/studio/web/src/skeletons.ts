/**
 * Skeletons that motions can be exported on: each once, called by its number of joints and a take that has it. Those
 * that nothing can be carried over to are none of them.
 */

import type * as T from "./api/types";

export interface SkeletonChoice {
  value: string; // as the server names it: a take that has it, or "" for the default
  text: string;
}

/**
 * The choices of an export, the default first.
 * @param own the text of the default
 * @param isOwnReference the default is the reference already
 */
export function skeletonChoices(
  skeletons: readonly T.SkeletonRow[],
  reference: T.ReferenceSkeleton | null,
  own: string,
  isOwnReference: boolean,
): SkeletonChoice[] {
  const others = skeletons.filter((skeleton) => skeleton.can_be_target && !(isOwnReference && skeleton.digest === reference?.skeleton));
  return [
    { value: "", text: own },
    ...others.map(({ digest, take, joints }) => ({
      value: take,
      text: `${digest === reference?.skeleton ? "the reference, " : ""}${joints} joints, as ${take}`,
    })),
  ];
}
