import { describe, expect, it } from "vitest";
import { Random } from "../../testing/random";
import { fit, fitRange, follow, limit, pan, pinch, toPixel, toTime, visible, zoomAt, type Scale } from "./scale";

function anyScale(random: Random): { scale: Scale; length: number; fps: number } {
  const length = random.pick([0.5, 10, 42, 450, 3600]);
  const fps = random.pick([24, 30, 59.94, 120]);
  const width = random.between(200, 2400);
  let scale = fit(width, length);
  for (let k = 0; k < 4; k++) scale = zoomAt(scale, random.between(0, width), random.between(0.3, 5), length, fps);
  return { scale, length, fps };
}

describe("time and pixels", () => {
  it("go over into each other and back", () => {
    const random = new Random(1);
    for (let trial = 0; trial < 500; trial++) {
      const { scale, length } = anyScale(random);
      const time = random.between(-1, length + 1);
      expect(toTime(scale, toPixel(scale, time))).toBeCloseTo(time, 8);
    }
  });

  it("show everything when fitted", () => {
    for (const length of [0.2, 10, 3600]) {
      const scale = fit(900, length);
      expect(toPixel(scale, 0)).toBeGreaterThan(0);
      expect(toPixel(scale, length)).toBeLessThan(900);
    }
  });
});

describe("zoom and pan", () => {
  it("keep the time under the pointer, unless the limits forbid it", () => {
    const random = new Random(2);
    for (let trial = 0; trial < 500; trial++) {
      const { scale, length, fps } = anyScale(random);
      const x = random.between(0, scale.width);
      const zoomed = zoomAt(scale, x, random.between(0.5, 2), length, fps);
      const free = { ...zoomed, offset: toTime(scale, x) - x / zoomed.perSecond };
      const isLimited = limit(free, length, fps).offset !== free.offset;
      if (!isLimited) expect(toTime(zoomed, x)).toBeCloseTo(toTime(scale, x), 8);
    }
  });

  it("always show a part of the timeline, and limits hold what they made", () => {
    const random = new Random(3);
    for (let trial = 0; trial < 500; trial++) {
      const { scale, length, fps } = anyScale(random);
      const wild = { ...scale, offset: random.between(-1e4, 1e4), perSecond: random.between(1e-6, 1e6) };
      const limited = limit(wild, length, fps);
      const [first, last] = visible(limited);
      expect(first).toBeLessThan(length);
      expect(last).toBeGreaterThan(0);
      expect(limit(limited, length, fps)).toEqual(limited);
      expect(limited.perSecond / fps).toBeLessThanOrEqual(Math.max(48, limited.width / length / fps) + 1e-9);
    }
  });

  it("bring a pan back", () => {
    const scale = zoomAt(fit(900, 60), 450, 8, 60, 30);
    expect(pan(pan(scale, 120, 60, 30), -120, 60, 30).offset).toBeCloseTo(scale.offset, 9);
  });

  it("follow two fingers", () => {
    const scale = zoomAt(fit(900, 60), 450, 4, 60, 30);
    const pinched = pinch(scale, [300, 500], [250, 650], 60, 30);
    expect(toTime(pinched, 250)).toBeCloseTo(toTime(scale, 300), 6);
    expect(toTime(pinched, 650)).toBeCloseTo(toTime(scale, 500), 6);
  });

  it("show a range with air around it", () => {
    const scale = fitRange(900, [20, 22], 60, 30);
    expect(toPixel(scale, 20)).toBeCloseTo(90, 5);
    expect(toPixel(scale, 22)).toBeCloseTo(810, 5);
  });
});

describe("a playhead that leaves the view", () => {
  const scale = zoomAt(fit(900, 60), 0, 6, 60, 30);
  const [, last] = visible(scale);

  it("scrolls the view", () => {
    const next = follow(scale, last - 0.01, last + 0.01, 60, 30);
    expect(visible(next)[0]).toBeLessThan(last + 0.01);
    expect(visible(next)[0]).toBeGreaterThan(scale.offset);
  });

  it("does not scroll back a view that was moved elsewhere", () => {
    expect(follow(scale, last + 5, last + 5.1, 60, 30)).toBe(scale);
    expect(follow(scale, 1, 1.1, 60, 30)).toBe(scale);
  });
});
