import { describe, expect, it } from "vitest";
import { valueAt, valueLabel, yOf } from "./plot";
import { clockTime, frameOf, lengthTime, readTime } from "./times";

const plot = { values: new Float32Array([0, 1, 3, NaN, 2]), low: 0, high: 4, unit: "m/s" };

describe("a curve", () => {
  it("is read between its frames, and has no value where there is none", () => {
    expect(valueAt(plot, 0.5, 1)).toBe(0.5);
    expect(valueAt(plot, 1.5, 1)).toBe(2);
    expect(valueAt(plot, 2.5, 1)).toBeNull();
    expect(valueAt(plot, 4.9, 1)).toBe(2);
    expect(valueAt(plot, -1, 1)).toBeNull();
    expect(valueAt(plot, 6, 1)).toBeNull();
  });

  it("of an angle does not pass through the middle when it wraps", () => {
    const heading = { values: new Float32Array([170, -170]), low: -180, high: 180, unit: "°", wraps: true };
    expect(valueAt(heading, 0.25, 1)).toBe(170);
    expect(valueAt(heading, 0.75, 1)).toBe(-170);
  });

  it("stays in its lane and shows its unit", () => {
    expect(yOf(plot, 99, 50)).toBeGreaterThanOrEqual(0);
    expect(yOf(plot, -99, 50)).toBeLessThanOrEqual(50);
    expect(yOf(plot, 1, 50)).toBeGreaterThan(yOf(plot, 2, 50));
    expect(valueLabel(plot, 1.4249)).toBe("1.42 m/s");
    expect(valueLabel(plot, -0.001)).toBe("0.00 m/s");
  });
});

describe("times", () => {
  it("are written as on a clock", () => {
    expect(clockTime(3.4)).toBe("00:03.4");
    expect(clockTime(59.99)).toBe("00:59.9");
    expect(clockTime(61.2)).toBe("01:01.2");
    expect(clockTime(600)).toBe("10:00.0");
    expect(lengthTime(10)).toBe("10.0 s");
    expect(lengthTime(450)).toBe("7:30.0");
    expect(readTime(2.5)).toBe("2.50 s");
    expect(readTime(123.4)).toBe("2:03.40");
  });

  it("belong to the frame that is shown", () => {
    for (let frame = 0; frame < 3000; frame++) expect(frameOf(frame / 29.97, 29.97)).toBe(frame);
  });
});
