/** Rename a take, in the corpus and wherever the document names it. */

import * as api from "../api/client";
import type * as T from "../api/types";
import { studio } from "../state.svelte";
import { defineCommand } from "./command";

export const renameTake = defineCommand<{ take: string; name: string }, null>({
  kind: "rename_take",
  describe: ({ take, name }) => `Rename ${take} to ${name}`,
  async execute({ take, name }) {
    await rename(take, name);
    return null;
  },
  async undo({ take, name }) {
    await rename(name, take);
  },
});

async function rename(old: string, now: string): Promise<void> {
  await api.renameTake({ take: old, name: now });
  studio.document = renamedIn(studio.document, old, now);
}

/** The document with a take under its new name. */
export function renamedIn(document: T.Document, old: string, now: string): T.Document {
  const of = <Name extends string | null>(name: Name): Name | string => (name === old ? now : name);
  const { library, annotate, timeline, graph } = document;
  const { request, beyond } = timeline;
  const inFrames = (forced: readonly T.ForcedFrames[]): T.ForcedFrames[] => forced.map((clip) => ({ ...clip, take: of(clip.take) }));
  const drafts = Object.fromEntries(Object.entries(annotate.drafts).map(([take, draft]) => [of(take), draft]));
  return {
    ...document,
    library: { ...library, take: of(library.take) },
    annotate: { ...annotate, take: of(annotate.take), drafts },
    timeline: {
      ...timeline,
      request: {
        ...request,
        frames: inFrames(request.frames),
        takes: request.takes === null ? null : request.takes.map(of),
        start_from: of(request.start_from),
      },
      beyond: { ...beyond, frames: inFrames(beyond.frames) },
    },
    graph: { ...graph, request: renamedInGraph(graph.request, of) },
  };
}

function renamedInGraph(request: T.GraphRequest, of: (take: string) => string): T.GraphRequest {
  const all = (frames: T.TakeFrame[]): T.TakeFrame[] => frames.map((frame) => ({ ...frame, take: of(frame.take) }));
  const hubs = request.hubs.map((hub) => ({
    ...hub,
    like: hub.like && { ...hub.like, take: of(hub.like.take) },
    frames: all(hub.frames),
    add: all(hub.add),
    drop: all(hub.drop),
  }));
  return { ...request, hubs, takes: request.takes === null ? null : request.takes.map(of) };
}
