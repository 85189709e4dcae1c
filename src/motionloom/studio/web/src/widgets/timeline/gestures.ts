/**
 * Gestures of the pointer, apart from what the page shows: a gesture remembers what it took hold of, so neither a moving
 * playhead nor tracks that arrive meanwhile disturb it.
 */

import { actionAt, isSnapping, loopPart, trackOf, type Pointer, type World } from "./actions";
import { dragEdge, dragStretch, roomOf, stretchAt, type Hit } from "./edges";
import { toTime } from "./scale";
import { snap, snapMove, snapPoints, toFrame, type Snap, type SnapPoint } from "./snapping";
import type { EdgeGesture, Stretch, TimelineEvents, Tool, Track } from "./types";

export type Gesture =
  | {
      kind: "scrub";
      press: { track: string; stretch: string | null } | null; // what a click would select
      origin: number; // where the playhead was
      from: number;
      isMoving: boolean;
    }
  | {
      kind: "paint";
      track: string;
      base: Stretch[]; // what the track held when the stroke began
      tool: Exclude<Tool, "select">;
      anchor: number;
      start: number;
      stop: number;
      from: number;
      isMoving: boolean;
      snap: Snap | null;
    }
  | {
      kind: "edge";
      track: string;
      to: string; // the track that it is dragged to
      base: Stretch[];
      stretch: Stretch;
      part: Hit["part"];
      grab: number; // seconds between the pointer and what it holds
      room: [number, number];
      start: number;
      stop: number;
      from: number;
      isMoving: boolean;
      snap: Snap | null;
    }
  | {
      kind: "loop";
      part: "start" | "stop" | "body" | "new";
      origin: [number, number] | null;
      anchor: number;
      range: [number, number] | null;
      from: number;
      isMoving: boolean;
      snap: Snap | null;
    }
  | { kind: "length"; origin: number; seconds: number; from: number; isMoving: boolean; snap: Snap | null };

/** Pixels that a press may move and still be a click. */
const TREMBLE = 3;

export class Gestures {
  current: Gesture | null = null;
  private points: SnapPoint[] = [];
  private playhead: number | null = null;

  constructor(
    private readonly world: () => World,
    private readonly events: () => TimelineEvents,
  ) {}

  begin(pointer: Pointer): void {
    if (this.current) this.cancel();
    const world = this.world();
    this.playhead = world.time;
    this.current = this.choose(pointer, world);
    const held = this.current;
    const isEdge = held.kind === "edge";
    this.points = snapPoints({
      tracks: world.tracks,
      without: isEdge ? held.stretch.id : undefined,
      withoutTrack: isEdge ? held.track : undefined,
      playhead: held.kind === "scrub" ? null : world.time,
      loop: held.kind === "loop" ? null : world.loop,
      length: world.length,
    });
    if (held.kind === "scrub" && !held.press) this.scrub(pointer, "move");
  }

  move(pointer: Pointer): void {
    const held = this.current;
    if (!held) return;
    const isElsewhere = held.kind === "edge" && targetOf(held, pointer, this.world()) !== held.track;
    if (!held.isMoving && !isElsewhere && Math.abs(pointer.x - held.from) < TREMBLE) return;
    held.isMoving = true;
    this.forgetMovingPlayhead();
    if (held.kind === "scrub") this.scrub(pointer, "move");
    else if (held.kind === "paint") this.stroke(held, pointer, "move");
    else if (held.kind === "edge") this.drag(held, pointer);
    else if (held.kind === "loop") this.dragLoop(held, pointer);
    else this.dragLength(held, pointer);
  }

  end(pointer: Pointer): void {
    if (this.current?.kind !== "scrub" || !this.current.isMoving) this.move(pointer);
    const held = this.current;
    this.current = null;
    if (!held) return;
    const events = this.events();
    if (!held.isMoving) this.click(held, pointer);
    else if (held.kind === "paint" && held.stop > held.start) {
      events.onpaint?.({ track: held.track, start: held.start, stop: held.stop, tool: held.tool, phase: "end" });
    } else if (held.kind === "edge") {
      events.onedge?.(edgeOf(held, "end"));
    } else if (held.kind === "length") events.onlength?.(held.seconds, "end");
    else if (held.kind === "scrub") this.scrub(pointer, "end");
  }

