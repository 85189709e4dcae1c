// @vitest-environment jsdom
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fit, toPixel } from "./scale";
import Timeline from "./Timeline.svelte";
import Transport from "./Transport.svelte";
import type { EdgeGesture, PaintGesture, Tool, Track } from "./types";

const WIDTH = 1038;
const scale = fit(WIDTH, 10); // 100 pixels per second

function tracksNow(): Track[] {
  return [
    { id: "walk", name: "walk", colour: "", paintable: true, movable: true, stretches: [{ id: "w", start: 2, stop: 4, kind: "must" }] },
    { id: "run", name: "run", colour: "", paintable: true, movable: true, stretches: [] },
  ];
}

let ending: (() => void) | null = null;

beforeEach(() => {
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(WIDTH);
});
afterEach(() => {
  ending?.();
  ending = null;
});

function setUp() {
  const calls = {
    paint: [] as PaintGesture[],
    edge: [] as EdgeGesture[],
    seek: [] as number[],
    loop: [] as ([number, number] | null)[],
    track: [] as string[],
    length: [] as unknown[][],
    drop: [] as [string, number][],
  };
  const props = $state({
    length: 10,
    fps: 30,
    tracks: tracksNow(),
    time: 0,
    loop: null as [number, number] | null,
    tool: "must" as Tool,
    chosen: "walk" as string | null,
    onpaint: (gesture: PaintGesture) => calls.paint.push(gesture),
    onedge: (gesture: EdgeGesture) => calls.edge.push(gesture),
    onseek: (time: number) => calls.seek.push(time),
    onloop: (range: [number, number] | null) => calls.loop.push(range),
    ontrack: (track: string) => calls.track.push(track),
    onlength: (...all: unknown[]) => calls.length.push(all),
    ondrop: (track: string, time: number) => calls.drop.push([track, time]),
  });
  const component = mount(Timeline, { target: document.body, props });
  flushSync();
  ending = () => void unmount(component);
  return { calls, props };
}

function find(id: string): HTMLElement {
  const element = document.querySelector<HTMLElement>(`[data-testid="${id}"]`);
  if (!element) throw new Error(`nothing is called ${id}`);
  return element;
}

function pointer(name: string, on: HTMLElement, time: number, more: PointerEventInit = {}) {
  const { pointerId = 1, pointerType = "mouse", ...mouse } = more;
  const event = new MouseEvent(name, { bubbles: true, cancelable: true, button: 0, clientX: toPixel(scale, time), ...mouse });
  Object.defineProperties(event, { pointerId: { value: pointerId }, pointerType: { value: pointerType } });
  on.dispatchEvent(event);
  flushSync();
}

