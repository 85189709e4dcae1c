/** Edits of a request and of the rows that show it: pure functions, one request in, the next one out. */

import type * as T from "../../api/types";
import { paintedLabels, withStrokes } from "./paint";
import { framesOf, lengthOf, textOf } from "./times";

export const LONGEST = 600; // seconds that can be drawn in a row; the command line goes on to an hour

/** A place where "end" is written as such, so that it stays the end when the length changes. */
export type Moment = number | "end"; // frames

/** The labels that have a row: those chosen, then others that are painted. */
export function rowsOf(part: T.TimelinePart): string[] {
  return [...new Set([...part.tracks, ...paintedLabels(part.request)])];
}

/** Whether the request is empty. */
export function isBlank(request: T.Request): boolean {
  return request.labels.length + request.frames.length + request.places.length === 0 && request.start_from === null;
}

/** Without the row of a label and what is painted on it, also beyond the end. */
export function withoutLabel(part: T.TimelinePart, label: string): T.TimelinePart {
  return {
    tracks: part.tracks.filter((row) => row !== label),
    request: withStrokes(part.request, label, []),
    beyond: { ...part.beyond, labels: part.beyond.labels.filter((paint) => paint.label !== label) },
  };
}

/** Put a row before another one, or at the end. */
export function reordered(part: T.TimelinePart, label: string, before: string | null): T.TimelinePart {
  const others = rowsOf(part).filter((row) => row !== label);
  const at = before === null ? others.length : others.indexOf(before);
  const place = at < 0 ? others.length : at;
  return { ...part, tracks: [...others.slice(0, place), label, ...others.slice(place)] };
}

/** Where a forced clip is, in frames of the answer; its length as the rate of its take has it. */
export function clipRange(clip: T.ForcedFrames, request: T.Request, takeFps: number): [number, number] {
  const length = lengthOf(request);
  const recorded = clip.frame !== null ? 1 : (clip.stop ?? 1) - (clip.start ?? 0);
  const frames = clip.frame !== null ? 1 : Math.max(1, Math.round(((recorded - 1) * request.fps) / takeFps) + 1);
  const at = clip.at === "end" ? length - frames : framesOf(clip.at, request.fps, length);
  return [at, at + frames];
}

/** A clip of a take that is forced from a frame on; it is shortened to what there is room for. */
export function forcedClip(
  request: T.Request,
  take: { name: string; fps: number; frames: number },
  at: number,
  start: number,
  stop: number | null,
): T.ForcedFrames {
  const length = lengthOf(request);
  const room = length - at; // frames of the answer
  const first = Math.max(0, Math.min(start, take.frames - 1));
  const time = textOf(at, request.fps);
  if (stop !== null && stop - first <= 1) return { at: time, take: take.name, frame: first, start: null, stop: null };
  const most = first + Math.floor(((room - 1) * take.fps) / request.fps) + 1;
  const last = Math.max(first + 1, Math.min(stop ?? take.frames, take.frames, most));
  if (last - first <= 1) return { at: time, take: take.name, frame: first, start: null, stop: null };
  return { at: time, take: take.name, frame: null, start: first, stop: last };
}

/** The first time at which a clip overlaps no other one, from a wanted one on; null where there is no room. */
export function freeTime(
  taken: readonly (readonly [number, number])[],
  frames: number,
  wanted: number,
  length: number,
): number | null {
  const fits = (at: number): boolean =>
    at >= 0 && at + frames <= length && taken.every(([start, stop]) => at + frames <= start || at >= stop);
  const tried = [wanted, ...taken.map(([, stop]) => stop), ...taken.map(([start]) => start - frames)];
  const found = tried.filter(fits).sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted));
  return found[0] ?? null;
}

export function replacedAt<Thing>(list: readonly Thing[], index: number, thing: Thing): Thing[] {
  return list.map((old, i) => (i === index ? thing : old));
}

export function withoutAt<Thing>(list: readonly Thing[], index: number): Thing[] {
  return list.filter((_, i) => i !== index);
}

/** Where a place is, in frames: the last frame for the end. */
export function placeFrame(place: T.Place, request: T.Request): number {
  const length = lengthOf(request);
  return Math.min(framesOf(place.at, request.fps, length), length - 1);
}

/** The corners of the path, in the order of time; a motion begins at the origin unless a place says otherwise. */
export function corners(request: T.Request): { frame: number; at: [number, number] }[] {
  const placed = request.places
    .flatMap((place) => (place.position === null ? [] : [{ frame: placeFrame(place, request), at: place.position }]))
    .sort((a, b) => a.frame - b.frame);
  return placed[0]?.frame === 0 ? placed : [{ frame: 0, at: [0, 0] }, ...placed];
}

export function momentText(moment: Moment, request: T.Request): string {
  if (moment === "end" || moment >= lengthOf(request) - 1) return "end";
  return moment <= 0 ? "start" : textOf(moment, request.fps);
}

/** The request with one more place; one that is there at the same time moves instead. */
export function withPlace(request: T.Request, place: T.Place): T.Request {
  const frame = placeFrame(place, request);
  const index = request.places.findIndex((other) => placeFrame(other, request) === frame);
  if (index < 0) return { ...request, places: [...request.places, place] };
  const kept = request.places[index];
  return { ...request, places: replacedAt(request.places, index, { ...kept, position: place.position }) };
}

/** The request with a place changed; unchanged if two would be at one time. */
export function withPlaceChanged(request: T.Request, index: number, changes: Partial<T.Place>): T.Request {
  const old = request.places[index];
  if (old === undefined) return request;
  const next = { ...old, ...changes };
  if (next.position === null && next.heading === null) return request;
  const frame = placeFrame(next, request);
  const isTaken = request.places.some((place, i) => i !== index && placeFrame(place, request) === frame);
  return isTaken ? request : { ...request, places: replacedAt(request.places, index, next) };
}
