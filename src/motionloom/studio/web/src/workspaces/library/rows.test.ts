import { describe, expect, it } from "vitest";
import { mostRows, scrollTo, visibleRows } from "./rows";

describe("rows on the screen", () => {
  it("are few, whatever the length of the list", () => {
    const rows = visibleRows(200_000, 600, 40, 10_000);
    expect(rows.last - rows.first).toBeLessThan(30);
    expect(rows.first).toBeLessThanOrEqual(5000);
    expect(rows.last).toBeGreaterThanOrEqual(5015);
  });

  it("cover every pixel at every place", () => {
    for (let scrolled = 0; scrolled < 4000; scrolled += 37) {
      const { first, last } = visibleRows(scrolled, 500, 40, 120, 0);
      expect(first * 40).toBeLessThanOrEqual(scrolled);
      expect(Math.min(120 * 40, last * 40)).toBeGreaterThanOrEqual(Math.min(120 * 40, scrolled + 500));
    }
  });

  it("are none of an empty list, and stay inside a list that became shorter", () => {
    expect(visibleRows(900, 500, 40, 0)).toEqual({ first: 0, last: 0 });
    const { first, last } = visibleRows(9000, 500, 40, 10);
    expect(first).toBeLessThanOrEqual(last);
    expect(last).toBe(10);
  });

  it("are never more than there are elements for", () => {
    for (let scrolled = 0; scrolled < 3000; scrolled += 7) {
      const { first, last } = visibleRows(scrolled, 431, 42, 5000);
      expect(last - first).toBeLessThanOrEqual(mostRows(431, 42));
    }
  });

  it("scroll as little as needed", () => {
    expect(scrollTo(3, 0, 400, 40)).toBe(0);
    expect(scrollTo(20, 0, 400, 40)).toBe(440);
    expect(scrollTo(2, 400, 400, 40)).toBe(80);
  });
});
