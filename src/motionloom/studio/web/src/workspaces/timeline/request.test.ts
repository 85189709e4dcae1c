import { describe, expect, it } from "vitest";
import type * as T from "../../api/types";
import { paintOver } from "./paint";
import {
  clipRange,
  corners,
  forcedClip,
  freeTime,
  isBlank,
  momentText,
  placeFrame,
  reordered,
  rowsOf,
  withoutLabel,
  withPlace,
  withPlaceChanged,
} from "./request";

const EMPTY: T.Request = {
  length: "10s",
  labels: [],
  frames: [],
  places: [],
  alpha: 0.11,
  fps: 60,
  takes: null,
  start_from: null,
};
const beyond: T.BeyondPart = { labels: [], frames: [], places: [] };
const place = (at: string, position: [number, number] | null = [1, 2]): T.Place => ({ at, position, heading: null, weight: 1 });

describe("rows", () => {
  it("are those chosen, then others that are painted", () => {
    const request = paintOver(EMPTY, "jump", 0, 60, "must");
    expect(rowsOf({ tracks: ["walk"], request, beyond })).toEqual(["walk", "jump"]);
    expect(rowsOf(reordered({ tracks: ["walk"], request, beyond }, "jump", "walk"))).toEqual(["jump", "walk"]);
    expect(rowsOf(reordered({ tracks: ["a", "b", "c"], request: EMPTY, beyond }, "a", null))).toEqual(["b", "c", "a"]);
  });

  it("take their paint with them when they go", () => {
    const [jump, walk]: T.Paint[] = ["jump", "walk"].map((label) => ({ label, from: "12s", to: "13s", value: "must" }));
    const part = { tracks: ["jump"], request: paintOver(EMPTY, "jump", 0, 60, "must"), beyond: { ...beyond, labels: [jump, walk] } };
    expect(withoutLabel(part, "jump")).toEqual({ tracks: [], request: EMPTY, beyond: { ...beyond, labels: [walk] } });
    expect([isBlank(part.request), isBlank(EMPTY)]).toEqual([false, true]);
  });
});

describe("forced clips", () => {
  const take = { name: "kick", fps: 120, frames: 400 };
  it("are as long as their take plays, and no longer than there is room for", () => {
    const clip = forcedClip(EMPTY, take, 540, 0, null);
    expect(clip).toEqual({ at: "9s", take: "kick", frame: null, start: 0, stop: 119 });
    expect(clipRange(clip, EMPTY, 120)).toEqual([540, 600]);
    expect(forcedClip(EMPTY, take, 60, 33, 34)).toEqual({ at: "1s", take: "kick", frame: 33, start: null, stop: null });
    expect(clipRange({ ...clip, at: "end" }, EMPTY, 120)).toEqual([540, 600]);
  });

  it("find the nearest time at which nothing else is forced", () => {
    expect(freeTime([], 60, 30, 600)).toBe(30);
    expect(freeTime([[20, 80]], 60, 30, 600)).toBe(80);
    expect(freeTime([[60, 120]], 60, 50, 600)).toBe(0);
    expect(freeTime([[0, 590]], 60, 50, 600)).toBe(null);
  });
});

describe("places", () => {
  it("are at the end when they are in the last frame, and only one at a time", () => {
    expect(momentText(599, EMPTY)).toBe("end");
    expect(momentText(0, EMPTY)).toBe("start");
    expect(momentText(150, EMPTY)).toBe("2.5s");
    expect(placeFrame(place("end"), EMPTY)).toBe(599);
    const first = withPlace(EMPTY, { ...place("2s"), heading: 90 });
    const two = withPlace(first, place("120f", [5, 5]));
    expect(two.places).toEqual([{ at: "2s", position: [5, 5], heading: 90, weight: 1 }]);
    const both = withPlace(two, place("end"));
    expect(withPlaceChanged(both, 1, { at: "2s" })).toBe(both);
    expect(withPlaceChanged(both, 1, { at: "3s" }).places[1].at).toBe("3s");
    expect(withPlaceChanged(both, 1, { position: null })).toBe(both);
  });

  it("are gone through in the order of time, from the middle unless the start is elsewhere", () => {
    const asked = { ...EMPTY, places: [place("end", [3, 4]), place("2s", [1, 0])] };
    expect(corners(asked).map((corner) => corner.at)).toEqual([[0, 0], [1, 0], [3, 4]]);
    expect(corners({ ...asked, places: [place("start", [9, 9])] })).toEqual([{ frame: 0, at: [9, 9] }]);
  });
});
