import { describe, expect, it } from "vitest";
import type { Pointer, World } from "./actions";
import { Gestures } from "./gestures";
import { stretchesDuring } from "./preview";
import { fit, toPixel } from "./scale";
import type { TimelineEvents, Track } from "./types";

function trackOf(id: string, more: Partial<Track> = {}): Track {
  return { id, name: id, colour: "", paintable: true, movable: true, stretches: [], ...more };
}

function setUp(changes: Partial<World> = {}) {
  const world: World = {
    length: 10,
    fps: 30,
    tracks: [
      trackOf("walk", { stretches: [{ id: "w", start: 2, stop: 4, kind: "must" }] }),
      trackOf("result", { paintable: false, movable: false, stretches: [{ id: "p", start: 0, stop: 5, kind: "piece" }] }),
    ],
    time: 7.3,
    loop: null,
    tool: "must",
    chosen: "walk",
    scale: fit(1038, 10), // 100 pixels per second
    ...changes,
  };
  const calls: unknown[][] = [];
  const names: (keyof TimelineEvents)[] = ["onpaint", "onedge", "onselect", "onseek", "onloop", "ontrack", "onlength"];
  const events = Object.fromEntries(names.map((name) => [name, (...all: unknown[]) => calls.push([name, ...all])]));
  const gestures = new Gestures(
    () => world,
    () => events as TimelineEvents,
  );
  const at = (time: number, more: Partial<Pointer> = {}): Pointer => ({
    x: toPixel(world.scale, time),
    region: "lanes",
    track: "walk",
    alt: false,
    shift: false,
    touch: false,
    ...more,
  });
  const drag = (times: number[], more: Partial<Pointer> = {}) => {
    gestures.begin(at(times[0], more));
    times.slice(1).forEach((time) => gestures.move(at(time, more)));
    gestures.end(at(times[times.length - 1], more));
  };
  const last = (name: keyof TimelineEvents) => calls.filter(([each]) => each === name).at(-1);
  return { world, calls, gestures, at, drag, last };
}

describe("a stroke", () => {
  it("paints with the chosen tool, in either direction, on frames", () => {
    const { drag, last } = setUp();
    drag([6.512, 5.6, 5.217]);
    const [, gesture] = last("onpaint") as [string, { start: number; stop: number }];
    expect(gesture).toMatchObject({ track: "walk", tool: "must", phase: "end" });
    expect(gesture.start * 30).toBeCloseTo(157, 6);
    expect(gesture.stop * 30).toBeCloseTo(195, 6);
  });

  it("erases with Alt, snaps to edges, and stays exact with Shift", () => {
    const { drag, last } = setUp();
    drag([1, 4.04], { alt: true });
    expect(last("onpaint")?.[1]).toMatchObject({ start: 1, stop: 4, tool: "erase" });
    drag([5.111, 6.222], { shift: true });
    const [, exact] = last("onpaint") as [string, { start: number; stop: number }];
    expect([exact.start, exact.stop]).toEqual([expect.closeTo(5.111, 6), expect.closeTo(6.222, 6)]);
  });

  it("that goes over the end stays within the timeline", () => {
    const { drag, last } = setUp();
    drag([9, 14]);
    expect(last("onpaint")?.[1]).toMatchObject({ start: 9, stop: 10 });
    drag([1, -3]);
    expect(last("onpaint")?.[1]).toMatchObject({ start: 0, stop: 1 });
  });

  it("is undone when it is cancelled", () => {
    const { gestures, at, last, calls } = setUp();
    gestures.begin(at(5));
    gestures.move(at(6));
    gestures.cancel();
    expect(last("onpaint")?.[1]).toMatchObject({ phase: "cancel" });
    gestures.end(at(7));
    expect(calls.filter(([name]) => name === "onpaint")).toHaveLength(2);
  });

  it("does not hold on to a playhead that runs", () => {
    const { world, gestures, at, last } = setUp();
    gestures.begin(at(5));
    gestures.move(at(7.31));
    expect(last("onpaint")?.[1]).toMatchObject({ stop: 7.3 });
    world.time = 7.5;
    gestures.move(at(7.31));
    expect((last("onpaint")?.[1] as { stop: number }).stop).toBeCloseTo(219 / 30, 9);
    gestures.move(at(7.52));
    expect((last("onpaint")?.[1] as { stop: number }).stop).toBeCloseTo(226 / 30, 9);
  });
});

