import { describe, expect, it } from "vitest";
import { covering, frameAt, inside, LEAST, panBy, shareOf, zoomAt } from "./windows";

const all = { start: 0, stop: 2000 };

describe("what is seen of many frames", () => {
  it("keeps the frame under the pointer where it is, in and out", () => {
    for (const share of [0.1, 0.5, 0.73]) {
      const near = zoomAt(all, share, 4, 2000);
      expect(near.stop - near.start).toBeCloseTo(500);
      expect(shareOf(near, share * 2000)).toBeCloseTo(share);
      const back = zoomAt(near, share, 1 / 4, 2000);
      expect(back.start).toBeCloseTo(0);
      expect(back.stop).toBeCloseTo(2000);
    }
  });

  it("never leaves the frames, nor shows fewer than can be distinguished", () => {
    expect(zoomAt(all, 0.5, 0.1, 2000)).toEqual(all);
    const near = zoomAt(all, 1, 1e9, 2000);
    expect(near.stop - near.start).toBe(LEAST);
    expect(near.stop).toBe(2000);
    expect(panBy(near, 5, 2000)).toEqual(near);
    expect(inside({ start: -50, stop: 10 }, 8)).toEqual({ start: 0, stop: 8 });
  });

  it("knows which frame is where", () => {
    const some = { start: 100, stop: 300 };
    expect(frameAt(some, 0.5, 2000)).toBe(200);
    expect(frameAt(some, 1, 300)).toBe(299);
    expect(shareOf(some, 150)).toBe(0.25);
    expect(panBy(some, 0.5, 2000)).toEqual({ start: 200, stop: 400 });
    expect(covering({ start: 10.4, stop: 20.2 }, 15)).toEqual([10, 15]);
  });
});
