/** Times of a directed motion: frames on its clock, and how a request writes them. */

import type * as T from "../../api/types";
import { framesOf } from "../timeline/times";

/** When something holds. */
export type When = Pick<T.PointTarget, "at" | "from" | "to">;

export const atFrame = (frame: number): string => `${frame}f`;

/** The frames of something: first and last of a range, or the first of some moments twice. */
export function spanOf({ at, from, to }: When, fps: number, length: number): [number, number] {
  const frame = (time: string): number => Math.min(framesOf(time, fps, length - 1), Math.max(0, length - 1));
  if (from != null && to != null) return [frame(from), frame(to)];
  const moments = (typeof at === "string" ? [at] : (at ?? [])).map(frame);
  return [Math.min(...moments), Math.max(...moments)];
}

/** Whether it holds at one moment only. */
export const isMoment = ({ at }: When): boolean => typeof at === "string" || at?.length === 1;

/** The same thing at other frames: moved as a whole, or one of its ends is. */
export function movedTo<Thing extends When>(thing: Thing, [start, stop]: [number, number], fps: number, length: number): Thing {
  if (isMoment(thing)) return { ...thing, at: atFrame(start) };
  if (thing.from != null) return { ...thing, from: atFrame(start), to: atFrame(Math.max(stop, start + 1)) };
  const [first] = spanOf(thing, fps, length);
  const moments = (thing.at as string[]).map((time) => framesOf(time, fps, length - 1) + start - first);
  return { ...thing, at: moments.map((frame) => atFrame(Math.max(0, Math.min(length - 1, frame)))) };
}

/** Frames of the whole motion, as far as the request says it, or the take that it starts from; 0 where nothing does. */
export function lengthAsked(request: T.DirectRequest, takes: readonly { name: string; fps: number; frames: number }[] = []): number {
  const { fps } = request;
  if (request.length != null) return framesOf(request.length, fps);
  const source = takes.find(({ name }) => name === request.start_from);
  if (source !== undefined) return Math.floor(((source.frames - 1) / source.fps) * fps + 1e-6) + 1;
  const lists: When[][] = [request.poses, request.points, request.orientations, request.angles, request.distances, request.projections, request.root];
  const times = lists.flat().flatMap(({ at, from, to }) => [...(typeof at === "string" ? [at] : (at ?? [])), from, to]);
  const contacts = request.contacts.flatMap(({ from, to }) => [from, to]);
  const frames = [...times, ...contacts].flatMap((time) => (time == null || time === "end" ? [] : [framesOf(time, fps) + 1]));
  return Math.max(0, ...frames);
}

/** "1.25 s". */
export const clockText = (frame: number, fps: number): string => `${(frame / fps).toFixed(2)} s`;
