// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { Random } from "../../testing/random";
import type { World } from "./actions";
import { loopWith, timelineActions } from "./keyboard";
import { fit } from "./scale";
import { describeTrack, neighbour } from "./selection";
import type { TimelineEvents, Track } from "./types";

const walk: Track = {
  id: "walk",
  name: "walk",
  colour: "",
  paintable: true,
  movable: true,
  stretches: [
    { id: "b", start: 5, stop: 6, kind: "must_not" },
    { id: "a", start: 1, stop: 2, kind: "must", text: "walk" },
  ],
  marks: [{ start: 5.5, stop: 6, kind: "missed" }],
};

function setUp(changes: Partial<World> = {}) {
  const calls: unknown[][] = [];
  const announcements: string[] = [];
  const world: World = {
    length: 10,
    fps: 30,
    tracks: [walk, { ...walk, id: "run", name: "run", stretches: [] }],
    time: 3,
    loop: null,
    tool: "must",
    chosen: "walk",
    scale: fit(900, 10),
    ...changes,
  };
  const names: (keyof TimelineEvents)[] = ["onpaint", "onedge", "onselect", "onloop", "ontrack"];
  const events = Object.fromEntries(names.map((name) => [name, (...all: unknown[]) => calls.push([name, ...all])]));
  const actions = timelineActions({
    world: () => world,
    events: () => events as TimelineEvents,
    cancel: () => false,
    announce: (sentence) => announcements.push(sentence),
    zoom: () => {},
    reveal: () => {},
  });
  const press = (id: keyof typeof actions, digit: number | null = null) =>
    actions[id]?.({ id, digit }, new KeyboardEvent("keydown"));
  return { world, calls, announcements, press };
}

describe("keys", () => {
  it("reach every stretch and announce what it is", () => {
    const { world, calls, announcements, press } = setUp({ time: 0 });
    press("nextStretch");
    expect(calls.at(-1)).toEqual(["onselect", "walk", "a"]);
    world.tracks = [{ ...walk, stretches: walk.stretches.map((each) => ({ ...each, selected: each.id === "a" })) }];
    press("nextStretch");
    expect(calls.at(-1)).toEqual(["onselect", "walk", "b"]);
    expect(announcements.at(-1)).toBe("walk: must not, 5.00 to 6.00 s, missed");
  });

  it("paint a second, or the loop, on the chosen track", () => {
    const { calls, press, world } = setUp();
    press("paintHere");
    expect(calls.at(-1)?.[1]).toEqual({ track: "walk", start: 3, stop: 4, tool: "must", phase: "end" });
    world.loop = [7, 9];
    press("paintHere");
    expect(calls.at(-1)?.[1]).toMatchObject({ start: 7, stop: 9 });
    world.tool = "select";
    expect(press("paintHere")).toBe(false);
  });

  it("erase and trim what is selected, within its room", () => {
    const stretches = walk.stretches.map((each) => ({ ...each, selected: each.id === "a" }));
    const { calls, press, world } = setUp({ tracks: [{ ...walk, stretches }], time: 7 });
    press("eraseStretch");
    expect(calls.at(-1)?.[1]).toMatchObject({ start: 1, stop: 2, tool: "erase" });
    press("stopHere");
    expect(calls.at(-1)?.[1]).toMatchObject({ stretch: "a", start: 1, stop: 5 });
    world.time = 0.5;
    press("startHere");
    expect(calls.at(-1)?.[1]).toMatchObject({ stretch: "a", start: 0.5, stop: 2 });
  });

  it("choose tracks by number and by going up and down, no further than there are", () => {
    const { calls, press, world } = setUp();
    press("chooseTrack", 2);
    expect(calls.at(-1)).toEqual(["ontrack", "run"]);
    expect(press("chooseTrack", 7)).toBe(false);
    press("trackDown");
    expect(calls.at(-1)).toEqual(["ontrack", "run"]);
    world.chosen = "walk";
    press("trackUp");
    expect(calls.at(-1)).toEqual(["ontrack", "walk"]);
  });
});

describe("the loop by its ends", () => {
  it("is always a range within the timeline", () => {
    const random = new Random(41);
    for (let trial = 0; trial < 500; trial++) {
      const a = random.between(0, 9);
      const loop: [number, number] | null = random.next() < 0.5 ? null : [a, a + random.between(0.1, 10 - a)];
      const [start, stop] = loopWith(loop, random.pick(["start", "stop"] as const), random.between(0, 10), 10, 30);
      expect(start).toBeGreaterThanOrEqual(0);
      expect(stop).toBeLessThanOrEqual(10);
      expect(stop - start).toBeGreaterThanOrEqual(1 / 30 - 1e-9);
    }
    expect(loopWith([2, 8], "start", 3, 10, 30)).toEqual([3, 8]);
    expect(loopWith([2, 8], "start", 9, 10, 30)).toEqual([9, 10]);
    expect(loopWith(null, "stop", 4, 10, 30)).toEqual([0, 4]);
  });
});

describe("the description of a track", () => {
  it("lists its stretches, in order, and only the first of many", () => {
    expect(describeTrack(walk)).toBe("walk: 2 stretches: must walk, 1.00 to 2.00 s; must not, 5.00 to 6.00 s, missed");
    expect(describeTrack({ ...walk, stretches: [] })).toBe("walk: empty, drag to paint");
    const many = Array.from({ length: 20 }, (_, k) => ({ id: `${k}`, start: k, stop: k + 0.5, kind: "plain" as const }));
    expect(describeTrack({ ...walk, stretches: many })).toContain("; and 12 more");
  });

  it("finds the neighbour of the playhead when nothing is selected", () => {
    expect(neighbour(walk, 3, 1)?.id).toBe("b");
    expect(neighbour(walk, 3, -1)?.id).toBe("a");
    expect(neighbour(walk, 9, 1)?.id).toBe("b");
  });
});
