import { describe, expect, it } from "vitest";
import type * as T from "../../api/types";
import { makeAnswer } from "../../testing/answers";
import { badgeOf, type BadgeFacts, verdictOfParts } from "./badge";

const part = (met: boolean): T.ReportPart => ({ name: "a", value: 1, unit: "m", tolerance: 1, met, why_not: "" });

describe("the badge of any method", () => {
  const found = (parts: boolean[], isFinal = true) => ({ tag: "t", best: makeAnswer({ cost: 12.34, parts: parts.map(part) }), others: [], isFinal });
  const facts: BadgeFacts = { isBlank: false, isSearching: false, problem: "", found: null, job: null, isOther: false, verdictOf: verdictOfParts };

  it("counts parts if the method has no share", () => {
    expect(badgeOf({ ...facts, isSearching: true, found: found([false], false) })?.text).toBe("searching, best so far costs 12.3");
    expect(badgeOf({ ...facts, found: found([true, true]) })).toEqual({ look: "good", text: "everything is met" });
    expect(badgeOf({ ...facts, found: found([true, false]) })).toEqual({ look: "missed", text: "1 of 2 missed" });
    expect(badgeOf({ ...facts, found: found([]) })?.text).toBe("found a motion");
    expect(badgeOf({ ...facts, found: found([true]), isOther: true })?.text).toBe("everything is met; another motion plays");
  });

  it("shows that what plays answers an older request", () => {
    expect(badgeOf({ ...facts, found: found([true]), isOld: true })).toMatchObject({ look: "old", text: expect.stringContaining("search again") });
    expect(badgeOf({ ...facts, found: found([true]), isOld: true, isSearching: true })?.look).toBe("busy");
  });
});
