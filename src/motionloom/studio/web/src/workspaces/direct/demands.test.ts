import { describe, expect, it } from "vitest";
import { EMPTY } from "../../api/constants";
import type * as T from "../../api/types";
import { amountText, entryOf, hasChanged, idOf, nameOf, outcomeOf, partsOf } from "./demands";
import fixture from "./report.fixture.json";
import { linesOf, verdictOf } from "./report";
import { inPlainWords } from "./words";

const request = { ...EMPTY.direct.request, ...fixture.request } as unknown as T.DirectRequest;
const part = (name: string, value = 0, more: Partial<T.ReportPart> = {}): T.ReportPart => ({ name, value, unit: "m", tolerance: 0.001, met: true, why_not: "", frame: 3, ...more });
const parts = fixture.parts.map((name) => part(name));
const answer = (reported: T.ReportPart[]): T.Answer => ({ parts: reported, is_whole: true, fps: 60 }) as T.Answer;

describe("what a motion has to meet", () => {
  it("has an id that leads back to it", () => {
    expect(entryOf(idOf({ list: "points", index: 12 }))).toEqual({ list: "points", index: 12 });
    expect([entryOf("others@1"), entryOf(null)]).toEqual([null, null]);
  });

  it("is named by people's words, or by its own name", () => {
    const entries = [{ list: "points", index: 0 }, { list: "points", index: 1 }, { list: "poses", index: 0 }, { list: "contacts", index: 1 }, { list: "projections", index: 0 }] as const; // prettier-ignore
    expect(entries.map((entry) => nameOf(request, entry))).toEqual(["right hand", "nod", "pose 1", "right heel rests", "left hand on picture 1"]);
  });

  it("finds its own parts of a report, every part belonging to one entry", () => {
    const found = (["poses", "points", "root", "projections", "distances", "contacts"] as const).flatMap((list) => request[list].flatMap((_, index) => partsOf(request, { list, index }, parts)));
    expect(found).toHaveLength(parts.length);
    expect(new Set(found).size).toBe(parts.length);
    expect(partsOf(request, { list: "poses", index: 0 }, parts)).toHaveLength(3);
  });

  it("does not take point 10 for point 1", () => {
    const many = { ...request, points: Array.from({ length: 10 }, () => ({ ...request.points[0] })) };
    expect(partsOf(many, { list: "points", index: 0 }, [part("point 10, right_hand: off by")])).toEqual([]);
  });

  it("is met where all its parts are, else missed by the worst, with the reason", () => {
    const reported = [part("pose 1: off by", 0.5, { unit: "deg" }), part("pose 1: place: off by", 0.04, { met: false, why_not: "out of reach", frame: 9 })];
    expect(outcomeOf(request, { list: "poses", index: 0 }, reported)).toEqual({ isMet: false, text: "off by 4.0 cm", why: "out of reach", frame: 9 });
    expect(outcomeOf(request, { list: "poses", index: 0 }, reported.slice(0, 1))).toMatchObject({ isMet: true, text: "off by 0.5°" });
    expect(outcomeOf(request, { list: "poses", index: 0 }, [])).toBeNull();
  });

  it("is not known any more when it was changed, nor while there is no answer; others still are", () => {
    const moved = { ...request, points: request.points.map((point, n) => (n === 0 ? { ...point, position: [9, 9, 9] } : point)) } as T.DirectRequest;
    const changed = (index: number, answered: T.DirectRequest | null): boolean => hasChanged(moved, answered, { list: "points", index });
    expect([changed(0, request), changed(1, request), changed(0, moved), changed(1, null)]).toEqual([true, false, false, true]);
    expect(hasChanged({ ...request, start_from: "another" }, request, { list: "points", index: 0 })).toBe(true);
    expect(hasChanged({ ...request, points: [...request.points, request.points[0]] }, request, { list: "points", index: request.points.length })).toBe(true);
  });

  it("is off by lengths that people read", () => {
    expect([0.0004, 0.032, 1.5].map((value) => amountText({ value, unit: "m" }))).toEqual(["0.4 mm", "3.2 cm", "1.50 m"]);
    expect([amountText({ value: 2.06, unit: "deg" }), amountText({ value: 11.7, unit: "px" })]).toEqual(["2.1°", "12 px"]);
  });
});

describe("the report of a directed motion", () => {
  it("says in the page's words what was asked, and leads to it", () => {
    const lines = linesOf(request, answer(parts));
    expect(lines.map(({ what }) => what)).toContain("Right hand: off by");
    expect(lines.map(({ what }) => what)).toContain("Right heel rests from 1.00 s: place: off by");
    expect(lines.every(({ subject }) => subject !== undefined)).toBe(true);
  });

  it("takes together feet that rest as found, and names those that do not", () => {
    const found = ["left_heel rests from 0.00 to 0.50 s: moves per frame", "left_ball rests from 0.00 to 0.70 s: moves per frame"];
    const lines = linesOf(request, answer([part(found[0]), part(found[1], 0.004, { met: false, why_not: "held back" })]));
    expect(lines.map(({ what, value, met }) => [what, value, met])).toEqual([
      ["Left ball rests from 0.00 to 0.70 s: moves per frame", "4.0 mm", false],
      ["Feet rest as found in the motion", "1 of 2 times", true],
    ]);
  });

  it("counts feet that rest as found once, however often they do", () => {
    const feet = Array.from({ length: 48 }, (_, n) => part(`left_heel rests from ${n}.00 to ${n}.50 s: moves per frame`));
    const met = { ...answer([part("point 1, right_hand: off by"), ...feet]), verdict: { missed: 0, of: 49, percent: null, sentence: "everything is met" } };
    expect(verdictOf(request, met)).toMatchObject({ missed: 0, of: 2, sentence: "everything is met" });
    const missed = { ...met, parts: [part("point 1, right_hand: off by", 1, { met: false }), ...feet] };
    expect(verdictOf(request, missed)).toMatchObject({ missed: 1, of: 2, sentence: "1 of 2 missed" });
  });

  it("has no words of request files", () => {
    expect(inPlainWords("the prior pulls away; give it a smaller `within`, or make it `hard`")).toBe("the prior pulls away; give it a smaller usual deviation, or let it hold exactly");
  });
});
