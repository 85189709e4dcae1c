/** What is under the pointer in a track, and where a dragged edge or stretch goes. */

import { inOrder } from "./painting";
import { toPixel, type Scale } from "./scale";
import type { Stretch } from "./types";

export type Part = "start" | "stop" | "body";

export interface Hit {
  stretch: Stretch;
  part: Part;
}

/** Pixels on either side of an edge where it can be held. */
export const GRIP = 5;
export const TOUCH_GRIP = 14;
const MOMENT = 9; // and on either side of the middle of a moment

/** Edges are held inside and a little outside of a stretch; a short stretch keeps a third for its body. */
export function hitTest(stretches: Stretch[], scale: Scale, x: number, hasEdges: boolean, grip = GRIP): Hit | null {
  const moment = momentAt(stretches, scale, x, grip);
  if (moment !== null) return { stretch: moment, part: "body" };
  const ordered = inOrder(stretches);
  const time = scale.offset + x / scale.perSecond;
  const index = lastBefore(ordered, time);
  const here = ordered[index];
  if (here && time < here.stop) return { stretch: here, part: hasEdges ? partAt(here, scale, x, grip) : "body" };
  if (!hasEdges) return null;
  const after = ordered[index + 1];
  const toStop = here ? x - toPixel(scale, here.stop) : Infinity;
  const toStart = after ? toPixel(scale, after.start) - x : Infinity;
  if (Math.min(toStop, toStart) > grip) return null;
  return toStop <= toStart ? { stretch: here, part: "stop" } : { stretch: after, part: "start" };
}

/** The moment whose diamond is under the pointer, the nearest of several. */
function momentAt(stretches: Stretch[], scale: Scale, x: number, grip: number): Stretch | null {
  let [best, nearest] = [null as Stretch | null, Math.max(grip, MOMENT) + 1e-9];
  for (const stretch of stretches) {
    if (!stretch.isMoment) continue;
    const away = Math.abs(x - toPixel(scale, (stretch.start + stretch.stop) / 2));
    if (away < nearest) [best, nearest] = [stretch, away];
  }
  return best;
}

/** The stretch that covers a time. */
export function stretchAt(stretches: Stretch[], time: number): Stretch | null {
  const ordered = inOrder(stretches);
  const here = ordered[lastBefore(ordered, time)];
  return here && time < here.stop ? here : null;
}

/** Stretches that can be seen, without looking at all of them. */
export function stretchesIn(stretches: Stretch[], start: number, stop: number): Stretch[] {
  const ordered = inOrder(stretches);
  const seen: Stretch[] = [];
  for (let index = Math.max(0, lastBefore(ordered, start)); index < ordered.length; index++) {
    const stretch = ordered[index];
    if (stretch.start > stop) break;
    if (stretch.stop >= start) seen.push(stretch);
  }
  return seen;
}

/** How far a stretch can go: to its neighbours and to the ends of the timeline. */
export function roomOf(stretches: Stretch[], id: string, length: number): [number, number] {
  const ordered = inOrder(stretches);
  const index = ordered.findIndex((stretch) => stretch.id === id);
  if (index < 0) return [0, length];
  return [ordered[index - 1]?.stop ?? 0, ordered[index + 1]?.start ?? Math.max(length, ordered[index].stop)];
}

/** Drag one edge; the stretch keeps at least one frame and stays within its room. */
export function dragEdge(
  origin: Stretch,
  part: "start" | "stop",
  time: number,
  room: [number, number],
  least: number,
): [number, number] {
  if (part === "start") return [Math.min(Math.max(time, room[0]), Math.max(room[0], origin.stop - least)), origin.stop];
  return [origin.start, Math.max(Math.min(time, room[1]), Math.min(room[1], origin.start + least))];
}

/** Drag the whole; its length stays. */
export function dragStretch(origin: Stretch, start: number, room: [number, number]): [number, number] {
  const seconds = origin.stop - origin.start;
  const at = Math.max(room[0], Math.min(start, room[1] - seconds));
  return [at, at + seconds];
}

/** Index of the last stretch that starts at or before a time, or -1. */
function lastBefore(ordered: Stretch[], time: number): number {
  let low = 0;
  let high = ordered.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ordered[middle].start <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function partAt(stretch: Stretch, scale: Scale, x: number, grip: number): Part {
  const left = toPixel(scale, stretch.start);
  const right = toPixel(scale, stretch.stop);
  const inside = Math.min(grip, (right - left) / 3);
  if (x - left < inside) return "start";
  if (right - x < inside) return "stop";
  return "body";
}