  /** Put everything back as it was. */
  cancel(): void {
    const held = this.current;
    this.current = null;
    if (!held || !held.isMoving) return;
    const events = this.events();
    if (held.kind === "paint") {
      events.onpaint?.({ track: held.track, start: held.start, stop: held.stop, tool: held.tool, phase: "cancel" });
    } else if (held.kind === "edge") {
      const { start, stop, id } = held.stretch;
      events.onedge?.({ track: held.track, stretch: id, start, stop, phase: "cancel" });
    } else if (held.kind === "loop") events.onloop?.(held.origin);
    else if (held.kind === "length") events.onlength?.(held.origin, "cancel");
    else events.onseek?.(held.origin, "cancel");
  }

  /** Two clicks: a stretch is selected and looped, a loop is taken away. */
  doubleClick(pointer: Pointer): void {
    const world = this.world();
    const events = this.events();
    if (pointer.region === "loop") events.onloop?.(null);
    const track = trackOf(world.tracks, pointer.track);
    if (pointer.region !== "lanes" || !track) return;
    const stretch = stretchAt(track.stretches, toTime(world.scale, pointer.x));
    if (!stretch) return;
    events.onselect?.(track.id, stretch.id);
    events.onloop?.([stretch.start, stretch.stop]);
  }

  private choose(pointer: Pointer, world: World): Gesture {
    const from = pointer.x;
    const common = { from, isMoving: false, snap: null };
    if (pointer.region === "end") {
      return { kind: "length", origin: world.length, seconds: world.length, ...common };
    }
    if (pointer.region === "loop") {
      const anchor = clamp(toTime(world.scale, from), world.length);
      return { kind: "loop", part: loopPart(pointer, world), origin: world.loop, anchor, range: world.loop, ...common };
    }
    const track = pointer.region === "lanes" ? trackOf(world.tracks, pointer.track) : null;
    if (!track) return { kind: "scrub", press: null, origin: world.time, from, isMoving: true };
    if (track.id !== world.chosen) this.events().ontrack?.(track.id);
    const action = actionAt(pointer, world);
    if (action.kind === "edge") return this.takeHold(track, action.hit, pointer, world);
    if (action.kind === "paint") {
      const anchor = clamp(toTime(world.scale, from), world.length);
      const base = track.stretches.map((stretch) => ({ ...stretch }));
      return { kind: "paint", track: track.id, base, tool: action.tool, anchor, start: anchor, stop: anchor, ...common };
    }
    const press = { track: track.id, stretch: action.stretch };
    return { kind: "scrub", press, origin: world.time, from, isMoving: false };
  }

  private takeHold(track: Track, hit: Hit, pointer: Pointer, world: World): Gesture {
    const stretch = { ...hit.stretch };
    const held = hit.part === "stop" ? stretch.stop : stretch.start;
    return {
      kind: "edge",
      track: track.id,
      to: track.id,
      base: track.stretches.map((each) => ({ ...each })),
      stretch,
      part: hit.part,
      grab: toTime(world.scale, pointer.x) - held,
      room: roomOf(track.stretches, stretch.id, world.length),
      start: stretch.start,
      stop: stretch.stop,
      from: pointer.x,
      isMoving: false,
      snap: null,
    };
  }

  private scrub(pointer: Pointer, phase: "move" | "end"): void {
    const world = this.world();
    const time = toTime(world.scale, pointer.x);
    this.events().onseek?.(clamp(isSnapping(pointer, world) ? toFrame(time, world.fps) : time, world.length), phase);
  }

  private stroke(held: Gesture & { kind: "paint" }, pointer: Pointer, phase: "move"): void {
    const world = this.world();
    const here = this.snapped(clamp(toTime(world.scale, pointer.x), world.length), pointer, world);
    const anchor = this.snapped(held.anchor, pointer, world).time;
    held.snap = here;
    held.start = clamp(Math.min(anchor, here.time), world.length);
    held.stop = clamp(Math.max(anchor, here.time), world.length);
    this.events().onpaint?.({ track: held.track, start: held.start, stop: held.stop, tool: held.tool, phase });
  }

