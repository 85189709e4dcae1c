import { describe, expect, it } from "vitest";
import { EMPTY } from "../../api/constants";
import type * as T from "../../api/types";
import { isMoment, lengthAsked, movedTo, spanOf } from "./times";

const request = EMPTY.direct.request;
const point = { joint: "head", position: [0, 1, 0] } as unknown as T.PointTarget;

describe("times of what is asked", () => {
  it("are frames of the motion, the end its last", () => {
    expect(spanOf({ at: "0.5s" }, 60, 120)).toEqual([30, 30]);
    expect(spanOf({ at: ["10f", "end"] }, 60, 120)).toEqual([10, 119]);
    expect(spanOf({ from: "start", to: "2s" }, 60, 120)).toEqual([0, 119]);
  });

  it("say whether something holds at one moment only", () => {
    expect([{ at: "1s" }, { at: ["1s"] }, { at: ["1s", "2s"] }, { from: "1s", to: "2s" }].map(isMoment)).toEqual([true, true, false, false]);
  });

  it("move a moment, a range with its ends, and several moments together", () => {
    expect(movedTo({ ...point, at: "1s" }, [30, 30], 60, 120).at).toBe("30f");
    expect(movedTo({ ...point, from: "0f", to: "30f" }, [10, 50], 60, 120)).toMatchObject({ from: "10f", to: "50f" });
    expect(movedTo({ ...point, from: "0f", to: "30f" }, [10, 10], 60, 120)).toMatchObject({ from: "10f", to: "11f" });
    expect(movedTo({ ...point, at: ["10f", "40f"] }, [100, 130], 60, 120).at).toEqual(["100f", "119f"]);
  });

  it("give the length that is asked for, else the last time that is named", () => {
    expect(lengthAsked(request)).toBe(0);
    expect(lengthAsked({ ...request, length: "3s", points: [{ ...point, at: "1s" }] })).toBe(180);
    expect(lengthAsked({ ...request, points: [{ ...point, at: "1s" }], contacts: [{ joint: "left_foot", from: "0s", to: "1.5s", hard: false }] })).toBe(91);
    expect(lengthAsked({ ...request, points: [{ ...point, at: "end" }] })).toBe(0);
  });

  it("give the length of the take that is opened, until there is an answer", () => {
    const takes = [{ name: "walk", fps: 120, frames: 241 }];
    expect(lengthAsked({ ...request, start_from: "walk" }, takes)).toBe(121);
    expect(lengthAsked({ ...request, start_from: "walk", length: "1s" }, takes)).toBe(60);
    expect(lengthAsked({ ...request, start_from: "gone" }, takes)).toBe(0);
  });
});
