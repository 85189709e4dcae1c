/** The schematic: takes as lines, match frames as coloured ticks, the clips between them. */

import type * as T from "../../api/types";

export interface Tick {
  frame: number; // over all frames
  hub: number;
  colour: string;
  isOut: boolean; // the graph was built without it
}

export interface Segment {
  start: number; // over all frames
  stop: number; // of the last clip of a take one past its last frame, else the next match frame
  from: number | null; // hub that it leaves; null: it begins its take
  to: number | null;
  loose: string; // why it is a dead end or cannot be reached; empty: it is neither
}

export interface Line {
  take: T.MaterialTake;
  ticks: Tick[];
  segments: Segment[];
}

export interface HubFrames {
  frames: readonly number[];
  colour: string;
}

/** A line for every take; takes without match frames are one segment without hubs. */
export function layLines(
  takes: readonly T.MaterialTake[],
  hubs: readonly HubFrames[],
  loose: readonly T.DeadEnd[],
  leftOut: ReadonlySet<number> = new Set(),
): Line[] {
  return takes.map((take) => {
    const end = take.start + take.frames;
    const ticks = hubs
      .flatMap(({ frames, colour }, hub) =>
        frames.filter((frame) => frame >= take.start && frame < end).map((frame) => ({ frame, hub, colour, isOut: leftOut.has(frame) })),
      )
      .sort((a, b) => a.frame - b.frame);
    const inside = ticks.filter((tick) => !tick.isOut);
    const edges = [take.start, ...inside.map((tick) => tick.frame), end];
    const segments = edges.slice(0, -1).map((start, i) => ({
      start,
      stop: edges[i + 1],
      from: i === 0 ? null : inside[i - 1].hub,
      to: inside[i]?.hub ?? null,
      loose: whyLoose(loose, take, start, edges[i + 1]),
    }));
    return { take, ticks, segments };
  });
}

function whyLoose(loose: readonly T.DeadEnd[], take: T.MaterialTake, start: number, stop: number): string {
  const middle = (start + stop) / 2 - take.start;
  return loose.find((end) => end.take === take.name && end.start <= middle && middle < end.stop)?.why ?? "";
}

/** Match frames that a graph was built without: no clip begins or ends there, and no dead end covers them. */
export function findLeftOut(
  takes: readonly T.MaterialTake[],
  hubs: readonly HubFrames[],
  clips: readonly { motion: string; start: number; stop: number }[],
  loose: readonly T.DeadEnd[],
): Set<number> {
  const starts = new Map(takes.map((take) => [take.name, take.start]));
  const edges = new Set<number>();
  for (const { motion, start, stop } of clips) edges.add((starts.get(motion) ?? 0) + start).add((starts.get(motion) ?? 0) + stop);
  const isLoose = (frame: number): boolean =>
    loose.some(({ take, start, stop }) => {
      const first = starts.get(take);
      return first !== undefined && frame >= first + start && frame <= first + stop;
    });
  return new Set(hubs.flatMap(({ frames }) => frames.filter((frame) => !edges.has(frame) && !isLoose(frame))));
}

/** The clip of a graph that a segment is; null where the graph was built from something else. */
export function clipOf(
  clips: readonly { motion: string; start: number; stop: number }[],
  take: T.MaterialTake,
  segment: Segment,
): number | null {
  const found = clips.findIndex(
    (clip) => clip.motion === take.name && clip.start === segment.start - take.start && clip.stop === segment.stop - take.start,
  );
  return found < 0 ? null : found;
}

/** Whether a match frame fits: as far from all others of its take, and from its ends, as w_min requires. */
export function fits(line: Line, frame: number, spacing: number): boolean {
  const { take, ticks } = line;
  return (
    frame - take.start >= spacing &&
    take.start + take.frames - 1 - frame >= spacing &&
    ticks.every((tick) => Math.abs(tick.frame - frame) >= spacing)
  );
}

/** Seconds marked along the lines, in round steps, at least so many pixels apart. */
export function timeMarks(seconds: [number, number], width: number, apart = 70): number[] {
  const room = ((seconds[1] - seconds[0]) * apart) / Math.max(1, width);
  const step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300].find((seconds) => seconds >= room) ?? 600;
  const marks = [];
  for (let n = Math.ceil(seconds[0] / step); n * step <= seconds[1]; n++) marks.push(Number((n * step).toFixed(3)));
  return marks;
}