describe("the timeline on a page", () => {
  it("paints where the pointer is dragged", () => {
    const { calls } = setUp();
    pointer("pointerdown", find("lane-run"), 1);
    pointer("pointermove", find("timeline"), 2);
    expect(find("ghost").className).toContain("must");
    expect(find("reading").textContent).toContain("1.00 – 2.00 s");
    pointer("pointerup", find("timeline"), 3);
    expect(calls.paint.at(-1)).toEqual({ track: "run", start: 1, stop: 3, tool: "must", phase: "end" });
    expect(calls.track).toEqual(["run"]);
    expect(document.querySelector('[data-testid="ghost"]')).toBeNull();
  });

  it("erases with Alt", () => {
    const { calls } = setUp();
    pointer("pointerdown", find("lane-walk"), 3, { altKey: true });
    pointer("pointerup", find("timeline"), 5, { altKey: true });
    expect(calls.paint.at(-1)).toMatchObject({ track: "walk", start: 3, stop: 5, tool: "erase", phase: "end" });
  });

  it("goes on dragging an edge while the time runs and new tracks arrive", () => {
    const { calls, props } = setUp();
    pointer("pointerdown", find("lane-walk"), 4);
    for (let step = 1; step <= 10; step++) {
      props.time = step / 5;
      props.tracks = step % 2 ? tracksNow() : [{ ...tracksNow()[0], stretches: [] }, tracksNow()[1]];
      flushSync();
      pointer("pointermove", find("timeline"), 4 + step / 4);
      expect(calls.edge.at(-1)).toMatchObject({ stretch: "w", start: 2, phase: "move" });
      expect(calls.edge.at(-1)?.stop).toBeCloseTo(4 + step / 4, 1);
    }
    pointer("pointerup", find("timeline"), 6.5);
    expect(calls.edge.at(-1)).toEqual({ track: "walk", stretch: "w", start: 2, stop: 6.5, phase: "end" });
    expect(calls.seek).toEqual([]);
  });

  it("scrubs with every event on the ruler", () => {
    const { calls } = setUp();
    pointer("pointerdown", find("ruler"), 1);
    [2, 3.5, 5].forEach((time) => pointer("pointermove", find("timeline"), time));
    pointer("pointerup", find("timeline"), 5);
    expect(calls.seek).toEqual([1, 2, 3.5, 5, 5]);
    pointer("pointermove", find("timeline"), 8);
    expect(calls.seek).toHaveLength(5);
  });

  it("cancels with Escape", () => {
    const { calls } = setUp();
    pointer("pointerdown", find("lane-run"), 1);
    pointer("pointermove", find("timeline"), 2);
    window.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", cancelable: true }));
    flushSync();
    pointer("pointerup", find("timeline"), 3);
    expect(calls.paint.at(-1)).toMatchObject({ phase: "cancel" });
    expect(calls.paint.some(({ phase }) => phase === "end")).toBe(false);
  });

  it("shows what a click would do before it is done", () => {
    setUp();
    pointer("pointermove", find("lane-walk"), 4);
    expect(find("ghost").className).toContain("edge");
    expect(find("timeline").textContent).toContain("Drag moves this edge");
    pointer("pointermove", find("lane-walk"), 7);
    expect(find("timeline").textContent).toContain("Drag paints must on walk");
    pointer("pointermove", find("lane-walk"), 3, { altKey: true });
    expect(find("ghost").className).toContain("erase");
  });

  it("shows why something was missed, and how good a join is", () => {
    const { props } = setUp();
    const marks: Track["marks"] = [
      { start: 2.5, stop: 4, kind: "missed", title: "no way from crouch to run" },
      { start: 5, stop: 5, kind: "hard_join", title: "feet slide 4 cm" },
    ];
    props.tracks = [{ ...tracksNow()[0], marks }, tracksNow()[1]];
    flushSync();
    pointer("pointermove", find("lane-walk"), 3);
    expect(find("reading").textContent).toContain("no way from crouch to run");
    pointer("pointermove", find("lane-walk"), 5.03);
    expect(find("reading").textContent).toContain("feet slide 4 cm");
    pointer("pointermove", find("lane-walk"), 7);
    expect(find("reading").textContent?.trim()).toBe("7.00 s · frame 210");
  });

  it("loops what is clicked twice, and sets the loop's ends with [ and ]", () => {
    const { calls, props } = setUp();
    for (let click = 0; click < 2; click++) {
      pointer("pointerdown", find("lane-walk"), 3);
      pointer("pointerup", find("timeline"), 3);
    }
    expect(calls.loop).toEqual([[2, 4]]);
    props.time = 5;
    flushSync();
    window.dispatchEvent(new KeyboardEvent("keydown", { key: "]", cancelable: true }));
    expect(calls.loop.at(-1)).toEqual([0, 5]);
  });

  it("takes a second finger for panning, not for paint", () => {
    const { calls } = setUp();
    const touch = { pointerType: "touch" };
    pointer("pointerdown", find("lane-run"), 1, touch);
    pointer("pointermove", find("timeline"), 2, touch);
    pointer("pointerdown", find("lane-run"), 6, { ...touch, pointerId: 2 });
    expect(calls.paint.at(-1)).toMatchObject({ phase: "cancel" });
    pointer("pointermove", find("timeline"), 7, { ...touch, pointerId: 2 });
    pointer("pointerup", find("timeline"), 7, { ...touch, pointerId: 2 });
    pointer("pointerup", find("timeline"), 2, touch);
    expect(calls.paint.some(({ phase }) => phase === "end")).toBe(false);
  });

  it("zooms at the pointer with the wheel: the time under it stays", () => {
    const { calls } = setUp();
    const x = toPixel(scale, 5);
    for (let turn = 0; turn < 5; turn++) {
      find("lane-run").dispatchEvent(new WheelEvent("wheel", { deltaY: -200, clientX: x, bubbles: true, cancelable: true }));
    }
    flushSync();
    pointer("pointerdown", find("ruler"), 5);
    expect(calls.seek.at(-1)).toBeCloseTo(5, 6);
    pointer("pointermove", find("timeline"), 6);
    expect(calls.seek.at(-1)).toBeLessThan(5.5);
  });

  it("lets its end be dragged", () => {
    const { calls } = setUp();
    pointer("pointerdown", find("timeline-end"), 10);
    pointer("pointerup", find("timeline"), 8.5);
    expect(calls.length.at(-1)).toEqual([8.5, "end"]);
  });

  it("has labels for screen readers: every track describes its stretches, the playhead its time", () => {
    const { props } = setUp();
    expect(find("lane-walk").getAttribute("aria-label")).toBe("walk: 1 stretch: must, 2.00 to 4.00 s");
    props.time = 2.5;
    flushSync();
    expect(find("ruler").getAttribute("aria-valuetext")).toBe("2.50 s, frame 75");
  });
});

