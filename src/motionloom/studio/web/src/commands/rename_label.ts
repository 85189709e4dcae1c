/** Rename a label, in all takes of the corpus and in the document. */

import * as api from "../api/client";
import type * as T from "../api/types";
import { studio } from "../state.svelte";
import { defineCommand } from "./command";

interface Args {
  old: string;
  new: string;
}

export const renameLabel = defineCommand<Args, null>({
  kind: "rename word",
  describe: (args) => `Rename ${args.old} to ${args.new}`,
  async execute(args) {
    await api.renameWord(args);
    studio.document = renamed(studio.document, args.old, args.new);
    return null;
  },
  async undo(args) {
    await api.renameWord({ old: args.new, new: args.old });
    studio.document = renamed(studio.document, args.new, args.old);
  },
});

/** The document with the label's new name in the vocabulary and in what was painted, on takes and on the timeline. */
export function renamed(document: T.Document, old: string, name: string): T.Document {
  const { vocabulary, drafts } = document.annotate;
  const { tracks, request, beyond } = document.timeline;
  const inPaint = (painted: readonly T.Paint[]): T.Paint[] => painted.map((paint) => (paint.label === old ? { ...paint, label: name } : paint));
  const swapped = Object.entries(drafts).map(([take, draft]) => [
    take,
    Object.fromEntries(Object.entries(draft).map(([label, strokes]) => [label === old ? name : label, strokes])),
  ]);
  return {
    ...document,
    annotate: {
      ...document.annotate,
      vocabulary: vocabulary.map((label) => (label === old ? name : label)),
      drafts: Object.fromEntries(swapped) as T.AnnotatePart["drafts"],
    },
    timeline: {
      tracks: tracks.map((label) => (label === old ? name : label)),
      request: { ...request, labels: inPaint(request.labels) },
      beyond: { ...beyond, labels: inPaint(beyond.labels) },
    },
  };
}
