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

/** The strokes of a label, in order, grown together where they touch. */
export function strokesOf(request: T.Request, label: string): Stroke[] {
  const length = lengthOf(request);
  return request.labels
    .filter((one) => one.label === label)
    .map((one) => ({
      start: framesOf(one.from, request.fps, length),
      stop: framesOf(one.to, request.fps, length),
      value: one.value,
    }))
    .reduce<Stroke[]>((done, stroke) => lay(done, stroke), []);
}

/** Lay a stroke over others: it replaces what it covers and grows together with its like. */
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
  return strokes.flatMap((one) => {
    const before = { ...one, stop: Math.min(one.stop, start) };
    const after = { ...one, start: Math.max(one.start, stop) };
    return [before, after].filter((part) => part.start < part.stop);
  });
}

/** The request with other strokes of one label; all other labels stay as they are written. */
export function withStrokes(request: T.Request, label: string, strokes: readonly Stroke[]): T.Request {
  const length = lengthOf(request);
  const written = strokes
    .map((one) => ({ ...one, start: Math.max(0, one.start), stop: Math.min(length, one.stop) }))
    .filter((one) => one.start < one.stop)
    .map<T.Paint>((one) => ({
      label,
      from: textOf(one.start, request.fps),
      to: textOf(one.stop, request.fps),
      value: one.value,
    }));
  const place = request.labels.findIndex((one) => one.label === label);
  const others = request.labels.filter((one) => one.label !== label);
  const at = place < 0 ? others.length : request.labels.slice(0, place).filter((one) => one.label !== label).length;
  return { ...request, labels: [...others.slice(0, at), ...written, ...others.slice(at)] };
}

/** Paint frames [start, stop) of a label, or erase them. */
export function paintOver(request: T.Request, label: string, start: number, stop: number, value: Value | null): T.Request {
  const strokes = strokesOf(request, label);
  const next = value === null ? cut(strokes, start, stop) : lay(strokes, { start, stop, value });
  return withStrokes(request, label, next);
}

/** Put the stroke that begins at a frame elsewhere, maybe on another label; what it comes to lie on is covered. */
export function moveStroke(request: T.Request, label: string, from: number, start: number, stop: number, to = label): T.Request {
  const strokes = strokesOf(request, label);
  const moved = strokes.find((one) => one.start === from);
  if (moved === undefined) return request;
  const others = strokes.filter((one) => one !== moved);
  if (to !== label) return paintOver(withStrokes(request, label, others), to, start, stop, moved.value);
  return withStrokes(request, label, lay(others, { ...moved, start, stop }));
}

/** Labels that are painted anywhere, in the order of the request. */
export function paintedLabels(request: T.Request): string[] {
  return [...new Set(request.labels.map((one) => one.label))];
}
