import { describe, expect, it } from "vitest";
import type * as T from "../../api/types";
import { paintContact, sideOf } from "./contacts";

const clock = { fps: 60, length: 120 };
const rests = (from: string, to: string, more: Partial<T.Contact> = {}): T.Contact => ({ joint: "left_foot", from, to, place: null, height: null, hard: false, ...more });

describe("painted contacts", () => {
  it("belong to a foot by any point of it", () => {
    expect(["left_foot", "right_heel", "left_ball", "right_hand"].map((joint) => sideOf({ joint }))).toEqual(["left", "right", "left", null]);
  });

  it("grow together with those that they touch", () => {
    expect(paintContact([rests("0f", "30f")], "left", [30, 60], true, clock)).toEqual([rests("0f", "60f")]);
    expect(paintContact([rests("0f", "30f"), rests("50f", "70f")], "left", [20, 50], true, clock)).toEqual([rests("0f", "70f")]);
  });

  it("leave the other foot and hands alone", () => {
    const others = [rests("0f", "60f", { joint: "right_foot" }), rests("0f", "60f", { joint: "left_hand" })];
    expect(paintContact(others, "left", [0, 120], false, clock)).toEqual(others);
    expect(paintContact(others, "left", [10, 20], true, clock)).toEqual([...others, rests("10f", "20f")]);
  });

  it("are cut by the eraser, and what stays keeps its place", () => {
    const placed = rests("0s", "1s", { place: [1, 2] });
    expect(paintContact([placed], "left", [20, 40], false, clock)).toEqual([
      rests("0f", "20f", { place: [1, 2] }),
      rests("40f", "60f", { place: [1, 2] }),
    ]);
    expect(paintContact([placed], "left", [60, 90], true, clock)).toEqual([placed, rests("60f", "90f")]);
  });
});
