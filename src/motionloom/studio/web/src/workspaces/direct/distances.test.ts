// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import type * as T from "../../api/types";
import { askedAt, withDistance } from "./distances";
import { pairNames } from "./pair_names.svelte";
import { distanceName } from "./demands";

vi.mock("../method/limits", () => ({ requestField: () => ({ initial: () => ({ at: null, from: null, to: null, name: "", hard: false, within: null }) }), limitsOf: () => ({}) }));

const WIDTH = { joint: "left", other: "right" };
const HEIGHT = { joint: "up", other: "down" };
const set = (distances: T.Distance[], metres: number, span: [number, number], pair = WIDTH): T.Distance[] => withDistance(distances, pair, metres, span, 60, 120)[0];

describe("a distance that is set", () => {
  it("holds exactly at its frame, and is changed there when it is set again, whichever marker is named first", () => {
    const once = set([], 0.0512345, [30, 30]);
    expect(once).toMatchObject([{ joint: "left", other: "right", at: "30f", metres: 0.05123, hard: true }]);
    const again = withDistance(once, { joint: "right", other: "left" }, 0.06, [30, 30], 60, 120);
    expect(again).toMatchObject([[{ joint: "left", at: "30f", metres: 0.06 }], 0]);
  });

  it("takes the place of a way of distances that was asked over the same range", () => {
    const way = [{ ...set([], 0.03, [30, 60])[0], metres: null, path: [0.03, 0.05] }];
    expect(set(way, 0.04, [30, 60])).toMatchObject([{ from: "30f", to: "60f", metres: 0.04, path: null, like: null }]);
  });

  it("is another one at another frame, over a range, or of other markers", () => {
    const all = set(set(set(set([], 0.05, [30, 30]), 0.04, [31, 31]), 0.03, [30, 60]), 0.02, [30, 30], HEIGHT);
    expect(all.map(({ at, from, to, metres }) => [at ?? `${from} to ${to}`, metres])).toEqual([["30f", 0.05], ["31f", 0.04], ["30f to 60f", 0.03], ["30f", 0.02]]); // prettier-ignore
    expect([askedAt(all, WIDTH, [30, 60], 60, 120), askedAt(all, HEIGHT, [30, 30], 60, 120), askedAt(all, HEIGHT, [31, 31], 60, 120)]).toEqual([2, 3, -1]);
  });

  it("is called what people call it", () => {
    expect(distanceName({ joint: "left_corner", other: "right_corner" })).toBe("left corner to right corner");
    pairNames.known = [{ name: "mouth width", ...WIDTH, least: 0, most: 1 }];
    expect([distanceName(WIDTH), distanceName({ joint: "right", other: "left" })]).toEqual(["mouth width", "mouth width"]);
  });
});