  private drag(held: Gesture & { kind: "edge" }, pointer: Pointer): void {
    const world = this.world();
    const time = toTime(world.scale, pointer.x) - held.grab;
    const { perSecond } = world.scale;
    if (held.part === "body") {
      const stop = time + held.stretch.stop - held.stretch.start;
      held.to = targetOf(held, pointer, world);
      held.snap = snapMove(time, stop, this.points, perSecond, world.fps, isSnapping(pointer, world));
      [held.start, held.stop] = dragStretch(held.stretch, held.snap.time, held.to === held.track ? held.room : [0, world.length]);
    } else {
      held.snap = this.snapped(time, pointer, world);
      [held.start, held.stop] = dragEdge(held.stretch, held.part, held.snap.time, held.room, 1 / world.fps);
    }
    this.events().onedge?.(edgeOf(held, "move"));
  }

  private dragLoop(held: Gesture & { kind: "loop" }, pointer: Pointer): void {
    const world = this.world();
    const time = clamp(toTime(world.scale, pointer.x), world.length);
    const frame = 1 / world.fps;
    if (held.part === "body" && held.origin) {
      const seconds = held.origin[1] - held.origin[0];
      const start = held.origin[0] + time - held.anchor;
      held.snap = snapMove(start, start + seconds, this.points, world.scale.perSecond, world.fps, isSnapping(pointer, world));
      const at = Math.max(0, Math.min(held.snap.time, world.length - seconds));
      held.range = [at, at + seconds];
    } else {
      held.snap = this.snapped(time, pointer, world);
      const fixed = this.fixedLoopEnd(held, pointer, world);
      const range: [number, number] = [Math.min(fixed, held.snap.time), Math.max(fixed, held.snap.time)];
      held.range = range[1] - range[0] < frame / 2 ? held.range : [clamp(range[0], world.length), clamp(range[1], world.length)];
    }
    this.events().onloop?.(held.range);
  }

  private fixedLoopEnd(held: Gesture & { kind: "loop" }, pointer: Pointer, world: World): number {
    if (held.part === "start" && held.origin) return held.origin[1];
    if (held.part === "stop" && held.origin) return held.origin[0];
    return this.snapped(held.anchor, pointer, world).time;
  }

  private dragLength(held: Gesture & { kind: "length" }, pointer: Pointer): void {
    const world = this.world();
    const grabbed = toTime(world.scale, pointer.x) - (toTime(world.scale, held.from) - held.origin);
    held.snap = this.snapped(grabbed, pointer, world);
    held.seconds = Math.max(1 / world.fps, held.snap.time);
    this.events().onlength?.(held.seconds, "move");
  }

  private snapped(time: number, pointer: Pointer, world: World): Snap {
    return snap(time, this.points, world.scale.perSecond, world.fps, isSnapping(pointer, world));
  }

  /** A playhead that runs is no place to snap to. */
  private forgetMovingPlayhead(): void {
    if (this.playhead === null || this.world().time === this.playhead || this.current?.kind === "scrub") return;
    this.playhead = null;
    this.points = this.points.filter((point) => point.kind !== "playhead");
  }

  private click(held: Gesture, pointer: Pointer): void {
    const events = this.events();
    const world = this.world();
    const time = clamp(toTime(world.scale, pointer.x), world.length);
    if (held.kind === "scrub" && held.press) {
      events.onselect?.(held.press.track, held.press.stretch);
      if (!held.press.stretch) this.scrub(pointer, "end");
    } else if (held.kind === "edge") events.onselect?.(held.track, held.stretch.id);
    else if (held.kind === "paint") {
      const stretch = stretchAt(held.base, time);
      if (stretch && held.tool === "erase") {
        const { start, stop } = stretch;
        events.onpaint?.({ track: held.track, start, stop, tool: "erase", phase: "end" });
      } else events.onselect?.(held.track, stretch?.id ?? null);
    }
  }
}

/** The track that a dragged stretch would go to: its own, unless it is over one that takes it. */
function targetOf(held: Gesture & { kind: "edge" }, pointer: Pointer, world: World): string {
  const [own, over] = [trackOf(world.tracks, held.track), trackOf(world.tracks, pointer.over ?? null)];
  return held.part === "body" && own?.exchange && over?.exchange === own.exchange ? over.id : held.track;
}

function edgeOf(held: Gesture & { kind: "edge" }, phase: "move" | "end"): EdgeGesture {
  const { start, stop, track, stretch, to } = held;
  return { track, stretch: stretch.id, start, stop, phase, ...(to === track ? {} : { to }) };
}

function clamp(time: number, length: number): number {
  return Math.max(0, Math.min(length, time));
}
