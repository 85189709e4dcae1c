import { describe, expect, it } from "vitest";
import type * as T from "../../api/types";
import { agreementCurve, floorOf, minuteTicks, trialCurve } from "./curve";
import { firstOffer, isDone, nextOffer, nextUnclear, ordered, reasonFor } from "./queue";

const take = (name: string, rank: number | null, confidence: number | null, verified = 0): T.TakeStanding => ({
  name,
  rank,
  confidence,
  verified,
  frames: 100,
  fps: 50,
  unsure: 0,
});
const takes = [take("run/a", 2, 0.6), take("walk/a", 0, 0.9), take("walk/b", 1, 0.7), take("done", null, null, 1)];
const unsure = (name: string, start: number): T.UnsureStretch => ({ take: name, start, stop: start + 10, label: "walk", confidence: 0.6 });
const offer = (name: string): T.TeachingOffer => ({
  take: name,
  start: 0,
  stop: 100,
  fps: 50,
  unsure: 0.6,
  new: 0.9,
  about: ["walk"],
  why: "",
});
const state = (changes: Partial<T.AnnotateState> = {}): T.AnnotateState => ({
  choice: { vocabulary: ["walk"], classifier: "usual", kernel: null, gamma: null },
  words: [],
  labels: [],
  takes,
  seconds: 8,
  verified: 2,
  offers: [offer("walk/a"), offer("walk/b")],
  unsure: [unsure("run/a", 5), unsure("walk/a", 10), unsure("walk/a", 60)],
  looks: [],
  trials: [],
  is_learnt: true,
  usual_gamma: {},
  gammas: [0.001, 1000],
  usual_kernel: "laplace",
  left_out: [],
  ...changes,
});

describe("the order of takes", () => {
  it("begins with what teaches most, or with what is least clear, and ends with what is done", () => {
    expect(ordered(takes, "teaches").map((take) => take.name)).toEqual(["walk/a", "walk/b", "run/a", "done"]);
    expect(ordered(takes, "unsure").map((take) => take.name)).toEqual(["run/a", "walk/b", "walk/a", "done"]);
    expect(ordered(takes, "name").map((take) => take.name)).toEqual(["done", "run/a", "walk/a", "walk/b"]);
  });

  it("holds only what is searched for", () => {
    expect(ordered(takes, "name", "WALK b").map((take) => take.name)).toEqual(["walk/b"]);
  });
});

describe("what comes next", () => {
  it("is the next unclear stretch of this take, then of the takes that teach most", () => {
    expect(nextUnclear(state(), "walk/a", 0)).toEqual({ take: "walk/a", start: 10, stop: 20, fps: 50 });
    expect(nextUnclear(state(), "walk/a", 10)?.start).toBe(60);
    expect(nextUnclear(state(), "walk/a", 60)?.take).toBe("run/a");
    expect(nextUnclear(state(), null, 0)?.take).toBe("walk/a");
  });

  it("comes round to a take with one unclear stretch, and is what is offered where nothing is unclear", () => {
    expect(nextUnclear(state({ unsure: [unsure("run/a", 5)] }), "run/a", 7)?.take).toBe("run/a");
    expect(nextUnclear(state({ unsure: [] }), "run/a", 7)).toMatchObject({ take: "walk/a", start: 0, stop: 100 });
    expect(nextUnclear(state({ unsure: [], offers: [] }), "run/a", 7)).toBeNull();
  });

  it("is another take than the one that was just accepted, where there is one", () => {
    expect(nextOffer(state(), "walk/a")?.take).toBe("walk/b");
    expect(nextOffer(state({ offers: [offer("walk/a")] }), "walk/a")?.take).toBe("walk/a");
    expect(nextOffer(state({ offers: [] }), null)).toBeNull();
  });

  it("is nothing that was just verified", () => {
    const verified = takes.map((take) => (take.name === "walk/a" ? { ...take, verified: 1 } : take));
    expect(firstOffer(state())?.take).toBe("walk/a");
    expect(firstOffer(state({ takes: verified }))?.take).toBe("walk/b");
    expect(firstOffer(state({ takes: verified, offers: [offer("walk/a")] }))).toBeNull();
  });

  it("is nothing when all takes are verified", () => {
    expect(isDone(state())).toBe(false);
    expect(isDone(state({ takes: [take("a", null, null, 1)] }))).toBe(true);
    expect(isDone(state({ takes: [] }))).toBe(false);
  });
});

describe("why something is offered", () => {
  it("is shown in a sentence that names the labels in question", () => {
    expect(reasonFor({ ...offer("a"), why: "nothing is verified yet, and so on" })).toContain("most like all others");
    expect(reasonFor(offer("a"))).toBe("The classifier is very unsure about walk here, and nothing verified looks like it.");
    expect(reasonFor({ ...offer("a"), unsure: 0.1, new: 0.2, about: [] })).toContain("quite sure");
  });
});

describe("the learning curve", () => {
  const look = (verified: number, agreement: number): T.ReviewPoint => ({ verified, agreement, corrections: 0, take: "a" });

  it("averages the last looks", () => {
    const points = agreementCurve([look(0, 0.5), look(60, 1), ...Array.from({ length: 5 }, (_, k) => look(120 + k, 0.9))]);
    expect(points[1]).toEqual({ minutes: 1, share: 0.75 });
    expect(points.at(-1)?.share).toBeCloseTo(0.9);
  });

  it("leaves trials out that have no F1", () => {
    expect(trialCurve([{ verified: 30, agreement: 1, f1: null }, { verified: 60, agreement: 1, f1: 0.5 }])).toEqual([{ minutes: 1, share: 0.5 }]);
  });

  it("has round numbers on its axes", () => {
    expect(minuteTicks(7.5)).toEqual([0, 2, 4, 6]);
    expect(minuteTicks(0)).toEqual([0]);
    expect(minuteTicks(0.4)).toEqual([0, 0.1, 0.2, 0.3, 0.4]);
    expect(floorOf([{ minutes: 1, share: 0.83 }])).toBe(0.8);
    expect(floorOf([])).toBeCloseTo(0.9);
  });
});
