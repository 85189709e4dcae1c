/** What a press would do where the pointer is: used when it is pressed, and shown while it hovers. */

import { GRIP, hitTest, stretchAt, TOUCH_GRIP, type Hit } from "./edges";
import { toPixel, toTime, type Scale } from "./scale";
import type { Stretch, TimelineData, Tool, Track } from "./types";

export type Region = "ruler" | "loop" | "lanes" | "end";

/** Where a pointer is and what is held down with it. */
export interface Pointer {
  x: number; // pixels from the left edge of the lanes
  region: Region;
  track: string | null;
  over?: string | null; // the track that a drag has come to
  alt: boolean;
  shift: boolean;
  touch: boolean;
}

export interface World extends TimelineData {
  scale: Scale;
}

export type Action =
  | { kind: "edge"; hit: Hit }
  | { kind: "paint"; tool: Exclude<Tool, "select">; over: Stretch | null }
  | { kind: "scrub"; stretch: string | null };

/** What a press in a lane would do; hovering shows it. */
export function actionAt(pointer: Pointer, world: World): Action {
  const track = trackOf(world.tracks, pointer.track);
  if (!track) return { kind: "scrub", stretch: null };
  const hit = hitTest(track.stretches, world.scale, pointer.x, !!track.movable, pointer.touch ? TOUCH_GRIP : GRIP);
  const over = hit && hit.part === "body" ? hit.stretch : stretchAt(track.stretches, toTime(world.scale, pointer.x));
  const isErasing = pointer.alt || world.tool === "erase";
  if (track.paintable && isErasing) return { kind: "paint", tool: "erase", over };
  if (hit && track.movable && !hit.stretch.fixed && (hit.part !== "body" || world.tool === "select" || !track.paintable)) {
    return { kind: "edge", hit };
  }
  if (track.paintable && (world.tool === "must" || world.tool === "must_not")) {
    return { kind: "paint", tool: world.tool, over };
  }
  return { kind: "scrub", stretch: over?.id ?? null };
}

export function loopPart(pointer: Pointer, world: World): "start" | "stop" | "body" | "new" {
  if (!world.loop) return "new";
  const [start, stop] = world.loop.map((time) => toPixel(world.scale, time));
  const grip = (pointer.touch ? TOUCH_GRIP : GRIP) + 3;
  const inside = Math.min(grip, (stop - start) / 3);
  if (pointer.x > start - grip && pointer.x < start + inside) return "start";
  if (pointer.x < stop + grip && pointer.x > stop - inside) return "stop";
  return pointer.x > start && pointer.x < stop ? "body" : "new";
}

export function trackOf(tracks: Track[], id: string | null): Track | null {
  return tracks.find((track) => track.id === id) ?? null;
}

export function isSnapping(pointer: Pointer, world: World): boolean {
  return !pointer.shift && world.snapping !== false;
}

/** One short sentence for the line under the timeline. */
export function hintFor(action: Action, track: Track, words: TimelineData["words"] = {}): string {
  if (action.kind === "edge") {
    if (action.hit.part !== "body") return "Drag moves this edge";
    return `Drag moves it${track.exchange ? ", to another row too" : ""}, double click loops it`;
  }
  if (action.kind === "paint") {
    const erases = words.erase ? `paints “${words.erase.toLowerCase()}”` : "erases";
    if (action.tool === "erase") {
      const it = words.erase ? "on this stretch, drag on a part" : "this stretch, drag erases a part";
      return action.over ? `Click ${erases} ${it}` : `Drag ${erases}`;
    }
    const usual = action.tool === "must" ? "must" : "must not";
    const what = words[action.tool] ? `“${words[action.tool]?.toLowerCase()}”` : usual;
    return `Drag paints ${what} on ${track.name}, Alt ${erases}, Shift does not snap`;
  }
  return action.stretch ? "Click selects, double click loops, drag scrubs" : "Click or drag moves the playhead";
}

/** The shape of the cursor: the same hint as a picture. */
export function cursorFor(action: Action): string {
  if (action.kind === "edge") return action.hit.part === "body" ? "grab" : "ew-resize";
  if (action.kind === "paint") return action.tool === "erase" ? "cell" : "crosshair";
  return action.stretch ? "pointer" : "col-resize";
}
