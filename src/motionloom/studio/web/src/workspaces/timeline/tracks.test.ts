import { describe, expect, it } from "vitest";
import { EMPTY } from "../../api/constants";
import type * as T from "../../api/types";
import { makeTimelineAnswer } from "../../testing/answers";
import { detailsOf } from "./details";
import { paintOver } from "./paint";
import { differenceOf } from "./report";
import { askedAt, indexOf, labelMarks, labelOf, type Look, makeTracks, pinOf, pinTime, trackOf, whyAt } from "./tracks";

const REQUEST: T.Request = {
  length: "10s",
  labels: [],
  frames: [{ at: "2s", take: "kick", frame: null, start: 0, stop: 121 }],
  places: [{ at: "end", position: [1, 2], heading: 90, weight: 1 }],
  alpha: 0.11,
  fps: 60,
  takes: null,
  start_from: null,
};
const JOIN: T.PlayedJoin = {
  frame: 90,
  before: "a",
  leave: 10,
  after: "b",
  enter: 20,
  kind: "inertialize",
  seconds: 0.4,
  distance: 1,
  peak: 0.2,
  joint: "Head",
  share_calmer: 0.4,
  is_hard: false,
};
const DETAILS: Partial<T.TimelineDetails> = {
  labels: [
    {
      label: "walk",
      value: "must",
      start: 0,
      stop: 120,
      right: 0.75,
      percent: 90,
      met: false,
      runs: [
        [0, 60, "right"],
        [60, 90, "wrong"],
        [90, 120, "unknown"],
      ],
    },
  ],
  pieces: [{ start: 0, stop: 600, take: "a", take_start: 0, take_stop: 600 }],
  joins: [JOIN],
  reasons: [
    { labels: ["walk"], start: 60, stop: 90, kind: "reach", sentence: "too far", advice: "record it", at_cut: false },
  ],
};
const answer = (details: Partial<T.TimelineDetails> = {}, changes: Partial<T.Answer> = {}): T.Answer =>
  makeTimelineAnswer({ ...DETAILS, ...details }, changes);
const LOOK: Look = { colourOf: () => "red", takeColour: () => "blue", rateOf: () => 120, secondsOf: () => 12.34 };

describe("rows", () => {
  it("show paint, clips, places and the result, each with an id that can be parsed", () => {
    const part = { ...EMPTY.timeline, tracks: ["run"], request: paintOver(REQUEST, "walk", 0, 120, "must") };
    const tracks = makeTracks(part, answer(), "label:walk@0", LOOK);
    expect(tracks.map((track) => track.id)).toEqual(["result", "label:run", "label:walk", "clips", "places"]);
    expect(tracks.map((track) => labelOf(track.id))).toEqual([null, "run", "walk", null, null]);
    expect(tracks[2].stretches).toMatchObject([{ start: 0, stop: 2, kind: "must", selected: true }]);
    expect(tracks[3].stretches).toMatchObject([{ id: "clips@0", start: 2, stop: 2 + 61 / 60 }]);
    expect(indexOf("clips@7")).toBe(7);
    expect(tracks[4].stretches[0].stop).toBeCloseTo(10);
    expect(tracks[0].marks).toMatchObject([{ start: 1.5, kind: "join" }]);
    expect(makeTracks(part, null, null, LOOK)).toHaveLength(4);
    expect(trackOf("a:b@c")).toBe("label:a:b@c");
    expect(labelOf(trackOf("a:b@c"))).toBe("a:b@c");
  });

  it("mark what is missed with its reason, and what is not labelled", () => {
    expect(labelMarks(answer(), "walk")).toMatchObject([
      { start: 1, stop: 1.5, kind: "missed", title: "too far. To help: record it" },
      { start: 1.5, stop: 2, kind: "unknown" },
    ]);
    expect(whyAt(detailsOf(answer()), "run", 60, 90)).toBe(null);
  });

  it("find the clip or place at a frame", () => {
    expect(askedAt(REQUEST, 120, LOOK.rateOf)).toBe("clips@0");
    expect(askedAt(REQUEST, 599, LOOK.rateOf)).toBe("places@0");
    expect(askedAt(REQUEST, 7, LOOK.rateOf)).toBe(null);
  });

  it("show advice at a very hard join", () => {
    const reason = { labels: ["walk"], start: 89, stop: 91, kind: "reach", sentence: "far", advice: "record it", at_cut: true };
    const [result] = makeTracks({ ...EMPTY.timeline, request: REQUEST }, answer({ reasons: [reason] }), null, LOOK);
    expect(result.marks?.[0].title).toContain("To help: record it");
  });

  it("show joins as hard that the report calls so", () => {
    const [result] = makeTracks({ ...EMPTY.timeline, request: REQUEST }, answer({ joins: [JOIN, { ...JOIN, is_hard: true }] }), null, LOOK);
    expect(result.marks?.map((mark) => mark.kind)).toEqual(["join", "hard_join"]);
  });

  it("pin places so that the ends can be reached", () => {
    expect(pinOf(10, 10)[1]).toBe(10);
    expect(pinOf(0, 10)[0]).toBe(0);
    expect(pinTime(...pinOf(10, 10), 10)).toBe(10);
    expect(pinTime(...pinOf(0, 10), 10)).toBe(0);
    expect(pinTime(...pinOf(4, 10), 10)).toBeCloseTo(4);
  });
});

describe("other motions", () => {
  it("describe how they differ from the best", () => {
    const best = answer();
    const other = answer({ joins: [JOIN, JOIN] }, { cost: 9, costs: { labels: 4, cuts: 2, places: 3 }, differs: 0.64 });
    expect(differenceOf(other, best)).toBe("1 join more, 3 wrong frames more, 64 % from elsewhere");
    expect(differenceOf(best, best)).toBe("other frames of the same kind");
  });
});
