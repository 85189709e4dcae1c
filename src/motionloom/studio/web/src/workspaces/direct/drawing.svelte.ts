/** Paths that are drawn: over the ground for the root, through the air for a joint. */

import { editDirect } from "../../commands/edit_direct";
import { stage } from "../../stage.svelte";
import { notify, studio } from "../../state.svelte";
import type { DragPhase, Pen, Trail } from "../../view3d/types";
import { idOf, newEntry, words } from "./demands";
import { directState } from "./direct.svelte";
import { APART, atEvenTimes, FINE, FINE_ON_FACE, atEvenWays, lengthOf, type Place } from "./strokes";
import { atFrame } from "./times";

const PACE = 1.2; // metres per second of a walk, where nothing says how long the motion is
const SHORTEST = 0.3; // seconds that a drawn path takes
const LOOSE = 0.05; // metres that the root usually is beside a line drawn by hand
const NEAR = { body: 0.02, points: 0.001 }; // and a joint, or a marker, beside one in the air
const HEIGHT = 0.015; // metres above the ground

/** The stroke under way, as a line in the view. */
let stroke = $state.raw<Place[]>([]);

export const drawn = (): Place[] => stroke;

/** What a drag draws on now; null where it draws nothing. */
export function pen(): Pen | null {
  const { mode, joint } = directState;
  if (mode === "ground") return { on: "ground" };
  if (mode !== "air") return null;
  const through = joint === null ? null : stage.placeOf(joint);
  return through === null ? null : { on: "air", through };
}

export function onStroke(points: Place[], seconds: number[], phase: DragPhase): void {
  if (phase === "start") {
    stage.player.pause();
    directState.search.cancel();
  }
  stroke = phase === "move" || phase === "start" ? [...points] : [];
  if (phase !== "end") return;
  if (lengthOf(points) < (directState.mode === "ground" ? APART : fine())) return void notify("info", "That was too short for a path; draw a longer line");
  if (directState.mode === "ground") void drawRoot(points);
  else void drawJoint(points, seconds);
}

const fine = (): number => (directState.isPoints ? FINE_ON_FACE : FINE);

/** The whole motion, or the loop range, goes along a line on the ground. */
async function drawRoot(points: Place[]): Promise<void> {
  const { request, fps, frames } = directState;
  const path = atEvenWays(points).map(([x, , z]) => [round(x), round(z)] as [number, number]);
  const isNew = frames === 0 || (request.length == null && request.start_from == null && request.root.length === 0 && directState.isBlank);
  const length = isNew ? Math.round((lengthOf(points) / PACE) * fps) + 1 : frames;
  const [from, to] = studio.loop !== null && !isNew ? loopFrames(fps, length) : [0, length - 1];
  const isOver = (each: { path?: unknown }): boolean => each.path != null;
  const root = [...request.root.filter((each) => !isOver(each)), newEntry("root", { path, from: atFrame(from), to: atFrame(to), within: LOOSE })];
  directState.selected = idOf({ list: "root", index: root.length - 1 });
  await editDirect({ changes: { root, ...(isNew ? { length: atFrame(length) } : {}) }, what: "Draw a path on the ground" });
  directState.mode = "drag";
}

/**
 * A joint goes along a line in the air, as fast as it was drawn, or within the loop range. The line is drawn beside a body
 * that stands still; as that goes on its way, the line goes along with its hips, or with the middle of a face.
 */
async function drawJoint(points: Place[], seconds: number[]): Promise<void> {
  const { request, fps, frames, joint, frame } = directState;
  if (joint === null) return;
  const lasting = Math.max(SHORTEST, seconds[seconds.length - 1] ?? 0);
  const [from, to] = studio.loop !== null ? loopFrames(fps, frames) : [frame, Math.min(frames - 1, frame + Math.round(lasting * fps))];
  if (to - from < 2) return void notify("info", "There is no time left for a path; go back in time, or make the motion longer");
  const drawnNow = atEvenTimes(points, seconds, fine());
  const carriers = drawnNow.map((_, n) => carrierAt((from + ((to - from) * n) / (drawnNow.length - 1)) / fps));
  const now = carrierAt();
  const path = drawnNow.map((place, n) => place.map((metres, axis) => round(metres + carriers[n][axis] - now[axis])) as Place);
  const point = newEntry("points", { joint, path, from: atFrame(from), to: atFrame(to), within: NEAR[directState.kind] });
  directState.selected = idOf({ list: "points", index: request.points.length });
  await editDirect({ changes: { points: [...request.points, point] }, what: `Draw a path for ${words(joint)}` });
  directState.mode = "drag";
}

/** What carries the joint that is drawn with: hips over the ground, or the whole face. */
function carrierAt(seconds?: number): Place {
  if (directState.isPoints) return stage.middle(seconds) ?? [0, 0, 0];
  const [x, , z] = stage.placeOf("hips", seconds) ?? [0, 0, 0];
  return [x, 0, z];
}

function loopFrames(fps: number, frames: number): [number, number] {
  const [start, stop] = studio.loop ?? [0, frames / fps];
  return [Math.round(start * fps), Math.min(frames - 1, Math.round(stop * fps))];
}

/** The paths that are asked for, as lines in the view; the one that is drawn now is the brightest. */
export function trails(): Trail[] {
  const { request, selected } = directState;
  const least = directState.isPoints ? -Infinity : HEIGHT;
  const lines = [
    ...request.root.map((each, index) => ({ id: idOf({ list: "root", index }), path: each.path?.map(([x, z]): Place => [x, HEIGHT, z]) })),
    ...request.points.map((each, index) => ({ id: idOf({ list: "points", index }), path: each.path })),
  ];
  const shown = lines.flatMap(({ id, path }) => (path == null ? [] : [line(id, path, id === selected)]));
  return stroke.length < 2 ? shown : [...shown, line("stroke", stroke.map(([x, y, z]): Place => [x, Math.max(y, least), z]), true)];
}

function line(id: string, path: readonly (readonly number[])[], isBright: boolean): Trail {
  const points = new Float32Array(path.flat());
  return { id, joint: "", points, current: isBright ? path.length + 1e6 : -1, colour: "var(--view-accent)" };
}

const round = (value: number): number => Number(value.toFixed(directState.isPoints ? 5 : 3)); // metres
