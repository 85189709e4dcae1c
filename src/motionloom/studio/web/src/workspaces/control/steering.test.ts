import { describe, expect, it } from "vitest";
import { curvatureOf, reachOf, speedOf } from "./steering";

const clip = (curvature: number, speed = 1.3) => ({ curvature, speed });
const walking = reachOf([clip(-2), clip(-0.4), clip(0.02, 1.6), clip(0.3, 1.1), clip(0.9, 0.8), clip(3.5, 0.5)]);

describe("the stick", () => {
  it("goes straight on in the middle, and takes the sharpest turn at its ends", () => {
    expect(curvatureOf(0, walking)).toBe(0);
    expect(curvatureOf(1, walking)).toBe(3.5);
    expect(curvatureOf(-1, walking)).toBe(-2);
  });

  it("turns sharper the farther it is pushed, without jumps", () => {
    let before = curvatureOf(-1, walking);
    for (let x = -0.99; x <= 1; x += 0.01) {
      const now = curvatureOf(x, walking);
      expect(now).toBeGreaterThanOrEqual(before);
      expect(now - before).toBeLessThan(0.15);
      before = now;
    }
  });

  it("bends the path half way out as people walk round corners, however sharp and however many its turns are", () => {
    for (const most of [2, 3.5, 6]) {
      const many = reachOf([clip(most), ...Array.from({ length: 200 }, (_, n) => clip(n / 2000))]);
      expect(curvatureOf(0.5, many)).toBeCloseTo(0.8);
    }
    expect(curvatureOf(0.5, reachOf([clip(0.6)]))).toBeCloseTo(0.3);
  });

  it("turns even if there are no turning clips: the nearest clip is still found", () => {
    expect(curvatureOf(-0.5, reachOf([clip(0.4)]))).toBeLessThan(0);
  });

  it("treats turning on the spot as a very sharp turn", () => {
    expect(curvatureOf(1, reachOf([clip(400, 0.3)]))).toBe(6);
  });

  it("sets the speed: usual, faster ahead, slower back", () => {
    expect(speedOf(0, 0, walking)).toBe(1.3);
    expect(speedOf(0, 1, walking)).toBe(1.6);
    expect(speedOf(0.4, -1, walking)).toBe(0.5);
  });

  it("stands when it is released, if there are standing clips", () => {
    const reach = reachOf([clip(0, 1.3), clip(0, 0.02)]);
    expect(speedOf(0, 0, reach)).toBe(0);
    expect(speedOf(0, 0.01, reach)).toBeCloseTo(1.3);
  });

  it("has no speed and no curvature without clips", () => {
    const nothing = reachOf([]);
    expect(speedOf(0, 1, nothing)).toBe(0);
    expect(Number.isFinite(curvatureOf(1, nothing))).toBe(true);
  });
});
