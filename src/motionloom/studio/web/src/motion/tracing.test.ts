import { describe, expect, it } from "vitest";

import { FrameStore } from "./frames";
import { tracePoint } from "./tracing";
import type { MotionInfo } from "./types";

const info: MotionInfo = { id: "p", name: "p", kind: "points", fps: 10, frames: 4, floor: 0.5, skeleton: null, points: ["one", "two"] };

describe("the trail of a point", () => {
  it("goes along its frames above the floor, and stands still while it is not seen", () => {
    const store = new FrameStore(info);
    const gap = [Number.NaN, Number.NaN, Number.NaN];
    store.addPoints(0, new Float32Array([9, 9, 9, ...gap, 9, 9, 9, 1, 1, 0, 9, 9, 9, ...gap, 9, 9, 9, 2, 1.5, 0]));
    expect([...tracePoint(store, 1, 0.5).points]).toEqual([1, 0.5, 0, 1, 0.5, 0, 1, 0.5, 0, 2, 1, 0]);
    expect([...tracePoint(store, 0, 0.5).points].slice(0, 3)).toEqual([9, 8.5, 9]);
  });
});
