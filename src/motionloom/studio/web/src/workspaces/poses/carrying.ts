/** A pose that is dragged out of the palette, with the mouse or a finger: over the floor, or onto the timeline. */

import type * as T from "../../api/types";
import { stage } from "../../stage.svelte";

/** What a pose of the palette is dropped on the timeline as; its group. */
export const POSE = "application/x-motionloom-pose";
const STILL = 6; // pixels that a tap may move

/** What a workspace does with a pose while it is carried. */
export interface Bearer {
  overFloor(place: [number, number]): void;
  besideFloor(isOverTimeline: boolean): void;
  dropped(place: [number, number] | null): void; // not onto the timeline, which takes what falls on it
  givenUp(): void;
}

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

/** Begin with a press on a picture; what comes of it is told to the workspace and the component. */
export function carry(event: PointerEvent, card: T.PoseCard, bearer: Bearer, holds: Holds): void {
  if (event.button !== 0) return;
  const tile = event.currentTarget as HTMLElement;
  tile.setPointerCapture(event.pointerId); // at once: a quick hand has left the tile by its first move
  const from = [event.clientX, event.clientY];
  const stop = new AbortController();
  let isCarried = false;

  const end = (): void => {
    stop.abort();
    holds.ended();
  };
  const giveUp = (): void => {
    if (isCarried) bearer.givenUp();
    end();
  };
  const move = (moved: PointerEvent): void => {
    if (moved.pointerId !== event.pointerId) return;
    const { clientX: x, clientY: y } = moved;
    if (!isCarried && Math.hypot(x - from[0], y - from[1]) < STILL) return;
    isCarried = true;
    const place = stage.view?.groundAt(x, y) ?? null;
    if (place !== null) bearer.overFloor(place);
    else bearer.besideFloor(isOverTimeline(x, y));
    overTimeline(isOverTimeline(x, y) ? "dragover" : "dragleave", card, x, y);
    holds.moved({ card, x, y, isOverFloor: place !== null });
  };
  const up = (released: PointerEvent): void => {
    if (released.pointerId !== event.pointerId) return;
    const { clientX: x, clientY: y } = released;
    end();
    if (!isCarried) holds.tapped(card);
    else if (isOverTimeline(x, y)) {
      bearer.besideFloor(true);
      overTimeline("drop", card, x, y);
    } else bearer.dropped(stage.view?.groundAt(x, y) ?? null);
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
