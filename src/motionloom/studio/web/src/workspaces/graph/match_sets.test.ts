import { describe, expect, it } from "vitest";
import { countClips, cutAt, previewFrames, snapTo, staircase } from "./match_sets";

const grown = { seed: 50, frames: [50, 400, 120, 300], distances: [0, 0.01, 0.02, 0.04] };
const takes = [
  { name: "a", start: 0, frames: 200, step: 1 },
  { name: "b", start: 200, frames: 300, step: 1 },
  { name: "c", start: 500, frames: 100, step: 1 },
];

describe("match sets while a threshold is dragged", () => {
  it("are what was grown, nearest first, up to the threshold", () => {
    expect(cutAt(grown, 0.02)).toEqual({ frames: [50, 120, 400], mean: 0.01, worst: 0.02 });
    expect(cutAt(grown, 1).frames).toEqual([50, 120, 300, 400]);
    expect(cutAt({ ...grown, frames: [], distances: [] }, 1)).toEqual({ frames: [], mean: 0, worst: 0 });
  });

  it("keep what was added by hand, and leave out what was dropped", () => {
    expect(previewFrames(grown, 0.02, [310], [120])).toEqual([50, 310, 400]);
  });

  it("only gain match frames with a larger threshold, and the curve counts the same", () => {
    const stairs = staircase(grown, 0.03);
    for (const threshold of [0, 0.005, 0.01, 0.015, 0.03]) {
      const below = stairs.filter((corner) => corner.distance <= threshold);
      expect(below.at(-1)?.count).toBe(cutAt(grown, threshold).frames.length);
    }
    expect(stairs.map((corner) => corner.count)).toEqual([...stairs.map((corner) => corner.count)].sort((a, b) => a - b));
  });

  it("cut takes into clips; those that begin or end a take are counted apart", () => {
    expect(countClips(takes, [50, 120, 300])).toEqual({ all: 5, between: 1 });
    expect(countClips(takes, [])).toEqual({ all: 0, between: 0 });
  });

  it("snap to the nearest minimum within reach", () => {
    expect(snapTo([10, 20, 33], 28, 6)).toBe(33);
    expect(snapTo([10, 20, 33], 26, 3)).toBeNull();
  });
});
