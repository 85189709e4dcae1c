/**
 * Drafts: what a person painted on a take but has not accepted yet. They are part of the document, so that they can be
 * undone and are there after a reload.
 */

import type * as T from "../../api/types";
import { cutOut, joined, keptInside, type Range } from "./ranges";

export type Sign = 1 | -1; // the label holds, or it does not
export type Stroke = [number, number, number]; // frames [start, stop), and a sign
export type Draft = Record<string, Stroke[]>; // by label

/** Paint over a stretch of one label; 0 erases what was painted there. */
export function paint(draft: Draft, label: string, [start, stop]: Range, sign: Sign | 0): Draft {
  if (stop <= start) return draft;
  const kept = (draft[label] ?? []).flatMap(([a, b, old]): Stroke[] =>
    cutOut([[a, b]], [[start, stop]]).map(([from, to]) => [from, to, old]),
  );
  const strokes = sign === 0 ? kept : [...kept, [start, stop, sign] as Stroke];
  return withStrokes(draft, label, tidy(strokes));
}

/** A stretch was moved, or one of its edges: it holds where it is now, and not where it was. */
export function move(draft: Draft, label: string, from: Range, to: Range): Draft {
  return paint(paint(draft, label, from, -1), label, to, 1);
}

/** Without what was painted inside a stretch. */
export function without(draft: Draft, window: Range): Draft {
  return Object.keys(draft).reduce((result, label) => paint(result, label, window, 0), draft);
}

/** Where a label holds as it is shown: its current ranges, with the paint over them. */
export function shownRanges(current: readonly Range[], strokes: readonly Stroke[] = []): Range[] {
  const painted = strokes.map(([a, b]): Range => [a, b]);
  return joined([...cutOut(current, painted), ...rangesOf(strokes, 1)]);
}

export function rangesOf(strokes: readonly Stroke[], sign: Sign): Range[] {
  return strokes.filter((stroke) => stroke[2] === sign).map(([a, b]): Range => [a, b]);
}

/** The current ranges of a label: as annotated by people, and as proposed in frames that are not verified. */
export function currentRanges(ranges: T.LabelRanges | undefined): Range[] {
  if (ranges === undefined) return [];
  const proposed = cutOut(ranges.proposed.map(({ start, stop }): Range => [start, stop]), ranges.verified);
  return joined([...ranges.holds, ...proposed]);
}

/** The ranges that accepting a stretch as it is shown would write, for all labels. */
export function asShown(
  tracks: T.TakeTracks,
  vocabulary: readonly string[],
  draft: Draft,
  window: Range,
): Record<string, Range[]> {
  const shown = (label: string): Range[] =>
    shownRanges(currentRanges(tracks.labels.find((ranges) => ranges.label === label)), draft[label]);
  return Object.fromEntries(vocabulary.map((label) => [label, joined(keptInside(shown(label), [window]))]));
}

export const isEmpty = (draft: Draft | undefined): boolean => draft === undefined || Object.keys(draft).length === 0;

/** A document with another draft of a take. */
export function withDraft(document: T.Document, take: string, draft: Draft): T.Document {
  const { [take]: _old, ...others } = document.annotate.drafts;
  const drafts = isEmpty(draft) ? others : { ...others, [take]: draft };
  return { ...document, annotate: { ...document.annotate, drafts: drafts as T.AnnotatePart["drafts"] } };
}

export const draftOf = (document: T.Document, take: string): Draft => document.annotate.drafts[take] ?? {};

function withStrokes(draft: Draft, label: string, strokes: Stroke[]): Draft {
  const { [label]: _old, ...others } = draft;
  return strokes.length === 0 ? others : { ...others, [label]: strokes };
}

/** Sorted, and neighbours of one sign as one. */
function tidy(strokes: Stroke[]): Stroke[] {
  const tidied: Stroke[] = [];
  for (const [start, stop, sign] of [...strokes].sort((a, b) => a[0] - b[0])) {
    const last = tidied.at(-1);
    if (last !== undefined && last[1] === start && last[2] === sign) last[1] = stop;
    else tidied.push([start, stop, sign]);
  }
  return tidied;
}
