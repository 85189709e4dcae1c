/** Edits of what is built up as changes of the document. */

import type * as T from "../api/types";

type Change<Args> = (document: T.Document, args: Args) => T.Document;

/** A change of the document from a change of what is built up. */
export function editBuildup<Args>(edit: (part: T.BuildupPart, args: Args) => T.BuildupPart): Change<Args> {
  return (document, args) => ({ ...document, buildup: edit(document.buildup, args) });
}

/** A change of the document from a change of what one character does. */
export function editBuilt<Args extends { character: number }>(edit: (built: T.Built, args: Args) => T.Built): Change<Args> {
  return editBuildup((part, args) => ({ ...part, request: withBuilt(part.request, args.character, (built) => edit(built, args)) }));
}

/** What the characters do, also where there is one. */
export function castOf(request: T.BuildupRequest): T.Built[] {
  if (request.characters.length > 0) return request.characters;
  const { name, start, start_from, steps, edits, hits } = request;
  return [{ name, start, start_from, steps, edits, hits }];
}

/** The request with what one character does changed. */
export function withBuilt(request: T.BuildupRequest, character: number, edit: (built: T.Built) => T.Built): T.BuildupRequest {
  if (request.characters.length === 0) return { ...request, ...edit(castOf(request)[0]) };
  return { ...request, characters: request.characters.map((built, n) => (n === character ? edit(built) : built)) };
}

/** The ways of a step and of those after it, as they were chosen for a hit. */
export interface Ways {
  step: number; // from 0
  clips: readonly (T.PlayedClip[] | null)[]; // null: it stays as it is
}

/** Steps with other ways. */
export function withWays(steps: T.Step[], ways: Ways | null | undefined): T.Step[] {
  if (!ways) return steps; // older histories have none
  return steps.map((step, n) => {
    const clips = ways.clips[n - ways.step] ?? null;
    return clips === null ? step : { ...step, clips };
  });
}
