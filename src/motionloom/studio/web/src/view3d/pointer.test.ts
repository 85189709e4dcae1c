// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Clock } from "./clock";
import { Fineness } from "./fineness";
import { listen, type Grip, type Hands } from "./pointer";

let canvas: HTMLCanvasElement;
let calls: string[];
let grip: Grip | null;
let stop: () => void;

beforeEach(() => {
  canvas = document.createElement("canvas");
  document.body.append(canvas);
  calls = [];
  grip = null;
  const hands: Hands = {
    grab: () => grip,
    click: (x, y) => calls.push(`click ${x} ${y}`),
    doubleClick: (x, y) => calls.push(`double ${x} ${y}`),
    hover: (x, y) => calls.push(`hover ${x} ${y}`),
    leave: () => calls.push("leave"),
    orbit: (dx, dy) => calls.push(`orbit ${dx} ${dy}`),
    pan: (dx, dy) => calls.push(`pan ${dx} ${dy}`),
    zoom: (factor) => calls.push(`zoom ${factor < 1 ? "in" : "out"}`),
  };
  stop = listen(canvas, hands);
});

afterEach(() => {
  stop();
  canvas.remove();
});

function send(type: string, x: number, y: number, more: PointerEventInit = {}): void {
  const event = new MouseEvent(type, { clientX: x, clientY: y, bubbles: true, ...more });
  Object.assign(event, { pointerId: more.pointerId ?? 1, pointerType: more.pointerType ?? "mouse" });
  canvas.dispatchEvent(event);
}

function makeGrip(): Grip {
  return {
    move: (x, y, isShift) => calls.push(`move ${x} ${y}${isShift ? " shift" : ""}`),
    end: () => calls.push("end"),
    cancel: () => calls.push("cancel"),
  };
}

describe("the pointer", () => {
  it("turns the camera with the left button and slides it with the middle one", () => {
    send("pointerdown", 10, 10);
    send("pointermove", 30, 15);
    send("pointerup", 30, 15);
    send("pointerdown", 10, 10, { button: 1 });
    send("pointermove", 20, 10);
    send("pointerup", 20, 10, { button: 1 });
    expect(calls).toEqual(["orbit 20 5", "pan 10 0"]);
  });

  it("takes a press that hardly moves for a click", () => {
    send("pointerdown", 10, 10);
    send("pointermove", 11, 11);
    send("pointerup", 11, 11);
    expect(calls).toEqual(["click 11 11"]);
  });

  it("drags what is grabbed and ends where it is let go", () => {
    grip = makeGrip();
    send("pointerdown", 10, 10);
    send("pointermove", 30, 10);
    send("pointermove", 40, 10, { shiftKey: true });
    send("pointerup", 40, 10);
    expect(calls).toEqual(["move 30 10", "move 40 10 shift", "end"]);
  });

  it("cancels a drag with Escape, and does not click afterwards", () => {
    grip = makeGrip();
    send("pointerdown", 10, 10);
    send("pointermove", 30, 10);
    window.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
    send("pointerup", 30, 10);
    expect(calls).toEqual(["move 30 10", "cancel"]);
  });

  it("pans and zooms with two fingers, and the second cancels the drag of the first", () => {
    grip = makeGrip();
    send("pointerdown", 100, 100, { pointerId: 1, pointerType: "touch" });
    send("pointerdown", 200, 100, { pointerId: 2, pointerType: "touch" });
    send("pointermove", 240, 100, { pointerId: 2, pointerType: "touch" });
    send("pointerup", 240, 100, { pointerId: 2, pointerType: "touch" });
    send("pointerup", 100, 100, { pointerId: 1, pointerType: "touch" });
    expect(calls).toEqual(["cancel", "pan 20 0", "zoom in"]);
  });

  it("hovers only while no button is down", () => {
    send("pointermove", 5, 6);
    send("pointerdown", 5, 6);
    send("pointermove", 50, 60);
    expect(calls).toEqual(["hover 5 6", "orbit 45 54"]);
  });

  it("zooms in when the wheel turns away, and ignores events after it stops listening", () => {
    canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: -100 }));
    stop();
    canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: 100 }));
    expect(calls).toEqual(["zoom in"]);
  });
});

describe("drawing", () => {
  it("draws once per frame however often it is requested, and not at all when nothing changes", () => {
    vi.useFakeTimers();
    let drawn = 0;
    const clock = new Clock(() => ++drawn < 3);
    clock.wake();
    clock.wake();
    expect(clock.rests).toBe(false);
    vi.advanceTimersByTime(1000);
    expect(drawn).toBe(3); // it asked for two more itself
    expect(clock.rests).toBe(true);
    vi.advanceTimersByTime(1000);
    expect(clock.statistics().drawn).toBe(3);
    clock.stop();
    clock.wake();
    vi.advanceTimersByTime(1000);
    expect(drawn).toBe(3);
    vi.useRealTimers();
  });

  it("counts the time that slow frames take, so that what moves arrives, but not the time it rested", () => {
    let tick: FrameRequestCallback = () => undefined;
    vi.stubGlobal("requestAnimationFrame", (callback: FrameRequestCallback) => {
      tick = callback;
      return 1;
    });
    const seconds: number[] = [];
    const clock = new Clock((passed) => seconds.push(passed) < 2);
    clock.wake();
    tick(10_000);
    tick(10_900); // a slow frame
    clock.wake();
    tick(15_000); // after a rest
    expect(seconds).toEqual([1 / 60, 0.3, 1 / 60]);
    clock.stop();
    vi.unstubAllGlobals();
  });

  it("gets coarser while a slow machine plays and fine again when it rests", () => {
    vi.useFakeTimers();
    const factors: number[] = [];
    const fineness = new Fineness(() => factors.push(fineness.factor));
    for (let n = 0; n < 20; n++) {
      fineness.note(16);
      vi.advanceTimersByTime(16);
    }
    expect(factors).toEqual([]);
    for (let n = 0; n < 20; n++) {
      fineness.note(80);
      vi.advanceTimersByTime(80);
    }
    expect(factors).toEqual([0.7]);
    vi.advanceTimersByTime(500);
    expect(factors).toEqual([0.7, 1]);
    vi.useRealTimers();
  });
});
