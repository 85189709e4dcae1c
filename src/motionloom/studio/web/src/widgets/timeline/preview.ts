/** What is shown of a gesture in progress: the track as it would be, ghosts, and a reading of times. */

import { actionAt, cursorFor, hintFor, isSnapping, trackOf, type Pointer, type World } from "./actions";
import type { Gesture } from "./gestures";
import { erase, inOrder, moved, painted } from "./painting";
import { toTime } from "./scale";
import { snap, snapPoints, toFrame, type Snap, type SnapPoint } from "./snapping";
import { readTime } from "./times";
import type { Mark, Stretch, Track } from "./types";

export interface Ghost {
  start: number;
  stop: number;
  look: "must" | "must_not" | "erase" | "edge" | "stretch" | "insert";
}

export interface Shown {
  track: string | null; // where the ghost is
  ghost: Ghost | null;
  guide: Snap | null; // what it snapped to
  reading: { time: number; text: string } | null;
  hint: string;
  cursor: string;
}

export const NOTHING: Shown = { track: null, ghost: null, guide: null, reading: null, hint: "", cursor: "" };

/** The stretches of a track with the gesture done: those it had when the gesture began, whatever arrived since. */
export function stretchesDuring(track: Track, gesture: Gesture | null): Stretch[] {
  if (!gesture || !gesture.isMoving) return track.stretches;
  if (gesture.kind === "paint" && gesture.track === track.id) return painted(gesture.base, gesture);
  if (gesture.kind === "edge" && gesture.to === track.id) return withMoved(track, gesture);
  if (gesture.kind === "edge" && gesture.track === track.id) {
    return gesture.base.filter((stretch) => stretch.id !== gesture.stretch.id);
  }
  return track.stretches;
}

function withMoved(track: Track, { track: from, base, stretch, start, stop }: Gesture & { kind: "edge" }): Stretch[] {
  if (from === track.id) return moved(base, stretch.id, start, stop);
  return inOrder([...erase(track.stretches, start, stop), { ...stretch, start, stop }]);
}

export function shownDuring(gesture: Gesture, world: World): Shown {
  const still: Shown = { ...NOTHING, cursor: CURSORS[gesture.kind] };
  if (!gesture.isMoving || gesture.kind === "scrub") return still;
  const guide = gesture.snap && gesture.snap.kind !== "frame" && gesture.snap.kind !== "none" ? gesture.snap : null;
  const hint = "Shift does not snap, Esc cancels";
  if (gesture.kind === "paint" || gesture.kind === "edge") {
    const { start, stop } = gesture;
    const track = gesture.kind === "edge" ? gesture.to : gesture.track;
    const look = gesture.kind === "paint" ? gesture.tool : "stretch";
    const near = gesture.snap ? gesture.snap.time : stop;
    const reading = { time: Math.abs(near - start) < Math.abs(near - stop) ? start : stop, text: rangeText(start, stop, world.fps) };
    const cursor = gesture.kind === "edge" && gesture.part === "body" ? "grabbing" : still.cursor;
    return { track, ghost: { start, stop, look }, guide, reading, hint, cursor };
  }
  if (gesture.kind === "length") {
    return { ...still, guide, hint, reading: { time: gesture.seconds, text: readTime(gesture.seconds) } };
  }
  const reading = gesture.range && { time: gesture.snap?.time ?? gesture.range[1], text: rangeText(...gesture.range, world.fps) };
  return { ...still, guide, hint, reading };
}

