/** Give a take another name, in the corpus and wherever the document names it. */

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
  const { library, annotate, timeline } = document;
  const { request } = timeline;
  const drafts = Object.fromEntries(Object.entries(annotate.drafts).map(([take, draft]) => [of(take), draft]));
  return {
    ...document,
    library: { ...library, take: of(library.take) },
    annotate: { ...annotate, take: of(annotate.take), drafts },
    timeline: {
      ...timeline,
      request: {
        ...request,
        frames: request.frames.map((one) => ({ ...one, take: of(one.take) })),
        takes: request.takes === null ? null : request.takes.map(of),
        start_from: of(request.start_from),
      },
    },
  };
}
