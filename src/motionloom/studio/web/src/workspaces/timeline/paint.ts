/** Paint: what strokes do to the labels of a request. Must and must not of one label never overlap. */

import type * as T from "../../api/types";
import { framesOf, lengthOf, textOf } from "./times";

export type Value = T.Paint["value"];

/** A stretch of one label, in frames [start, stop). */
export interface Stroke {
  start: number;
  stop: number;
  value: Value;
}

/** The strokes of a label, in order, merged where they touch. */
export function strokesOf(request: T.Request, label: string): Stroke[] {
  const length = lengthOf(request);
  return request.labels
    .filter((paint) => paint.label === label)
    .map((paint) => ({
      start: framesOf(paint.from, request.fps, length),
      stop: framesOf(paint.to, request.fps, length),
      value: paint.value,
    }))
    .reduce<Stroke[]>((done, stroke) => lay(done, stroke), []);
}

/** Lay a stroke over others: it replaces what it covers and merges with neighbours of the same value. */
export function lay(strokes: readonly Stroke[], stroke: Stroke): Stroke[] {
  if (stroke.stop <= stroke.start) return [...strokes];
  const all = [...cut(strokes, stroke.start, stroke.stop), stroke].sort((a, b) => a.start - b.start);
  return all.reduce<Stroke[]>((done, next) => {
    const last = done.at(-1);
    if (last === undefined || last.value !== next.value || last.stop < next.start) return [...done, next];
    return [...done.slice(0, -1), { ...last, stop: Math.max(last.stop, next.stop) }];
  }, []);
}

/** What is left of strokes outside of [start, stop). */
export function cut(strokes: readonly Stroke[], start: number, stop: number): Stroke[] {
  return strokes.flatMap((stroke) => {
    const before = { ...stroke, stop: Math.min(stroke.stop, start) };
    const after = { ...stroke, start: Math.max(stroke.start, stop) };
    return [before, after].filter((part) => part.start < part.stop);
  });
}

/** The request with other strokes of one label; all other labels stay as they are written. */
export function withStrokes(request: T.Request, label: string, strokes: readonly Stroke[]): T.Request {
  const length = lengthOf(request);
  const written = strokes
    .map((stroke) => ({ ...stroke, start: Math.max(0, stroke.start), stop: Math.min(length, stroke.stop) }))
    .filter((stroke) => stroke.start < stroke.stop)
    .map<T.Paint>((stroke) => ({
      label,
      from: textOf(stroke.start, request.fps),
      to: textOf(stroke.stop, request.fps),
      value: stroke.value,
    }));
  const place = request.labels.findIndex((paint) => paint.label === label);
  const others = request.labels.filter((paint) => paint.label !== label);
  const at = place < 0 ? others.length : request.labels.slice(0, place).filter((paint) => paint.label !== label).length;
  return { ...request, labels: [...others.slice(0, at), ...written, ...others.slice(at)] };
}

/** Paint frames [start, stop) of a label, or erase them. */
export function paintOver(request: T.Request, label: string, start: number, stop: number, value: Value | null): T.Request {
  const strokes = strokesOf(request, label);
  const next = value === null ? cut(strokes, start, stop) : lay(strokes, { start, stop, value });
  return withStrokes(request, label, next);
}

/** Move the stroke that begins at a frame, maybe to another label; it replaces what it covers. */
export function moveStroke(request: T.Request, label: string, from: number, start: number, stop: number, to = label): T.Request {
  const strokes = strokesOf(request, label);
  const moved = strokes.find((stroke) => stroke.start === from);
  if (moved === undefined) return request;
  const others = strokes.filter((stroke) => stroke !== moved);
  if (to !== label) return paintOver(withStrokes(request, label, others), to, start, stop, moved.value);
  return withStrokes(request, label, lay(others, { ...moved, start, stop }));
}

/** Labels that are painted anywhere, in the order of the request. */
export function paintedLabels(request: T.Request): string[] {
  return [...new Set(request.labels.map((paint) => paint.label))];
}
