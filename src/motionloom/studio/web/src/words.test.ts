import { describe, expect, it } from "vitest";
import { clock, count, percent } from "./words";

describe("numbers for people", () => {
  it("are written with seconds, minutes and hours", () => {
    expect(clock(3.44)).toBe("3.4 s");
    expect(clock(187)).toBe("3:07 min");
    expect(clock(3725)).toBe("1:02:05 h");
    expect(clock(Number.NaN)).toBe("");
  });
  it("count one thing and many", () => {
    expect(count(1, "take")).toBe("1 take");
    expect(count(10000, "take")).toBe("10,000 takes");
    expect(percent(0.957)).toBe("96 %");
  });
});
