/** What is done on the timeline and in the view, as commands; while a gesture goes on, as a draft of the document. */

import type * as T from "../../api/types";
import { addTrack } from "../../commands/add_track";
import { forceClip } from "../../commands/force_clip";
import { moveClip, moveClipChange } from "../../commands/move_clip";
import { moveStretch, moveStretchChange } from "../../commands/move_stretch";
import { moveWaypoint, moveWaypointChange } from "../../commands/move_waypoint";
import { paintChange, paintLabel } from "../../commands/paint_label";
import { placeWaypoint } from "../../commands/place_waypoint";
import { removeClip } from "../../commands/remove_clip";
import { removeWaypoint } from "../../commands/remove_waypoint";
import { setLength, setLengthChange } from "../../commands/set_length";
import { stage } from "../../stage.svelte";
import { notify, studio } from "../../state.svelte";
import type { DragPhase } from "../../view3d/types";
import type { EdgeGesture, PaintGesture } from "../../widgets/timeline/types";
import { requestField } from "../method/limits";
import { CLIP } from "../workspace";
import { clipRange, forcedClip, freeTime, momentText, placeFrame } from "./request";
import { lengthOf, nearestFrame, textOf } from "./times";
import { timelineState } from "./timeline.svelte";
import { CLIPS, indexOf, labelOf, PLACES, pinTime, RESULT, trackOf } from "./tracks";

type Phase = "move" | "end" | "cancel";

/** Preview the change of a gesture, commit it, or cancel it. */
function follow<Args>(
  phase: Phase | DragPhase,
  args: Args,
  change: (document: T.Document, args: Args) => T.Document,
  run: (args: Args) => Promise<boolean>,
): void {
  if (phase === "end") void run(args);
  else studio.draft = phase === "cancel" ? null : change(studio.document, args);
}

const request = (): T.Request => studio.document.timeline.request;
const inFrames = (seconds: number): number => nearestFrame(seconds, request().fps);

export function onPaint(gesture: PaintGesture): void {
  const label = labelOf(gesture.track);
  if (label === null) return;
  const value = gesture.tool === "erase" ? null : gesture.tool;
  const args = { label, start: inFrames(gesture.start), stop: inFrames(gesture.stop), value };
  follow(gesture.phase, args, paintChange, paintLabel);
}

export function onEdge(gesture: EdgeGesture): void {
  const [start, stop] = [inFrames(gesture.start), inFrames(gesture.stop)];
  const label = labelOf(gesture.track);
  if (label !== null) {
    const to = labelOf(gesture.to ?? "") ?? undefined;
    const args = { label, from: indexOf(gesture.stretch.slice(trackOf(label).length)), start, stop, to };
    follow(gesture.phase, args, moveStretchChange, moveStretch);
    if (gesture.phase !== "end") return;
    timelineState.selected = `${trackOf(to ?? label)}@${start}`;
    timelineState.track = trackOf(to ?? label);
  } else if (gesture.track === CLIPS) moveForced(indexOf(gesture.stretch), start, stop, gesture.phase);
  else if (gesture.track === PLACES) {
    const length = lengthOf(request()) / request().fps;
    const time = pinTime(gesture.start, gesture.stop, length);
    const at = momentText(inFrames(time), request());
    follow(gesture.phase, { index: indexOf(gesture.stretch), changes: { at } }, moveWaypointChange, moveWaypoint);
  }
}

/** A clip is moved as a whole, or one of its ends is. */
function moveForced(index: number, start: number, stop: number, phase: Phase): void {
  const clip = request().frames[index];
  if (clip === undefined) return;
  const rate = timelineState.rateOf(clip.take) / request().fps;
  const [first, last] = clipRange(clip, request(), timelineState.rateOf(clip.take));
  const moved: T.ForcedFrames = { ...clip, at: textOf(start, request().fps) };
  if (stop - start !== last - first && clip.frame === null) {
    const known = timelineState.takeCalled(clip.take)?.frames ?? Infinity;
    moved.start = Math.max(0, Math.round((clip.start ?? 0) + (start - first) * rate));
    moved.stop = Math.max(moved.start + 2, Math.min(known, Math.round((clip.stop ?? 0) + (stop - last) * rate)));
  }
  follow(phase, { index, clip: moved }, moveClipChange, moveClip);
}

