import { describe, expect, it } from "vitest";
import { Random } from "../../testing/random";
import { REACH, snap, snapMove, snapPoints, type SnapSources } from "./snapping";
import type { Track } from "./types";

const track: Track = {
  id: "walk",
  name: "walk",
  colour: "",
  paintable: true,
  stretches: [
    { id: "a", start: 1.23, stop: 2.34, kind: "must" },
    { id: "b", start: 4.5, stop: 5.01, kind: "must" },
  ],
};
const sources: SnapSources = { tracks: [track], playhead: 3.333, loop: [6.1, 7.2], length: 10 };
const points = snapPoints(sources);

describe("snapping", () => {
  it("goes to what is near: edges, playhead, loop, bounds, seconds", () => {
    const near = (time: number) => snap(time, points, 100, 30, true);
    expect(near(1.25)).toEqual({ time: 1.23, kind: "edge" });
    expect(near(3.3)).toEqual({ time: 3.333, kind: "playhead" });
    expect(near(7.24)).toEqual({ time: 7.2, kind: "loop" });
    expect(near(0.03)).toEqual({ time: 0, kind: "bound" });
    expect(near(8.04)).toEqual({ time: 8, kind: "second" });
    expect(near(8.51)).toEqual({ time: 255 / 30, kind: "frame" });
  });

  it("does nothing with Shift", () => {
    expect(snap(1.2301, points, 100, 30, false)).toEqual({ time: 1.2301, kind: "none" });
  });

  it("leaves out what is being dragged", () => {
    const others = snapPoints({ ...sources, without: "a", withoutTrack: "walk" });
    expect(others.some((point) => point.time === 1.23)).toBe(false);
    expect(others.some((point) => point.time === 4.5)).toBe(true);
  });

  it("moves at most its reach or half a frame, and lands on the nearest point for good", () => {
    const random = new Random(12);
    for (let trial = 0; trial < 1000; trial++) {
      const perSecond = random.between(5, 3000);
      const fps = random.pick([24, 30, 120]);
      const time = random.between(0, 10);
      const found = snap(time, points, perSecond, fps, true);
      expect(Math.abs(found.time - time)).toBeLessThanOrEqual(Math.max(REACH / perSecond, 0.5 / fps) + 1e-9);
      const nearest = Math.min(...points.map((point) => Math.abs(point.time - time)));
      if (nearest * perSecond <= REACH) expect(Math.abs(found.time - time)).toBeCloseTo(nearest, 9);
      const isPoint = found.kind !== "frame" && found.kind !== "second";
      if (isPoint) expect(snap(found.time, points, perSecond, fps, true).time).toBe(found.time);
    }
  });

  it("of a moved stretch looks at both of its ends and keeps its length", () => {
    expect(snapMove(3.5, 4.52, points, 100, 30, true).time).toBeCloseTo(3.48, 9);
    expect(snapMove(2.36, 3.0, points, 100, 30, true)).toEqual({ time: 2.34, kind: "edge" });
  });
});
