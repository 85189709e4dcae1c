/** Pins: places in the air where joints have to be. Dragging a joint sets one; a pin is dragged like any target. */

import type * as T from "../../api/types";
import { editDirect, editDirectChange } from "../../commands/edit_direct";
import { stage } from "../../stage.svelte";
import { notify, studio } from "../../state.svelte";
import { type DragPhase, jointOfTarget, type Target } from "../../view3d/types";
import { entryOf, idOf, newEntry, words } from "./demands";
import { directState } from "./direct.svelte";
import { atFrame, clockText, isMoment, spanOf } from "./times";

type Place = [number, number, number];

const round = (value: number): number => Number(value.toFixed(directState.isPoints ? 5 : 3)); // metres
const rounded = (position: Place): Place => position.map(round) as Place;

/** Pins as targets in the view; the one that is held keeps the name by which it is held. */
export function targets(): Target[] {
  const { request, held, selected, frame, frames, fps } = directState;
  return request.points.flatMap((point, index): Target[] => {
    if (!point.position || point.position.some((metres) => metres === null)) return [];
    const id = idOf({ list: "points", index });
    const [start, stop] = spanOf(point, fps, frames);
    const isNow = frame >= start && frame <= stop;
    const outcome = directState.outcome({ list: "points", index });
    return [
      {
        id: held?.index === index ? held.id : id,
        position: point.position as Place,
        label: isNow ? words(point.joint) : clockText(start, fps),
        selected: selected === id || held?.index === index,
        colour: outcome !== null && !outcome.isMet ? "var(--unmet)" : isNow ? undefined : "var(--text-faint)",
      },
    ];
  });
}

/** A joint or a pin is dragged. */
export function onTarget(id: string, position: Place, phase: DragPhase): void {
  if (phase === "start") return take(id);
  const { held } = directState;
  if (held === null) return;
  if (phase === "cancel") {
    studio.draft = null;
    return letGo();
  }
  const points = movedPoints(id, held.index, rounded(position));
  const args = { changes: { points }, what: `Drag ${words(points[held.index].joint)}` };
  if (phase === "move") {
    studio.draft = editDirectChange(studio.document, args);
    return;
  }
  void editDirect(args).finally(letGo);
}

/** Take hold of a pin, or of a joint that gets one in this frame. */
function take(id: string): void {
  stage.player.pause();
  directState.search.cancel();
  directState.keepGhost();
  const pinned = entryOf(id)?.index ?? pinOf(calledJoint(jointOfTarget(id) ?? ""), directState.frame);
  const index = pinned < 0 ? studio.document.direct.request.points.length : pinned;
  directState.held = { id, index };
  directState.selected = idOf({ list: "points", index });
  const joint = jointOfTarget(id);
  if (joint !== null) directState.joint = calledJoint(joint);
}

function letGo(): void {
  directState.held = null;
  directState.before = null;
}

/** A joint of the skeleton as requests call it. */
const calledJoint = (name: string): string => directState.director?.joints[name] ?? name;

/** The pin of a joint in a frame; -1 where there is none. */
function pinOf(joint: string, frame: number): number {
  const { request, fps, frames } = directState;
  return request.points.findIndex((point) => point.joint === joint && point.position && isMoment(point) && spanOf(point, fps, frames)[0] === frame);
}

function movedPoints(id: string, index: number, position: Place): T.PointTarget[] {
  const { points } = studio.document.direct.request;
  if (index < points.length) return points.map((point, n) => (n === index ? { ...point, position } : point));
  return [...points, newPin(calledJoint(jointOfTarget(id) ?? ""), position)];
}

const newPin = (joint: string, position: Place): T.PointTarget => newEntry("points", { joint, at: atFrame(directState.frame), position, hard: true });

/** Pin the chosen joint where it is now; by keyboard. */
export async function pinHere(): Promise<boolean> {
  const { joint, frame } = directState;
  const position = joint === null ? null : stage.placeOf(joint);
  if (joint === null || position === null) {
    notify("info", directState.isPoints ? "Choose a marker first: click it on the face, or in the list above the view" : "Choose a joint first: click it on the body, or in the list above the view");
    return false;
  }
  const { points } = studio.document.direct.request;
  const known = pinOf(joint, frame);
  directState.selected = idOf({ list: "points", index: known < 0 ? points.length : known });
  if (known >= 0) return true;
  return editDirect({ changes: { points: [...points, newPin(joint, rounded(position))] }, what: `Pin ${words(joint)}` });
}

const STEP = { body: 0.02, points: 0.001 }; // metres that a key moves a pin

/** Move the selected pin as seen from the camera: to the right, up, and away from it. */
export function nudge(right: number, up: number, away: number): boolean {
  const { chosen } = directState;
  const { points } = studio.document.direct.request;
  const point = chosen?.list === "points" ? points[chosen.index] : undefined;
  if (chosen === null || !point?.position) return false;
  const azimuth = stage.view?.azimuth() ?? 0;
  const [c, s] = [Math.cos(azimuth), Math.sin(azimuth)];
  const [x, y, z] = point.position.map((metres) => metres ?? 0);
  const { isPoints, kind } = directState;
  const step = STEP[kind];
  const height = y + up * step;
  const position = rounded([x + (right * c - away * s) * step, isPoints ? height : Math.max(0, height), z - (right * s + away * c) * step]);
  void editDirect({ changes: { points: points.map((each, n) => (n === chosen.index ? { ...each, position } : each)) }, what: `Move ${words(point.joint)}` });
  return true;
}
