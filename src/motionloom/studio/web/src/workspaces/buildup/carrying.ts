/** A pose that is dragged out of the palette, with the mouse or a finger: over the floor its ghost follows. */

import type * as T from "../../api/types";
import { stage } from "../../stage.svelte";
import { tryPose } from "./actions";
import { buildupState } from "./buildup.svelte";
import { POSE } from "./editing";

const STILL = 6; // pixels that a tap may move

export interface Carried {
  card: T.PoseCard;
  x: number; // pixels in the window
  y: number;
  isOverFloor: boolean; // its ghost is seen instead of its picture
}

export interface Holds {
  moved(carried: Carried): void;
  tapped(card: T.PoseCard): void;
  ended(): void;
}

/** Begin with a press on a picture; what comes of it is told to the component. */
export function carry(event: PointerEvent, card: T.PoseCard, holds: Holds): void {
  if (event.button !== 0) return;
  const tile = event.currentTarget as HTMLElement;
  tile.setPointerCapture(event.pointerId); // at once: a quick hand has left the tile by its first move
  const from = [event.clientX, event.clientY];
  const before = buildupState.wish;
  const stop = new AbortController();
  let isCarried = false;

  const end = (): void => {
    stop.abort();
    buildupState.isDragged = false;
    holds.ended();
  };
  const giveUp = (): void => {
    if (isCarried && buildupState.wish !== before) buildupState.drop();
    end();
  };
  const move = (moved: PointerEvent): void => {
    if (moved.pointerId !== event.pointerId) return;
    const { clientX: x, clientY: y } = moved;
    if (!isCarried && Math.hypot(x - from[0], y - from[1]) < STILL) return;
    isCarried = true;
    const place = stage.view?.groundAt(x, y) ?? null;
    buildupState.isDragged = place !== null;
    if (place !== null) tryPose(card, place);
    else if (isOverTimeline(x, y) && buildupState.wish !== null) buildupState.drop(); // the row is as long as what is built
    overTimeline(isOverTimeline(x, y) ? "dragover" : "dragleave", card, x, y);
    holds.moved({ card, x, y, isOverFloor: place !== null });
  };
  const up = (released: PointerEvent): void => {
    if (released.pointerId !== event.pointerId) return;
    const { clientX: x, clientY: y } = released;
    end();
    if (!isCarried) holds.tapped(card);
    else if (isOverTimeline(x, y)) overTimeline("drop", card, x, y);
    else if (stage.view?.groundAt(x, y) == null && buildupState.wish !== before) buildupState.drop();
  };
  const { signal } = stop;
  tile.addEventListener("pointermove", move, { signal });
  tile.addEventListener("pointerup", up, { signal });
  tile.addEventListener("pointercancel", giveUp, { signal });
  window.addEventListener(
    "keydown",
    (pressed) => {
      if (pressed.key !== "Escape") return;
      pressed.stopPropagation();
      giveUp();
    },
    { signal, capture: true },
  );
}

const TIMELINE = "[data-testid=timeline]";

const isOverTimeline = (x: number, y: number): boolean => document.elementFromPoint(x, y)?.closest(TIMELINE) != null;

/** The timeline takes what is dropped on it; a finger drops as a mouse does. */
function overTimeline(kind: "dragover" | "dragleave" | "drop", card: T.PoseCard, clientX: number, clientY: number): void {
  const dataTransfer = new DataTransfer();
  dataTransfer.setData(POSE, String(card.group));
  const under = kind === "dragleave" ? document.querySelector(TIMELINE) : document.elementFromPoint(clientX, clientY);
  under?.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, clientX, clientY, dataTransfer }));
}
