/** The trade-off between how many match frames a hub has and how similar they are. */

import type * as T from "../../api/types";

export interface Kept {
  frames: number[]; // ascending
  mean: number; // metres
  worst: number;
}

/** The match set of a threshold: what was grown nearest first is cut where it is reached. */
export function cutAt(grown: T.GrownSet, threshold: number): Kept {
  const count = grown.distances.findIndex((distance) => distance > threshold);
  const kept = grown.distances.slice(0, count < 0 ? undefined : count);
  return {
    frames: grown.frames.slice(0, kept.length).sort((a, b) => a - b),
    mean: kept.length > 0 ? kept.reduce((sum, distance) => sum + distance, 0) / kept.length : 0,
    worst: kept.at(-1) ?? 0,
  };
}

/** Clips that takes are cut into by match frames: one more than there are match frames, in takes that have any. */
export function countClips(takes: readonly T.MaterialTake[], frames: readonly number[]): { all: number; between: number } {
  let all = 0;
  let between = 0;
  for (const take of takes) {
    const count = frames.filter((frame) => frame >= take.start && frame < take.start + take.frames).length;
    if (count === 0) continue;
    all += count + 1;
    between += count - 1;
  }
  return { all, between };
}

/** How many match frames there are up to each distance: corners of a staircase from (0, 0). */
export function staircase(grown: T.GrownSet, most: number): { distance: number; count: number }[] {
  const corners = [{ distance: 0, count: 0 }];
  grown.distances.forEach((distance, i) => {
    if (distance > most) return;
    corners.push({ distance, count: i }, { distance, count: i + 1 });
  });
  corners.push({ distance: most, count: corners[corners.length - 1].count });
  return corners;
}

/** The match frames of a hub while its threshold is dragged: what grows, with what was added and without what was dropped. */
export function previewFrames(grown: T.GrownSet, threshold: number, added: readonly number[], dropped: readonly number[]): number[] {
  const all = new Set([...cutAt(grown, threshold).frames, ...added]);
  for (const frame of dropped) all.delete(frame);
  return [...all].sort((a, b) => a - b);
}

/** The minimum nearest to a frame, among those within reach; null where there is none. */
export function snapTo(minima: Iterable<number>, frame: number, reach: number): number | null {
  let best: number | null = null;
  for (const minimum of minima) {
    const away = Math.abs(minimum - frame);
    if (away <= reach && (best === null || away < Math.abs(best - frame))) best = minimum;
  }
  return best;
}
