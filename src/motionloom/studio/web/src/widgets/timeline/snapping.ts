/** Snapping: a dragged time jumps to what is near it, else to the nearest frame. */

import type { Track } from "./types";

export type SnapKind = "edge" | "playhead" | "loop" | "bound" | "second" | "frame" | "none";

export interface Snap {
  time: number;
  kind: SnapKind;
}

export interface SnapPoint {
  time: number;
  kind: SnapKind;
}

/** Pixels within which a time jumps. */
export const REACH = 7;
const SECONDS_APART = 36; // pixels: nearer whole seconds would be everywhere

export interface SnapSources {
  tracks: Track[];
  without?: string; // id of the stretch that is dragged
  withoutTrack?: string;
  playhead: number | null;
  loop: [number, number] | null;
  length: number;
}

/** All times that pull, in order; made once when a gesture starts. */
export function snapPoints(sources: SnapSources): SnapPoint[] {
  const points: SnapPoint[] = [
    { time: 0, kind: "bound" },
    { time: sources.length, kind: "bound" },
  ];
  for (const track of sources.tracks) {
    for (const stretch of track.stretches) {
      if (stretch.id === sources.without && track.id === sources.withoutTrack) continue;
      points.push({ time: stretch.start, kind: "edge" }, { time: stretch.stop, kind: "edge" });
    }
  }
  if (sources.playhead !== null) points.push({ time: sources.playhead, kind: "playhead" });
  if (sources.loop) for (const time of sources.loop) points.push({ time, kind: "loop" });
  return points.sort((a, b) => a.time - b.time);
}

/** Where a time goes: to the nearest point in reach, to a whole second, else to a frame. */
export function snap(time: number, points: SnapPoint[], perSecond: number, fps: number, isOn: boolean): Snap {
  if (!isOn) return { time, kind: "none" };
  const near = nearest(points, time);
  if (near && Math.abs(near.time - time) * perSecond <= REACH) return { time: near.time, kind: near.kind };
  const second = Math.round(time);
  const isNearSecond = Math.abs(second - time) * perSecond <= REACH;
  if (perSecond >= SECONDS_APART && isNearSecond) return { time: second, kind: "second" };
  return { time: toFrame(time, fps), kind: "frame" };
}

export function toFrame(time: number, fps: number): number {
  return Math.round(time * fps) / fps;
}

/** Of a moved stretch, the end that is nearest to something decides; the length stays. */
export function snapMove(
  start: number,
  stop: number,
  points: SnapPoint[],
  perSecond: number,
  fps: number,
  isOn: boolean,
): Snap {
  const first = snap(start, points, perSecond, fps, isOn);
  if (first.kind !== "frame") return first;
  const last = snap(stop, points, perSecond, fps, isOn);
  if (last.kind === "frame" || last.kind === "none") return first;
  return { time: start + (last.time - stop), kind: last.kind };
}

function nearest(points: SnapPoint[], time: number): SnapPoint | null {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle].time < time) low = middle + 1;
    else high = middle;
  }
  const after = points[low] ?? null;
  const before = points[low - 1] ?? null;
  if (!before || !after) return before ?? after;
  return time - before.time <= after.time - time ? before : after;
}
