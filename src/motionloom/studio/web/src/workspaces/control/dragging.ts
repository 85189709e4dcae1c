/** Clips that are dragged onto buttons. */

import { assignClip } from "../../commands/assign_clip";
import type { ButtonArgs } from "../../commands/edit_buttons";
import { unassignClip } from "../../commands/unassign_clip";
import { drive } from "./drive.svelte";
import { BUTTONS, type ButtonId } from "./pads";

/** The data type of a dragged clip of the graph. */
export const HUB_CLIP = "application/x-motionloom-hub-clip";

interface Dragged {
  clip: string;
  from?: ButtonId;
}

export function dragClip(event: DragEvent, dragged: Dragged): void {
  event.dataTransfer?.setData(HUB_CLIP, JSON.stringify(dragged));
  event.dataTransfer?.setData("text/plain", dragged.clip);
  if (event.dataTransfer) event.dataTransfer.effectAllowed = "copyMove";
}

export function isClipDrag(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes(HUB_CLIP) ?? false;
}

/** A clip was dropped on a button; an action of several clips adds all of them. */
export function dropOn(event: DragEvent, button: ButtonId): void {
  if (!isClipDrag(event) || !event.dataTransfer) return;
  event.preventDefault();
  const { clip, from } = JSON.parse(event.dataTransfer.getData(HUB_CLIP)) as Dragged;
  putOn(clip, button, from);
}

export function putOn(clip: string, button: ButtonId, from?: ButtonId): void {
  void assignClip({ ...argsOf(button), clip, ...(from === undefined ? {} : { from: argsOf(from) }) });
}

export function takeOff(clip: string, button: ButtonId): void {
  void unassignClip({ ...argsOf(button), clip });
}

/** A button, and what is proposed for it now. */
export function argsOf(button: ButtonId): ButtonArgs {
  const sign = BUTTONS.find((pad) => pad.id === button)?.sign ?? button;
  return { button, sign, proposed: drive.proposed[button] ?? { name: "", clips: [] } };
}
