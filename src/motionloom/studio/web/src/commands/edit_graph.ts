/** Edits of the graph's request as changes of the document. */

import type * as T from "../api/types";

type Change<Args> = (document: T.Document, args: Args) => T.Document;

/** A change of the document from a change of the graph's part of it. */
export function editGraph<Args>(edit: (part: T.GraphPart, args: Args) => T.GraphPart): Change<Args> {
  return (document, args) => ({ ...document, graph: edit(document.graph, args) });
}

/** A change of the document from a change of what is asked of a graph. */
export function editGraphRequest<Args>(edit: (request: T.GraphRequest, args: Args) => T.GraphRequest): Change<Args> {
  return editGraph((part, args) => ({ ...part, request: edit(part.request, args) }));
}

/** A change of the document from a change of one hub. */
export function editHub<Args extends { hub: string }>(edit: (hub: T.Hub, args: Args) => T.Hub): Change<Args> {
  return editGraphRequest((request, args) => ({
    ...request,
    hubs: request.hubs.map((hub, i) => (hubName(request, i) === args.hub ? edit(hub, args) : hub)),
  }));
}

/** What a hub is called; those without a name are numbered, as the command line does. */
export function hubName(request: T.GraphRequest, index: number): string {
  const given = request.hubs.map((hub) => hub.name);
  const own = given[index];
  if (own) return own;
  let name = `hub ${index + 1}`;
  while (given.includes(name)) name += "'";
  return name;
}

/** A hub of one frame, or of frames by hand. */
export function makeHub(name: string, from: Partial<T.Hub>): T.Hub {
  return { name, frames: [], like: null, largest: false, threshold: null, add: [], drop: [], ...from };
}

/** A name that no hub has yet. */
export function freeName(request: T.GraphRequest): string {
  const taken = new Set(request.hubs.map((_, i) => hubName(request, i)));
  for (let number = request.hubs.length + 1; ; number++) if (!taken.has(`hub ${number}`)) return `hub ${number}`;
}

/** The first colour that no hub has yet. */
export function freeColour(part: T.GraphPart): number {
  const taken = new Set(part.request.hubs.map((_, i) => part.colours[hubName(part.request, i)] ?? i));
  for (let colour = 0; ; colour++) if (!taken.has(colour)) return colour;
}

export const isFrame = (a: T.TakeFrame, b: T.TakeFrame): boolean => a.take === b.take && Math.abs(a.frame - b.frame) < 1e-3;

/** Frames without one of them. */
export const without = (frames: readonly T.TakeFrame[], removed: T.TakeFrame): T.TakeFrame[] =>
  frames.filter((frame) => !isFrame(frame, removed));
