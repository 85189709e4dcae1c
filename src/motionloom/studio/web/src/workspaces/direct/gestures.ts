/** What is done on the timeline: poses dropped, things moved in time, feet painted, things taken away. */

import type * as T from "../../api/types";
import { editDirect, type EditDirect, editDirectChange } from "../../commands/edit_direct";
import { stage } from "../../stage.svelte";
import { notify, studio } from "../../state.svelte";
import type { EdgeGesture, PaintGesture } from "../../widgets/timeline/types";
import { POSE } from "../poses/carrying";
import { cardOf, nameOf as nameOfPose } from "../poses/poses";
import { nearestFrame } from "../timeline/times";
import { pinTime } from "../timeline/tracks";
import { CLIP } from "../workspace";
import { paintContact, rangeOf } from "./contacts";
import { type Entry, entryOf, idOf, nameOf, newEntry } from "./demands";
import { directState } from "./direct.svelte";
import { jointOfRow, sideOfRow } from "./rows";
import { atFrame, isMoment, movedTo, spanOf } from "./times";

type Phase = "move" | "end" | "cancel";

const asked = (): T.DirectRequest => studio.document.direct.request;
const inFrames = (seconds: number): number => nearestFrame(seconds, asked().fps);

/** Preview the change of a gesture, commit it, or give it up. */
export function follow(phase: Phase, args: EditDirect): void {
  if (phase === "end") void editDirect(args);
  else studio.draft = phase === "cancel" ? null : editDirectChange(studio.document, args);
}

/** The request with one entry changed, or taken away (null). */
export function withEntry<Value>(entry: Entry, change: (value: Value) => Value | null): Partial<T.DirectRequest> {
  const list = asked()[entry.list] as Value[];
  return {
    [entry.list]: list.flatMap((value, n) => {
      const changed = n === entry.index ? change(value) : value;
      return changed === null ? [] : [changed];
    }),
  };
}

export function onPaint({ track, start, stop, tool, phase }: PaintGesture): void {
  const side = sideOfRow(track);
  if (side === null) return;
  const { contacts, fps } = asked();
  const painted = paintContact(contacts, side, [inFrames(start), inFrames(stop)], tool !== "erase", { fps, length: directState.frames });
  follow(phase, { changes: { contacts: painted }, what: tool === "erase" ? `Let the ${side} foot go` : `Rest the ${side} foot` });
}

/** A stretch or one of its edges is dragged. */
export function onEdge({ stretch, start, stop, phase }: EdgeGesture): void {
  const entry = entryOf(stretch);
  if (entry === null || entry.index >= asked()[entry.list].length) return;
  const request = asked();
  const { fps } = request;
  const length = directState.frames;
  const what = `Move ${nameOf(request, entry)}`;
  if (phase === "end") directState.selected = stretch;
  if (entry.list === "contacts") {
    const range = { from: atFrame(inFrames(start)), to: atFrame(Math.max(inFrames(stop), inFrames(start) + 1)) };
    return follow(phase, { changes: withEntry<T.Contact>(entry, (contact) => ({ ...contact, ...range })), what });
  }
  const thing = request[entry.list][entry.index];
  const seconds = length / fps;
  const moment = pinTime(start, stop, seconds);
  const last = Math.max(0, length - 1);
  const to: [number, number] = isMoment(thing) ? [Math.min(last, inFrames(moment)), 0] : [inFrames(start), Math.min(last, inFrames(stop) - 1)];
  follow(phase, { changes: withEntry<T.PointTarget>(entry, (value) => movedTo(value, to, fps, length)), what });
}

export function onSelect(track: string | null, id: string | null): void {
  directState.selected = entryOf(id) === null ? null : id;
  const joint = jointOfRow(track);
  if (joint !== null) directState.joint = joint;
  goTo(entryOf(id));
}

/** Go to the moment of an entry. */
export function goTo(entry: Entry | null): void {
  if (entry === null) return;
  const { request, fps, frames } = directState;
  const [start, stop] = entry.list === "contacts" ? rangeOf(request.contacts[entry.index], fps, frames) : spanOf(request[entry.list][entry.index], fps, frames);
  if (directState.frame < start || directState.frame > stop) stage.seek(start / fps);
}

/** A pose of the palette was dropped on the timeline, or a take: its first frame, or that where its loop range begins. */
export function onDrop(_track: string, seconds: number, data: DataTransfer): void {
  const card = cardOf(directState.poses.cards, Number(data.getData(POSE) || Number.NaN));
  if (card !== null) return addPose(card, inFrames(seconds));
  const clip = data.getData(CLIP);
  if (!clip) return;
  try {
    const { take, start } = JSON.parse(clip) as { take: string; start?: number };
    putPose({ take, frame: start ?? 0 }, inFrames(seconds), take, null);
  } catch {
    notify("warning", "That is no pose; drop a pose or a take");
  }
}

/** Ask for a pose of the palette in a frame, and at a place if one is given. */
export function addPose(card: T.PoseCard, frame: number, place: [number, number] | null = null): void {
  putPose({ take: card.take, frame: card.frame }, frame, nameOfPose(directState.poses.cards, card), place);
}

/** Ask for a frame of a take in a frame of the motion. */
export const putFrame = (pose: T.Frame, frame: number): void => putPose(pose, frame, pose.take, null);

const FIRST = 2; // seconds of a motion that begins with a pose

function putPose(pose: T.Frame, frame: number, what: string, place: [number, number] | null): void {
  const { poses, length } = asked();
  const isFirst = directState.isBlank && length == null;
  const at = atFrame(isFirst ? 0 : Math.min(frame, Math.max(directState.frames - 1, 0)));
  const key: T.KeyPose = newEntry("poses", { at, pose, place: place === null ? null : [round(place[0]), round(place[1])], hard: true });
  const same = poses.findIndex((each) => each.at === at);
  const list = same < 0 ? [...poses, key] : poses.map((each, n) => (n === same ? key : each));
  directState.selected = idOf({ list: "poses", index: same < 0 ? poses.length : same });
  void editDirect({ changes: { poses: list, ...(isFirst ? { length: `${FIRST}s` } : {}) }, what: `Pose ${what}` });
}

/** Take the selected thing away. */
export function eraseSelected(): boolean {
  const { chosen } = directState;
  if (chosen === null) return false;
  directState.selected = null;
  void editDirect({ changes: withEntry(chosen, () => null), what: `Remove ${nameOf(asked(), chosen)}` });
  return true;
}

export function onLength(seconds: number, phase: Phase): void {
  const frames = Math.max(3, inFrames(seconds));
  follow(phase, { changes: { length: atFrame(frames) }, what: "Change the length" });
}

const round = (value: number): number => Number(value.toFixed(3));
