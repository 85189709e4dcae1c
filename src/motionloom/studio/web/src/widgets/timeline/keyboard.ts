/** What the keys of the timeline do: the same as its gestures, without a pointer. */

import type { Actions } from "../../shortcuts";
import type { World } from "./actions";
import { dragEdge, roomOf } from "./edges";
import { describeStretch, neighbour, selectedIn, trackBeside } from "./selection";
import { toFrame } from "./snapping";
import type { TimelineEvents, Track } from "./types";

export interface KeyboardHost {
  world: () => World;
  events: () => TimelineEvents;
  cancel: () => boolean; // true if a gesture was cancelled
  announce: (sentence: string) => void; // to screen readers
  zoom: (factor: number | "fit") => void;
  reveal: (track: string, range: [number, number] | null) => void;
}

export function timelineActions(host: KeyboardHost): Actions {
  return {
    cancel: () => host.cancel(),
    chooseTrack: ({ digit }) => choose(host, host.world().tracks[(digit ?? 1) - 1] ?? null),
    trackUp: () => choose(host, beside(host, -1)),
    trackDown: () => choose(host, beside(host, 1)),
    previousStretch: () => select(host, -1),
    nextStretch: () => select(host, 1),
    eraseStretch: () => eraseSelected(host),
    paintHere: () => paintHere(host),
    startHere: () => moveEdge(host, "start"),
    stopHere: () => moveEdge(host, "stop"),
    loopStart: () => setLoop(host, "start"),
    loopStop: () => setLoop(host, "stop"),
    zoomIn: () => host.zoom(1.5),
    zoomOut: () => host.zoom(1 / 1.5),
    zoomFit: () => host.zoom("fit"),
  };
}

/** One end of the loop at a time; the other stays if it can. */
export function loopWith(
  loop: [number, number] | null,
  end: "start" | "stop",
  time: number,
  length: number,
  fps: number,
): [number, number] {
  const frame = 1 / fps;
  if (end === "start") {
    const start = Math.min(time, Math.max(0, length - frame));
    return [start, loop && loop[1] >= start + frame ? loop[1] : length];
  }
  const stop = Math.max(time, Math.min(frame, length));
  return [loop && loop[0] <= stop - frame ? loop[0] : 0, stop];
}

function beside(host: KeyboardHost, direction: 1 | -1): Track | null {
  const { tracks, chosen } = host.world();
  return trackBeside(tracks, chosen, direction);
}

function choose(host: KeyboardHost, track: Track | null): boolean {
  if (!track || !host.events().ontrack) return false;
  host.events().ontrack?.(track.id);
  host.reveal(track.id, null);
  host.announce(`Track ${track.name}`);
  return true;
}

function select(host: KeyboardHost, direction: 1 | -1): boolean {
  const { tracks, chosen, time } = host.world();
  const track = selectedIn(tracks)?.track ?? tracks.find((each) => each.id === chosen) ?? tracks[0];
  const stretch = track ? neighbour(track, time, direction) : null;
  if (!track || !stretch) return false;
  host.events().onselect?.(track.id, stretch.id);
  host.reveal(track.id, [stretch.start, stretch.stop]);
  host.announce(`${track.name}: ${describeStretch(stretch, track)}`);
  return true;
}

function eraseSelected(host: KeyboardHost): boolean {
  const selected = selectedIn(host.world().tracks);
  if (!selected?.track.paintable) return false;
  const { start, stop } = selected.stretch;
  host.events().onpaint?.({ track: selected.track.id, start, stop, tool: "erase", phase: "end" });
  host.announce("Erased");
  return true;
}

function paintHere(host: KeyboardHost): boolean {
  const { tracks, chosen, tool, loop, time, length, fps } = host.world();
  const track = tracks.find((each) => each.id === chosen);
  if (!track?.paintable || tool === "select") return false;
  const from = toFrame(time, fps);
  const [start, stop] = loop ?? [from, Math.min(length, from + 1)];
  if (stop - start < 0.5 / fps) return false;
  host.events().onpaint?.({ track: track.id, start, stop, tool, phase: "end" });
  host.announce(`${track.name}: ${start.toFixed(2)} to ${stop.toFixed(2)} s`);
  return true;
}

function moveEdge(host: KeyboardHost, part: "start" | "stop"): boolean {
  const { tracks, time, length, fps } = host.world();
  const selected = selectedIn(tracks);
  if (!selected?.track.movable) return false;
  const { track, stretch } = selected;
  const room = roomOf(track.stretches, stretch.id, length);
  const [start, stop] = dragEdge(stretch, part, toFrame(time, fps), room, 1 / fps);
  host.events().onedge?.({ track: track.id, stretch: stretch.id, start, stop, phase: "end" });
  host.announce(describeStretch({ ...stretch, start, stop }));
  return true;
}

function setLoop(host: KeyboardHost, end: "start" | "stop"): boolean {
  const { loop, time, length, fps } = host.world();
  if (!host.events().onloop) return false;
  const range = loopWith(loop, end, toFrame(time, fps), length, fps);
  host.events().onloop?.(range);
  host.announce(`Loop ${range[0].toFixed(2)} to ${range[1].toFixed(2)} s`);
  return true;
}
