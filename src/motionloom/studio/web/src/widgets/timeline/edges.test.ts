import { describe, expect, it } from "vitest";
import { Random } from "../../testing/random";
import { dragEdge, dragStretch, hitTest, roomOf, stretchAt, stretchesIn } from "./edges";
import { fit, toPixel } from "./scale";
import type { Stretch } from "./types";

const scale = fit(1038, 10); // 100 pixels per second, time 0 at 10
const stretches: Stretch[] = [
  { id: "b", start: 4, stop: 6, kind: "must" },
  { id: "a", start: 1, stop: 2, kind: "must" },
  { id: "c", start: 6, stop: 6.05, kind: "must_not" },
];
const at = (time: number, by = 0) => hitTest(stretches, scale, toPixel(scale, time) + by, true);

describe("what is under the pointer", () => {
  it("is an edge near its border, inside and outside, and a body between", () => {
    expect(at(1, -4)).toMatchObject({ stretch: { id: "a" }, part: "start" });
    expect(at(1, 4)).toMatchObject({ stretch: { id: "a" }, part: "start" });
    expect(at(1.5)).toMatchObject({ stretch: { id: "a" }, part: "body" });
    expect(at(2, 4)).toMatchObject({ stretch: { id: "a" }, part: "stop" });
    expect(at(3)).toBeNull();
  });

  it("belongs to the stretch itself where two meet", () => {
    expect(at(6, -1)).toMatchObject({ stretch: { id: "b" }, part: "stop" });
    expect(at(6, 0.5)).toMatchObject({ stretch: { id: "c" }, part: "start" });
  });

  it("leaves a body to hold even of a short stretch", () => {
    expect(at(6.025)).toMatchObject({ stretch: { id: "c" }, part: "body" });
  });

  it("is a moment wherever its diamond is, however far the timeline is zoomed out", () => {
    const pins: Stretch[] = [3, 3.1].map((time) => ({ id: `${time}`, start: time - 0.005, stop: time + 0.005, kind: "clip", isMoment: true }));
    const hit = (x: number, grip?: number) => hitTest([...stretches, ...pins], scale, x, true, grip);
    expect(hit(toPixel(scale, 3) - 8)).toMatchObject({ stretch: { id: "3" }, part: "body" });
    expect(hit(toPixel(scale, 3) + 6)).toMatchObject({ stretch: { id: "3.1" } }); // the nearer one
    expect(hit(toPixel(scale, 3) - 13)).toBeNull();
    expect(hit(toPixel(scale, 3) - 13, 14)).toMatchObject({ stretch: { id: "3" } }); // a finger is wider
  });

  it("has no edges where none can be moved", () => {
    const x = toPixel(scale, 1) + 1;
    expect(hitTest(stretches, scale, x, false)).toMatchObject({ part: "body" });
    expect(hitTest(stretches, scale, x - 3, false)).toBeNull();
  });

  it("is found as by looking at every stretch", () => {
    const random = new Random(31);
    for (let trial = 0; trial < 300; trial++) {
      const time = random.between(-1, 11);
      const plain = stretches.find((stretch) => stretch.start <= time && time < stretch.stop) ?? null;
      expect(stretchAt(stretches, time)).toBe(plain);
      const stop = time + random.between(0, 4);
      const seen = stretches.filter((stretch) => stretch.stop >= time && stretch.start <= stop).map(({ id }) => id);
      expect(stretchesIn(stretches, time, stop).map(({ id }) => id)).toEqual(expect.arrayContaining(seen));
    }
  });
});

describe("dragging", () => {
  it("stays between the neighbours and keeps at least a frame", () => {
    const random = new Random(32);
    const ordered = [...stretches].sort((a, b) => a.start - b.start);
    for (let trial = 0; trial < 500; trial++) {
      const stretch = random.pick(stretches);
      const room = roomOf(stretches, stretch.id, 10);
      const part = random.pick(["start", "stop"] as const);
      const [start, stop] = dragEdge(stretch, part, random.between(-2, 12), room, 1 / 30);
      expect(stop - start).toBeGreaterThanOrEqual(Math.min(1 / 30, stretch.stop - stretch.start) - 1e-9);
      for (const other of ordered) {
        if (other.id !== stretch.id) expect(start >= other.stop || stop <= other.start).toBe(true);
      }
    }
  });

  it("of the whole keeps its length", () => {
    const room = roomOf(stretches, "a", 10);
    expect(room).toEqual([0, 4]);
    expect(dragStretch(stretches[1], 9, room)).toEqual([3, 4]);
    expect(dragStretch(stretches[1], -9, room)).toEqual([0, 1]);
    expect(dragStretch(stretches[1], 2.5, room)).toEqual([2.5, 3.5]);
  });
});
