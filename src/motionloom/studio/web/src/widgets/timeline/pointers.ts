/** Mouse, pen and fingers on the timeline: turns their events into gestures, zoom and pan. */

import type { Pointer, Region } from "./actions";
import type { Gestures } from "./gestures";

export interface PointerHost {
  gestures: Gestures;
  left: () => number; // of the lanes, in the window
  width: () => number;
  changed: () => void; // a gesture began, went on or ended
  hover: (pointer: Pointer | null) => void;
  zoom: (x: number, factor: number) => void;
  pan: (x: number, y: number) => void;
  pinch: (from: [number, number], to: [number, number], begins: boolean) => void;
}

const DOUBLE = 400; // milliseconds
const NEAR = 6; // pixels

/** Listens on an element; returns the function that stops it. */
export function listen(root: HTMLElement, host: PointerHost): () => void {
  const fingers = new Map<number, { x: number; y: number }>();
  let held: { id: number; at: Pointer } | null = null;
  let panning: { id: number; x: number; y: number } | null = null;
  let pinching: { from: [number, number]; y: number } | null = null;
  let over: Pointer | null = null;
  let click: { x: number; stamp: number; track: string | null; region: Region } | null = null;
  let edgeTimer = 0;

  function down(event: PointerEvent): void {
    const place = placeOf(event);
    if (!place) return;
    if (event.pointerType === "touch" && beginPinch(event)) return;
    if (event.button === 1) {
      event.preventDefault();
      panning = { id: event.pointerId, x: event.clientX, y: event.clientY };
      capture(event.pointerId);
      return;
    }
    if (event.button !== 0 || held) return;
    capture(event.pointerId);
    held = { id: event.pointerId, at: pointerOf(event, place) };
    host.hover(null);
    host.gestures.begin(held.at);
    host.changed();
  }

  function move(event: PointerEvent): void {
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (pinching) return goOnPinching();
    if (panning?.id === event.pointerId) {
      host.pan(panning.x - event.clientX, panning.y - event.clientY);
      panning = { ...panning, x: event.clientX, y: event.clientY };
      return;
    }
    if (held?.id === event.pointerId) return drag(event);
    if (held || event.pointerType === "touch") return;
    const place = placeOf(event);
    over = place && pointerOf(event, place);
    host.hover(over);
  }

  function drag(event: PointerEvent): void {
    if (!held) return;
    held.at = { ...pointerOf(event, held.at), over: trackUnder(event) };
    host.gestures.move(held.at);
    host.changed();
    const isOutside = held.at.x < 0 || held.at.x > host.width();
    if (isOutside && edgeTimer === 0) edgeTimer = requestAnimationFrame(panAtEdge);
  }

  /** A drag beyond the border scrolls the view. */
  function panAtEdge(): void {
    edgeTimer = 0;
    const beyond = held ? (held.at.x < 0 ? held.at.x : Math.max(0, held.at.x - host.width())) : 0;
    if (!held || beyond === 0) return;
    host.pan(Math.max(-24, Math.min(24, beyond / 4)), 0);
    host.gestures.move(held.at);
    host.changed();
    edgeTimer = requestAnimationFrame(panAtEdge);
  }

  function up(event: PointerEvent): void {
    fingers.delete(event.pointerId);
    if (pinching && fingers.size < 2) pinching = null;
    if (panning?.id === event.pointerId) panning = null;
    if (held?.id !== event.pointerId) return;
    const at = { ...pointerOf(event, held.at), over: held.at.over };
    held = null;
    const wasClick = !host.gestures.current?.isMoving || at.region === "loop";
    host.gestures.end(at);
    countClicks(at, event, wasClick);
    host.changed();
  }

  function countClicks(at: Pointer, event: PointerEvent, wasClick: boolean): void {
    const isSame = click && click.track === at.track && click.region === at.region && Math.abs(click.x - at.x) < NEAR;
    if (wasClick && isSame && event.timeStamp - (click?.stamp ?? 0) < DOUBLE) {
      click = null;
      host.gestures.doubleClick(at);
    } else click = wasClick ? { x: at.x, stamp: event.timeStamp, track: at.track, region: at.region } : null;
  }

  function lost(event: PointerEvent): void {
    fingers.delete(event.pointerId);
    pinching = null;
    panning = null;
    if (held?.id === event.pointerId) letGo();
  }

  function letGo(): void {
    held = null;
    host.gestures.cancel();
    host.changed();
  }

  function beginPinch(event: PointerEvent): boolean {
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size !== 2) return fingers.size > 2;
    if (held) letGo(); // a second finger was meant for panning, not for paint
    const [a, b] = [...fingers.values()];
    pinching = { from: [a.x - host.left(), b.x - host.left()], y: (a.y + b.y) / 2 };
    host.pinch(pinching.from, pinching.from, true);
    return true;
  }

  function goOnPinching(): void {
    const [a, b] = [...fingers.values()];
    if (!pinching || !b) return;
    host.pinch(pinching.from, [a.x - host.left(), b.x - host.left()], false);
    const y = (a.y + b.y) / 2;
    host.pan(0, pinching.y - y);
    pinching.y = y;
  }

  function wheel(event: WheelEvent): void {
    if (!placeOf(event) || (event.altKey && !event.ctrlKey)) return; // Alt: the tracks scroll by themselves
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 18 : event.deltaMode === 2 ? 240 : 1;
    const [x, y] = [event.deltaX * unit, event.deltaY * unit];
    if (!event.ctrlKey && (event.shiftKey || Math.abs(x) > Math.abs(y))) host.pan(x || y, 0);
    else host.zoom(event.clientX - host.left(), Math.exp(-y * (event.ctrlKey ? 0.01 : 0.0016)));
    if (held) {
      host.gestures.move(held.at);
      host.changed();
    } else if (over) host.hover(over);
  }

  /** Alt and Shift count at once, not only when the pointer moves next. */
  function key(event: KeyboardEvent): void {
    if (event.key !== "Alt" && event.key !== "Shift") return;
    const change = { alt: event.altKey, shift: event.shiftKey };
    if (event.key === "Alt" && (over || held)) event.preventDefault(); // some systems open a menu
    if (held) {
      held.at = { ...held.at, shift: change.shift };
      host.gestures.move(held.at);
      host.changed();
    } else if (over) host.hover((over = { ...over, ...change }));
  }

  function leave(): void {
    over = null;
    if (!held) host.hover(null);
  }

  function placeOf(event: MouseEvent): { region: Region; track: string | null } | null {
    const element = event.target instanceof Element ? event.target : null;
    const region = element?.closest<HTMLElement>("[data-region]")?.dataset.region as Region | undefined;
    if (!region) return null;
    return { region, track: element?.closest<HTMLElement>("[data-track]")?.dataset.track ?? null };
  }

  /** The pointer is captured, so the target of its events is not what is under it. */
  function trackUnder(event: PointerEvent): string | null {
    const element = document.elementFromPoint?.(event.clientX, event.clientY);
    return (root.contains(element ?? null) && element?.closest<HTMLElement>("[data-track]")?.dataset.track) || null;
  }

  function pointerOf(event: PointerEvent, place: { region: Region; track: string | null }): Pointer {
    return {
      x: event.clientX - host.left(),
      region: place.region,
      track: place.track,
      alt: event.altKey,
      shift: event.shiftKey,
      touch: event.pointerType === "touch",
    };
  }

  function capture(id: number): void {
    root.setPointerCapture?.(id);
  }

  const events: [keyof HTMLElementEventMap, (event: never) => void][] = [
    ["pointerdown", down],
    ["pointermove", move],
    ["pointerup", up],
    ["pointercancel", lost],
    ["pointerleave", leave],
  ];
  for (const [name, handler] of events) root.addEventListener(name, handler as EventListener);
  root.addEventListener("wheel", wheel, { passive: false });
  window.addEventListener("keydown", key);
  window.addEventListener("keyup", key);
  return () => {
    for (const [name, handler] of events) root.removeEventListener(name, handler as EventListener);
    root.removeEventListener("wheel", wheel);
    window.removeEventListener("keydown", key);
    window.removeEventListener("keyup", key);
    cancelAnimationFrame(edgeTimer);
  };
}