/** What a click would do. */
export function shownOnHover(pointer: Pointer, world: World): Shown {
  const time = Math.max(0, Math.min(world.length, toTime(world.scale, pointer.x)));
  const frame = isSnapping(pointer, world) ? toFrame(time, world.fps) : time;
  const reading = { time: frame, text: timeText(frame, world.fps) };
  if (pointer.region === "loop") return { ...NOTHING, reading, hint: "Drag sets the loop range, double click takes it away" };
  if (pointer.region === "end") return { ...NOTHING, hint: "Drag changes how long the timeline is" };
  const track = trackOf(world.tracks, pointer.track);
  if (!track || pointer.region === "ruler") {
    return { ...NOTHING, reading, hint: "Click or drag moves the playhead, the wheel zooms" };
  }
  const action = actionAt(pointer, world);
  const why = markTitle(track, time, 6 / world.scale.perSecond);
  if (why && action.kind !== "edge") reading.text = `${why} · ${readTime(frame)}`;
  const shown: Shown = { ...NOTHING, track: track.id, reading, hint: hintFor(action, track, world.words), cursor: cursorFor(action) };
  if (action.kind === "edge") {
    const { stretch, part } = action.hit;
    const at = part === "stop" ? stretch.stop : stretch.start;
    const ghost: Ghost =
      part === "body" ? { start: stretch.start, stop: stretch.stop, look: "stretch" } : { start: at, stop: at, look: "edge" };
    const text = part === "body" ? rangeText(stretch.start, stretch.stop, world.fps) : timeText(at, world.fps);
    return { ...shown, ghost, reading: { time: part === "body" ? frame : at, text: titled(stretch, text) } };
  }
  if (action.kind === "paint") return { ...shown, ...paintGhost(action, time, pointer, world, why) };
  const stretch = track.stretches.find((each) => each.id === action.stretch);
  if (!stretch) return shown;
  const text = why ? reading.text : titled(stretch, timeText(frame, world.fps));
  return { ...shown, ghost: { start: stretch.start, stop: stretch.stop, look: "stretch" }, reading: { time: frame, text } };
}

function paintGhost(
  action: { tool: "must" | "must_not" | "erase"; over: Stretch | null },
  time: number,
  pointer: Pointer,
  world: World,
  why: string | null,
): Partial<Shown> {
  if (action.tool === "erase" && action.over) {
    const { start, stop } = action.over;
    return { ghost: { start, stop, look: "erase" } };
  }
  const points = pointsFor(world);
  const at = snap(time, points, world.scale.perSecond, world.fps, isSnapping(pointer, world));
  const guide = at.kind === "frame" || at.kind === "none" ? null : at;
  const reading = { time: at.time, text: why ? `${why} · ${readTime(at.time)}` : timeText(at.time, world.fps) };
  return { ghost: { start: at.time, stop: at.time, look: "insert" }, guide, reading };
}

const hoverPoints = new WeakMap<Track[], { key: string; points: SnapPoint[] }>();

/** As a stroke would find them; thousands of edges are put in order once, not for every move of the pointer. */
function pointsFor(world: World): SnapPoint[] {
  const key = `${world.length} ${world.loop} ${world.time}`;
  let kept = hoverPoints.get(world.tracks);
  if (kept?.key !== key) {
    const { tracks, loop, length, time } = world;
    kept = { key, points: snapPoints({ tracks, playhead: time, loop, length }) };
    hoverPoints.set(tracks, kept);
  }
  return kept.points;
}

const CURSORS: Record<Gesture["kind"], string> = {
  scrub: "col-resize",
  paint: "crosshair",
  edge: "ew-resize",
  loop: "ew-resize",
  length: "ew-resize",
};

/** The text of a mark: why something was missed, how good a join is. Moments can be met within a few pixels. */
export function markTitle(track: Track, time: number, reach: number): string | null {
  const marks = track.marks?.filter((mark) => mark.title && time >= mark.start - momentReach(mark, reach) && time <= mark.stop + momentReach(mark, reach));
  if (!marks?.length) return null;
  return marks.reduce((best, mark) => (mark.stop - mark.start < best.stop - best.start ? mark : best)).title ?? null;
}

function momentReach(mark: Mark, reach: number): number {
  return mark.stop - mark.start < reach ? reach : 0;
}

function titled(stretch: Stretch, text: string): string {
  const title = stretch.title ?? stretch.text;
  const sure = stretch.confidence === undefined ? "" : ` ${Math.round(stretch.confidence * 100)} %`;
  return title ? `${title}${sure} · ${text}` : text;
}

function timeText(time: number, fps: number): string {
  return `${readTime(time)} · frame ${Math.round(time * fps)}`;
}

/** "0.50 – 2.00 s · 1.50 s · 45 frames". */
export function rangeText(start: number, stop: number, fps: number): string {
  const frames = Math.round((stop - start) * fps);
  return `${start.toFixed(2)} – ${stop.toFixed(2)} s · ${(stop - start).toFixed(2)} s · ${frames} ${frames === 1 ? "frame" : "frames"}`;
}
