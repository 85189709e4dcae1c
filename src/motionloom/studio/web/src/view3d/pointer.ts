/** Fingers, mouse and wheel over the view: what is grabbed is dragged, else the camera turns, slides and zooms. */

export interface Grip {
  move(x: number, y: number, isShift: boolean): void;
  end(): void;
  cancel(): void;
}

/** What the view does when something is done to it. Places are pixels from its upper left corner. */
export interface Hands {
  grab(x: number, y: number, isTouch: boolean): Grip | null;
  click(x: number, y: number, isTouch: boolean): void;
  doubleClick(x: number, y: number): void;
  hover(x: number, y: number): void;
  leave(): void;
  orbit(dx: number, dy: number): void;
  pan(dx: number, dy: number): void;
  zoom(factor: number, x: number, y: number): void;
}

interface Finger {
  id: number;
  x: number;
  y: number;
}

const STILL = 4; // pixels that a click may move
const WHEEL_STEP = 0.0014; // how much a pixel of wheel zooms

/** Listen on a canvas; returns the function that stops it. */
export function listen(canvas: HTMLCanvasElement, hands: Hands): () => void {
  const fingers: Finger[] = [];
  let grip: Grip | null = null;
  let slides = false; // a pan instead of an orbit
  let travelled = 0;
  const stop = new AbortController();
  const where = (event: MouseEvent): [number, number] => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };

  const letGo = (isCancelled: boolean): void => {
    const held = grip;
    grip = null;
    if (isCancelled) held?.cancel();
    else held?.end();
    canvas.style.cursor = "";
  };

  const down = (event: PointerEvent): void => {
    if (fingers.length >= 2 || fingers.some((finger) => finger.id === event.pointerId)) return;
    if (fingers.length === 1 && event.pointerType === "mouse") return;
    const [x, y] = where(event);
    fingers.push({ id: event.pointerId, x, y });
    canvas.setPointerCapture?.(event.pointerId);
    canvas.focus({ preventScroll: true });
    if (fingers.length === 2) {
      letGo(true); // the second finger makes it a pinch
      travelled = Infinity;
      return;
    }
    travelled = 0;
    slides = event.button === 1 || event.button === 2;
    if (event.button === 1) event.preventDefault(); // no automatic scrolling
    if (event.button === 0) grip = hands.grab(x, y, event.pointerType !== "mouse");
    canvas.style.cursor = grip === null && event.button === 0 ? "" : "grabbing";
  };

  const move = (event: PointerEvent): void => {
    const [x, y] = where(event);
    const finger = fingers.find((candidate) => candidate.id === event.pointerId);
    if (finger === undefined) {
      if (fingers.length === 0 && event.pointerType === "mouse") hands.hover(x, y);
      return;
    }
    const dx = x - finger.x;
    const dy = y - finger.y;
    if (fingers.length === 2) {
      pinch(fingers, finger, x, y, hands);
    } else {
      const wasStill = travelled < STILL;
      travelled += Math.hypot(dx, dy);
      if (wasStill && travelled < STILL) return; // maybe a click: nothing moves yet, and nothing is lost
      if (grip !== null) grip.move(x, y, event.shiftKey);
      else if (slides) hands.pan(dx, dy);
      else hands.orbit(dx, dy);
    }
    finger.x = x;
    finger.y = y;
  };

  const up = (event: PointerEvent): void => {
    const index = fingers.findIndex((candidate) => candidate.id === event.pointerId);
    if (index < 0) return;
    fingers.splice(index, 1);
    const isCancelled = event.type !== "pointerup";
    const isClick = travelled < STILL && !slides && !isCancelled;
    letGo(isCancelled);
    const [x, y] = where(event);
    if (isClick) hands.click(x, y, event.pointerType !== "mouse");
    if (fingers.length > 0) travelled = Infinity;
  };

  const wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1);
    const pinched = event.ctrlKey ? 6 : 1; // pinching a touchpad comes as a fine wheel with Ctrl
    const [x, y] = where(event);
    hands.zoom(Math.exp(Math.max(-300, Math.min(300, pixels * pinched)) * WHEEL_STEP), x, y);
  };

  const key = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || grip === null) return;
    event.stopPropagation();
    travelled = Infinity;
    letGo(true);
  };

  const { signal } = stop;
  canvas.addEventListener("pointerdown", down, { signal });
  canvas.addEventListener("pointermove", move, { signal });
  canvas.addEventListener("pointerup", up, { signal });
  canvas.addEventListener("pointercancel", up, { signal });
  canvas.addEventListener("lostpointercapture", up, { signal });
  canvas.addEventListener("pointerleave", () => fingers.length === 0 && hands.leave(), { signal });
  canvas.addEventListener("wheel", wheel, { signal, passive: false });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
  canvas.addEventListener("dblclick", (event) => hands.doubleClick(...where(event)), { signal });
  window.addEventListener("keydown", key, { signal, capture: true });
  return () => stop.abort();
}

/** Two fingers: their middle pans, their distance zooms. */
function pinch(fingers: Finger[], moved: Finger, x: number, y: number, hands: Hands): void {
  const other = fingers[0] === moved ? fingers[1] : fingers[0];
  const before = Math.hypot(moved.x - other.x, moved.y - other.y);
  const after = Math.hypot(x - other.x, y - other.y);
  hands.pan((x - moved.x) / 2, (y - moved.y) / 2);
  if (before > 8 && after > 8) hands.zoom(before / after, (x + other.x) / 2, (y + other.y) / 2);
}
