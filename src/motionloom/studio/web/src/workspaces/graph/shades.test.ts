import { describe, expect, it } from "vitest";
import { makeShades, readColour } from "./shades";

describe("shades of distance", () => {
  const shades = makeShades([0, 0, 0], [100, 110, 120], [250, 251, 252], [1, 2, 3]);
  const light = (value: number): number => (shades[value] & 255) + ((shades[value] >> 8) & 255) + ((shades[value] >> 16) & 255);

  it("get paler with every step, from near to far", () => {
    for (let value = 1; value < 255; value++) expect(light(value)).toBeGreaterThanOrEqual(light(value - 1));
    expect(light(0)).toBe(0);
    expect(light(254)).toBe(753);
    expect(light(255)).toBe(6);
  });

  it("are read from the colours of style sheets", () => {
    expect(readColour(" #0d1420")).toEqual([13, 20, 32]);
    expect(readColour("")).toEqual([128, 128, 128]);
  });
});
