import { describe, expect, it } from "vitest";
import type * as T from "../../api/types";
import { cardOfPose, nameOf, withNames } from "../poses/poses";
import { builtSeconds, editAt, makeRows, partOf, pendingEditOf, stretchOf } from "./rows";

const card = (group: number, labels: string[] = []): T.PoseCard => ({
  group,
  take: "boxing",
  frame: 10 * group,
  labels,
  seconds: 1,
  root: [0, 1, 0],
  rotations: [],
});
const cards = [card(3), card(1, ["punch_left"]), card(2, ["guard"]), card(0, ["guard"])];
const standing: T.Standing = {
  key: "k",
  steps: [
    { start: 0, stop: 1, place: [0, 0, 0], group: 3, step: null },
    { start: 1, stop: 91, place: [0, 1, 0], group: 1, step: 0 },
    { start: 91, stop: 121, place: [0, 1, 0], group: 2, step: 1 },
  ],
  why_not: ["", "out of reach"],
  edits: [],
  is_whole: true,
  soonest: [],
};
const looks = { fps: 60, cards, pictures: new Map(), selected: "character:0@2" };

describe("the rows of poses", () => {
  it("have a stretch for every step, named by its pose, and none for the first pose alone", () => {
    const [row] = makeRows([{ name: "", standing, edits: [], wish: null }], looks);
    expect(row.stretches.map(({ text, start, stop, selected }) => [text, start, stop, selected])).toEqual([
      ["punch left", 1 / 60, 91 / 60, false],
      ["guard 1", 91 / 60, 121 / 60, true],
    ]);
    expect(row.marks?.map(({ title }) => title)).toEqual(["out of reach"]);
  });

  it("show the pose that is tried behind what is built", () => {
    const [row] = makeRows([{ name: "", standing, edits: [], wish: { card: cards[0], seconds: 0.5 } }], looks);
    const last = row.stretches.at(-1);
    expect([last?.text, last?.kind, last?.start, last?.stop]).toEqual(["pose 1", "proposed", 121 / 60, 151 / 60]);
    expect(builtSeconds(standing, 60)).toBe(121 / 60);
  });

  it("begin at nothing while it is not known where a character stands", () => {
    expect(makeRows([{ name: "A", standing: null, edits: [], wish: null }], looks)[0].stretches).toEqual([]);
    expect(builtSeconds(null, 60)).toBe(0);
  });
});

describe("an edit that is not made yet", () => {
  const asked = (changes: Partial<T.Edit>): T.Edit => ({ kind: "insert", from: "30f", to: null, pose: { take: "boxing", frame: 20 } as T.Pose, place: null, heading: null, ...changes });
  const shown = (edits: T.Edit[], from = standing) => makeRows([{ name: "", standing: from, edits, wish: null }], looks)[0].stretches.filter(({ kind }) => kind === "proposed");

  it("stands where it will be until its bridge is known", () => {
    const [one] = shown([asked({})]);
    expect([one.text, one.start, one.stop, one.fixed]).toEqual(["guard 1 …", 0.5, 1.5, true]);
    expect(pendingEditOf(one.id)).toBe(0);
    expect(pendingEditOf(stretchOf(0, 1))).toBe(-1);
  });

  it("covers what it replaces or takes out, and ends with what is built", () => {
    const [replaced, taken, last] = shown([asked({ kind: "replace", from: "30f", to: "1.2s" }), asked({ kind: "delete", from: "60f", to: "90f", pose: null }), asked({ from: "1.6s" })]);
    expect([replaced.start, replaced.stop, taken.start, taken.stop, taken.text]).toEqual([0.5, 1.2, 1, 1.5, "…"]);
    expect([last.start, last.stop]).toEqual([1.6, 121 / 60]);
  });

  it("is gone when what became of it is known, also where it was not made", () => {
    const made: T.BuiltEdit = { why_not: "nothing passes it", frames: 0, start: null, stop: null, frame: null, place: [0, 0, 0] };
    expect(shown([asked({})], { ...standing, edits: [made] })).toEqual([]);
    expect(shown([asked({}), asked({ from: "60f" })], { ...standing, edits: [made] }).map(({ id }) => pendingEditOf(id))).toEqual([1]);
  });
});

describe("the bridge of an edit", () => {
  const bridge: T.BuiltStep = { start: 31, stop: 61, place: [0, 1, 0], group: 3, step: null };
  const left: T.BuiltStep = { start: 1, stop: 31, place: [0, 1, 0], group: 2, step: null };
  const [start, ...others] = standing.steps;
  const made: T.BuiltEdit = { why_not: "", frames: 30, start: 31, stop: 61, frame: 45, place: [0, 0, 0] };
  const edited = { ...standing, steps: [start, left, bridge, ...others], edits: [made] };

  it("is named by the pose that it passes through, and what is left of a stretch by its own", () => {
    const edits: T.Edit[] = [{ kind: "insert", from: "31f", pose: { take: "boxing", frame: 10 } }];
    const [row] = makeRows([{ name: "", standing: edited, edits, wish: null }], looks);
    expect(row.stretches.slice(0, 2).map(({ text, kind }) => [text, kind])).toEqual([
      ["guard 1", "clip"],
      ["punch left", "piece"],
    ]);
  });

  it("is that of the last edit that plays a frame", () => {
    expect([editAt([made], 31), editAt([made], 60), editAt([made], 61), editAt([{ ...made, start: null }], 40)]).toEqual([0, 0, -1, -1]);
  });
});

describe("parts of a row", () => {
  it("are named by character and number", () => {
    expect(partOf(stretchOf(1, 2))).toEqual({ character: 1, part: 2 });
    expect(partOf(stretchOf(1, "wish"))).toBeNull();
    expect(partOf(null)).toBeNull();
  });

  it("stay where they are, except the end of the last one while nothing is tried", () => {
    const fixed = (wish: Parameters<typeof makeRows>[0][number]["wish"]): unknown[] =>
      makeRows([{ name: "", standing, edits: [], wish }], looks)[0].stretches.map((stretch) => stretch.fixed);
    expect(fixed(null)).toEqual([true, false]);
    expect(fixed({ card: cards[0], seconds: 1 })).toEqual([true, true, undefined]);
  });
});

describe("names of poses", () => {
  it("are labels, numbered where several have the same, else places in the palette", () => {
    expect(cards.map((each) => nameOf(cards, each))).toEqual(["pose 1", "punch left", "guard 1", "guard 2"]);
  });

  it("stand in sentences instead of frames of takes", () => {
    expect(withNames(cards, "step 1 to frame 10 of boxing, at (1, 2) m: distance")).toBe("step 1 to punch left, at (1, 2) m: distance");
    expect(withNames(cards, "the nearest that can is frame 11 of boxing")).toBe("the nearest that can is frame 11 of boxing");
  });

  it("find the card that a request means", () => {
    expect(cardOfPose(cards, { take: "boxing", frame: 10 })).toBe(cards[1]);
    expect(cardOfPose(cards, { label: "guard" })).toBe(cards[2]);
    expect(cardOfPose(cards, { take: "boxing", frame: 11 })).toBeNull();
    expect(cardOfPose(cards, null)).toBeNull();
  });
});