export function onSelect(_track: string | null, stretch: string | null): void {
  timelineState.selected = stretch;
  if (stretch?.startsWith(`${RESULT}@`)) {
    const piece = timelineState.details?.pieces[indexOf(stretch)];
    if (piece && timelineState.search.answer) stage.seek(piece.start / timelineState.search.answer.fps);
  }
}

export function onLength(seconds: number, phase: Phase): void {
  follow(phase, { frames: inFrames(seconds), rates: timelineState.rates }, setLengthChange, setLength);
}

/** A take was dropped onto the timeline: it is forced from there on. */
export function onDrop(_track: string, time: number, data: DataTransfer): void {
  const text = data.getData(CLIP);
  if (!text) return;
  try {
    const dropped = JSON.parse(text) as { take: string; start?: number; stop?: number };
    force(dropped.take, inFrames(time), dropped.start ?? 0, dropped.stop ?? null);
  } catch {
    notify("warning", "That cannot be forced; drop a take");
  }
}

/** Force frames of a take at a frame of the answer, or as near to it as there is room. */
export function force(name: string, at: number, start: number, stop: number | null): void {
  const take = timelineState.takeCalled(name);
  if (take === null) {
    notify("warning", `${name} has no skeleton, or is not in this corpus`);
    return;
  }
  const asked = request();
  const length = lengthOf(asked);
  const wanted = Math.max(0, Math.min(at, length - 1));
  const clip = forcedClip(asked, take, wanted, start, stop);
  const taken = asked.frames.map((forced) => clipRange(forced, asked, timelineState.rateOf(forced.take)));
  const [first, last] = clipRange(clip, asked, take.fps);
  const free = freeTime(taken, last - first, wanted, length);
  if (free === null) {
    notify("warning", "There is no room for this clip; make the timeline longer, or remove another clip");
    return;
  }
  void forceClip({ clip: { ...clip, at: textOf(free, asked.fps) } });
  timelineState.selected = `${CLIPS}@${asked.frames.length}`;
}

/** A double click on the ground: be there when the playhead is. At the start, the end target is meant. */
export function onGround(x: number, z: number): void {
  const frame = inFrames(studio.time);
  const hasEnd = request().places.some((other) => other.at === "end");
  addPlace(frame === 0 && !hasEnd ? "end" : frame, [round(x), round(z)]);
}

export function addPlace(frame: number | "end", position: [number, number]): void {
  const at = momentText(frame, request());
  const defaults = (requestField("timeline", "places", 0)?.initial() ?? {}) as T.Place;
  const place: T.Place = { ...defaults, weight: request().places[0]?.weight ?? defaults.weight, at, position };
  const same = request().places.findIndex((other) => placeFrame(other, request()) === placeFrame(place, request()));
  void placeWaypoint({ place });
  timelineState.selected = `${PLACES}@${same >= 0 ? same : request().places.length}`;
}

export function onWaypoint(id: string, x: number, z: number, heading: number | null, phase: DragPhase): void {
  const index = indexOf(id);
  if (request().places[index] === undefined) return;
  const degrees = heading === null ? null : round((heading * 180) / Math.PI, 1);
  const changes = { position: [round(x), round(z)] as [number, number], heading: degrees };
  if (phase === "start") timelineState.selected = id;
  else follow(phase, { index, changes }, moveWaypointChange, moveWaypoint);
}

/** Remove the clip or the place that is selected; paint is erased by the timeline itself. */
export function eraseSelected(): boolean {
  const { selected } = timelineState;
  if (selected === null) return false;
  const index = indexOf(selected);
  if (selected.startsWith(`${CLIPS}@`)) void removeClip({ index, take: request().frames[index]?.take ?? "" });
  else if (selected.startsWith(`${PLACES}@`)) void removeWaypoint({ index });
  else return false;
  timelineState.selected = null;
  return true;
}

/** Give a label a row, and paint there next. */
export function addRow(label: string): void {
  void addTrack({ label });
  timelineState.track = trackOf(label);
  if (timelineState.tool === "select" || timelineState.tool === "erase") timelineState.tool = "must";
}

/** Go to a moment of the answer and show what is there. */
export function show(frame: number, fps: number, selected: string | null = null): void {
  stage.seek(frame / fps);
  if (selected !== null) timelineState.selected = selected;
}

function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}