describe("a click", () => {
  it("selects a stretch, or nothing, and paints nothing", () => {
    const { drag, calls, last } = setUp();
    drag([3]);
    expect(last("onselect")).toEqual(["onselect", "walk", "w"]);
    drag([8]);
    expect(last("onselect")).toEqual(["onselect", "walk", null]);
    expect(calls.some(([name]) => name === "onpaint")).toBe(false);
  });

  it("erases the whole stretch with the eraser", () => {
    const { drag, last } = setUp({ tool: "erase" });
    drag([3]);
    expect(last("onpaint")?.[1]).toMatchObject({ start: 2, stop: 4, tool: "erase", phase: "end" });
  });

  it("on another track chooses it", () => {
    const { drag, last } = setUp();
    drag([3], { track: "result" });
    expect(last("ontrack")).toEqual(["ontrack", "result"]);
    expect(last("onselect")).toEqual(["onselect", "result", "p"]);
  });

  it("twice loops a stretch, or takes the loop away", () => {
    const { gestures, at, last } = setUp();
    gestures.doubleClick(at(3));
    expect(last("onselect")).toEqual(["onselect", "walk", "w"]);
    expect(last("onloop")).toEqual(["onloop", [2, 4]]);
    gestures.doubleClick(at(3, { region: "loop", track: null }));
    expect(last("onloop")).toEqual(["onloop", null]);
  });
});

describe("an edge", () => {
  it("is dragged with any tool, and a body with the selecting one", () => {
    const painting = setUp();
    painting.drag([4, 4.9, 5.5]);
    expect(painting.last("onedge")?.[1]).toMatchObject({ stretch: "w", start: 2, stop: 5.5, phase: "end" });
    const selecting = setUp({ tool: "select" });
    selecting.drag([3, 5.507]);
    const [, gesture] = selecting.last("onedge") as [string, { start: number; stop: number }];
    expect(gesture.start).toBeCloseTo(4.5, 6);
    expect(gesture.stop).toBeCloseTo(6.5, 6);
  });

  it("keeps what it took hold of while time runs and other tracks arrive", () => {
    const { world, gestures, at, last } = setUp();
    gestures.begin(at(4));
    gestures.move(at(4.6));
    world.time = 1;
    world.tracks = [trackOf("walk", { stretches: [{ id: "new", start: 0, stop: 9, kind: "must_not" }] })];
    gestures.move(at(5.2));
    expect(last("onedge")?.[1]).toMatchObject({ stretch: "w", start: 2, phase: "move" });
    world.tracks = [];
    gestures.end(at(5.5));
    expect(last("onedge")?.[1]).toMatchObject({ track: "walk", stretch: "w", start: 2, stop: 5.5, phase: "end" });
  });

  it("goes back where it was when cancelled", () => {
    const { gestures, at, last } = setUp();
    gestures.begin(at(4));
    gestures.move(at(6));
    gestures.cancel();
    expect(last("onedge")?.[1]).toMatchObject({ start: 2, stop: 4, phase: "cancel" });
  });
});

