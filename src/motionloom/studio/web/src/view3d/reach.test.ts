import { describe, expect, it } from "vitest";
import { findOpacities } from "./reach";

describe("the shading of what can be reached", () => {
  const reach = { x: 0, z: 0, cell: 0.25, rows: 1, columns: 3, seconds: new Float32Array([1, -1, 4]) };

  it("is the stronger the sooner, and nothing where nothing can be had", () => {
    const [soon, never, late] = findOpacities(reach).slice(6, 9);
    expect(soon).toBeGreaterThan(late);
    expect(late).toBeGreaterThan(0);
    expect(never).toBe(0);
  });

  it("fades out at its rim", () => {
    const found = findOpacities(reach);
    expect(found).toHaveLength(3 * 5);
    expect([...found.slice(0, 6), ...found.slice(9)].every((opacity) => opacity === 0)).toBe(true);
  });
});
