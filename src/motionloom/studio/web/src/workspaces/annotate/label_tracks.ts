/** The tracks of the timeline: what people annotated, what is proposed, what was painted, one row for each label. */

import type * as T from "../../api/types";
import type { Mark, Stretch, Track } from "../../widgets/timeline/types";
import { type Draft, rangesOf, type Stroke } from "./drafts";
import { cutOut, keptInside, type Range } from "./ranges";

export interface Selected {
  label: string;
  start: number; // frame
}

const FEW = 6; // labels, above which rows are lower
const LOW = 22; // pixels

interface Look {
  tracks: T.TakeTracks;
  vocabulary: readonly string[];
  draft: Draft;
  selected: Selected | null;
  colourOf: (label: string) => string;
  canPaint: boolean;
}

export function labelTracks(look: Look): Track[] {
  return look.vocabulary.map((label) => {
    const ranges = look.tracks.labels.find((known) => known.label === label);
    const stretches = stretchesOf(label, ranges, look.draft[label] ?? [], look.tracks.fps);
    return {
      id: label,
      name: label,
      colour: look.colourOf(label),
      stretches: stretches.map((stretch) => (isSelected(stretch, label, look) ? { ...stretch, selected: true } : stretch)),
      marks: verifiedMarks(ranges?.verified ?? [], look.tracks.fps),
      paintable: look.canPaint,
      movable: look.canPaint,
      height: look.vocabulary.length > FEW ? LOW : undefined,
    };
  });
}

/** The frames of a stretch, from its id. */
export function framesOf(id: string): Range {
  const [, start, stop] = id.split(":").slice(-3).map(Number);
  return [start, stop];
}

export const idOf = (kind: number, [start, stop]: Range): string => `${kind}:${start}:${stop}`;

/** The stretch that holds, or is proposed, at a frame; a stretch that was selected comes first. */
export function stretchAt(track: Track, frame: number): Stretch | null {
  const shown = track.stretches.filter((stretch) => stretch.kind !== "must_not");
  const here = shown.filter((stretch) => framesOf(stretch.id)[0] <= frame && frame < framesOf(stretch.id)[1]);
  return shown.find((stretch) => stretch.selected) ?? here[0] ?? null;
}

function stretchesOf(label: string, ranges: T.LabelRanges | undefined, strokes: Stroke[], fps: number): Stretch[] {
  const painted = strokes.map(([a, b]): Range => [a, b]);
  const make = (kind: Stretch["kind"], number: number, range: Range, more: Partial<Stretch> = {}): Stretch => ({
    id: idOf(number, range),
    start: range[0] / fps,
    stop: range[1] / fps,
    kind,
    ...more,
  });
  const holds = cutOut(ranges?.holds ?? [], painted);
  const verified = ranges?.verified ?? [];
  const stretches = [
    ...keptInside(holds, verified).map((range) => make("verified", 0, range, { title: `${label}, verified` })),
    ...cutOut(holds, verified).map((range) => make("holds", 1, range, { title: `${label}, not verified yet` })),
    ...(ranges?.proposed ?? []).flatMap(({ start, stop, confidence }) =>
      cutOut([[start, stop]], painted).map((range) =>
        make("proposed", 2, range, { confidence, title: `${label}, proposed`, text: percent(confidence) }),
      ),
    ),
    ...rangesOf(strokes, 1).map((range) => make("must", 3, range, { title: `${label}, painted by you` })),
    ...rangesOf(strokes, -1).map((range) => make("must_not", 4, range, { title: `not ${label}, painted by you` })),
  ];
  return stretches.sort((a, b) => a.start - b.start);
}

function verifiedMarks(verified: readonly Range[], fps: number): Mark[] {
  return verified.map(([start, stop]) => ({ start: start / fps, stop: stop / fps, kind: "met", title: "verified" }));
}

function isSelected(stretch: Stretch, label: string, { selected }: Look): boolean {
  if (selected === null || selected.label !== label) return false;
  const [start, stop] = framesOf(stretch.id);
  return start <= selected.start && selected.start < stop;
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;
