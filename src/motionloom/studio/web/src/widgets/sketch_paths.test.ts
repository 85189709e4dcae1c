import { describe, expect, it } from "vitest";

import { linePath, outlinePath } from "./sketch_paths";

describe("the strokes of a sketch", () => {
  it("are lines of their own, and outlines through all places", () => {
    expect(linePath([[0, 0.5, 1, 0.25], [0.1, 0, 0, 0.1]])).toBe("M0 0.5L1 0.25M0.1 0L0 0.1"); // prettier-ignore
    expect(outlinePath([[[0, 0], [1, 0], [0, 0]], [[0.5, 0.5], [0.6, 0.5]]])).toBe("M0 0L1 0L0 0M0.5 0.5L0.6 0.5"); // prettier-ignore
  });

  it("leave out what has nothing to go to", () => {
    expect(outlinePath([[], [[0.5, 0.5]]])).toBe("");
    expect(linePath([])).toBe("");
  });
});