describe("what is dragged over the timeline", () => {
  function carry(kind: string, type: string): void {
    const event = new MouseEvent(kind, { bubbles: true, cancelable: true, clientX: toPixel(scale, 6) });
    Object.assign(event, { dataTransfer: { types: [type] } });
    find("lane-run").dispatchEvent(event);
    flushSync();
  }

  it("is dropped into the row that accepts it, wherever it is released; files are left to the import", () => {
    const { calls, props } = setUp();
    carry("drop", "x/clip");
    expect(calls.drop).toEqual([["run", expect.closeTo(6, 6)]]);
    props.tracks = [...tracksNow(), { id: "clips", name: "Clips", colour: "", paintable: false, takesDrops: true, stretches: [] }];
    flushSync();
    carry("drop", "Files");
    carry("drop", "x/clip");
    expect(calls.drop.slice(1)).toEqual([["clips", expect.closeTo(6, 6)]]);
  });

  it("leaves no line behind when the drag is cancelled", () => {
    setUp();
    carry("dragover", "x/clip");
    expect(find("lane-run").querySelector("[data-testid=ghost]")).not.toBeNull();
    window.dispatchEvent(new Event("dragend"));
    flushSync();
    expect(find("lane-run").querySelector("[data-testid=ghost]")).toBeNull();
  });
});

describe("the transport", () => {
  it("shows the time and goes to a frame that is typed, within the motion", () => {
    const sought: number[] = [];
    const nothing = () => {};
    const component = mount(Transport, {
      target: document.body,
      props: { time: 3.4, length: 10, fps: 30, playing: false, looping: true, speed: 1, onplay: nothing, onseek: (time: number) => sought.push(time), onlooping: nothing, onspeed: nothing },
    });
    flushSync();
    ending = () => void unmount(component);
    expect(find("clock").textContent).toBe("00:03.4 / 10.0 s");
    const field = find("frame") as HTMLInputElement;
    expect(field.value).toBe("102");
    for (const [typed, frame] of [["60", 60], ["9999", 299], ["-5", 0]] as const) {
      field.value = typed;
      field.dispatchEvent(new Event("change", { bubbles: true }));
      expect(sought.at(-1)! * 30).toBeCloseTo(frame, 6);
    }
    field.value = "soon";
    field.dispatchEvent(new Event("change", { bubbles: true }));
    expect(sought).toHaveLength(3);
    expect(field.value).toBe("102");
  });
});
