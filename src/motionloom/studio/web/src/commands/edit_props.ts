/** Edits of props, the things in space to hit or to touch. */

import type * as T from "../api/types";
import { castOf, withBuilt } from "./edit_buildup";

/** The part with one prop changed; what is to hit it goes on to hit it there. */
export function withProp(part: T.BuildupPart, index: number, prop: T.PropPart | null): T.BuildupPart {
  const before = part.props[index];
  if (before === undefined) return part;
  const props = prop === null ? part.props.filter((_, n) => n !== index) : part.props.map((each, n) => (n === index ? prop : each));
  const request = castOf(part.request).reduce<T.BuildupRequest>(
    (found, _, character) => withBuilt(found, character, (built) => ({ ...built, hits: built.hits.flatMap((hit) => moved(hit, before, prop)) })),
    part.request,
  );
  return { ...part, props, request };
}

/** Whether a hit is meant for a prop. */
export const isAt = (hit: T.Hit, prop: T.PropPart): boolean =>
  hit.point !== null && hit.point.every((value, axis) => Math.abs(value - prop.position[axis]) < 1e-6);

function moved(hit: T.Hit, before: T.PropPart, prop: T.PropPart | null): T.Hit[] {
  if (!isAt(hit, before)) return [hit];
  return prop === null ? [] : [{ ...hit, point: prop.position }];
}