describe("scrubbing", () => {
  it("reports every event, on frames, within the timeline", () => {
    const { drag, calls } = setUp();
    drag([1.012, 5.517, 5.518, 12, -4], { region: "ruler", track: null });
    const times = calls.filter(([name]) => name === "onseek").map(([, time]) => time as number);
    expect(times).toHaveLength(6);
    expect(calls.map(([, , phase]) => phase)).toEqual(["move", "move", "move", "move", "move", "end"]);
    expect(times[0]).toBeCloseTo(1, 9);
    expect(times[1] * 30).toBeCloseTo(166, 6);
    expect(Math.max(...times)).toBe(10);
    expect(Math.min(...times)).toBe(0);
  });

  it("works on tracks that cannot be painted, and comes back when cancelled", () => {
    const { gestures, at, last } = setUp();
    gestures.begin(at(1, { track: "result" }));
    gestures.move(at(2, { track: "result" }));
    expect(last("onseek")).toEqual(["onseek", 2, "move"]);
    gestures.cancel();
    expect(last("onseek")).toEqual(["onseek", 7.3, "cancel"]);
  });
});

describe("loop and length", () => {
  const loop = { region: "loop", track: null } as const;

  it("is drawn, dragged by its ends, turned around, and moved", () => {
    const { world, drag, last } = setUp();
    drag([1, 3.02], loop);
    expect(last("onloop")).toEqual(["onloop", [1, 3]]);
    world.loop = [1, 3];
    drag([3, 5.5], loop);
    expect(last("onloop")).toEqual(["onloop", [1, 5.5]]);
    drag([1, 4.6], loop);
    expect((last("onloop")?.[1] as number[])[0]).toBe(3);
    drag([2, 4.5], loop);
    expect(last("onloop")?.[1]).toEqual([expect.closeTo(3.5, 6), expect.closeTo(5.5, 6)]);
  });

  it("of the timeline is dragged by its end, and put back", () => {
    const { gestures, at, drag, last } = setUp();
    drag([10, 12.52], { region: "end", track: null });
    expect(last("onlength")?.[1]).toBeCloseTo(376 / 30, 6);
    expect(last("onlength")?.[2]).toBe("end");
    gestures.begin(at(10, { region: "end" }));
    gestures.move(at(4, { region: "end" }));
    gestures.cancel();
    expect(last("onlength")).toEqual(["onlength", 10, "cancel"]);
  });
});

describe("a stretch", () => {
  const rows = [
    trackOf("walk", { exchange: "labels", stretches: [{ id: "w", start: 2, stop: 4, kind: "must" }] }),
    trackOf("run", { exchange: "labels", stretches: [{ id: "r", start: 3, stop: 5, kind: "must" }] }),
    trackOf("clips", { paintable: false }),
  ];

  it("goes to another row that takes it, even straight down, and covers what is there", () => {
    const { gestures, at, last, world } = setUp({ tracks: rows, tool: "select" });
    gestures.begin(at(3));
    gestures.move(at(3, { over: "run" }));
    expect(gestures.current).toMatchObject({ to: "run", start: 2, stop: 4 });
    expect(stretchesDuring(world.tracks[0], gestures.current)).toEqual([]);
    expect(stretchesDuring(world.tracks[1], gestures.current)).toMatchObject([{ id: "w" }, { start: 4, stop: 5 }]);
    gestures.end(at(3, { over: "run" }));
    expect(last("onedge")?.[1]).toEqual({ track: "walk", stretch: "w", start: 2, stop: 4, to: "run", phase: "end" });
  });

  it("stays in its row over one that does not take it, and by its edges", () => {
    const { gestures, at, last } = setUp({ tracks: rows, tool: "select" });
    gestures.begin(at(3));
    gestures.move(at(3.5, { over: "clips" }));
    gestures.end(at(3.5, { over: "clips" }));
    expect(last("onedge")?.[1]).toEqual({ track: "walk", stretch: "w", start: 2.5, stop: 4.5, phase: "end" });
    gestures.begin(at(4));
    gestures.move(at(6, { over: "run" }));
    gestures.end(at(6, { over: "run" }));
    expect(last("onedge")?.[1]).not.toHaveProperty("to");
  });
});
