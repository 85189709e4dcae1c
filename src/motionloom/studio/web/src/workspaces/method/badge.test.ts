import { describe, expect, it } from "vitest";
import type * as T from "../../api/types";
import { makeAnswer } from "../../testing/answers";
import { badgeOf, type BadgeFacts } from "./badge";

const verdict = (missed: number, of: number, percent: number | null, sentence: string): T.Verdict => ({ missed, of, percent, sentence });
const MET = verdict(0, 2, null, "everything is met");
const MISSED = verdict(1, 2, null, "1 of 2 missed");

describe("the badge of any method", () => {
  const facts: BadgeFacts = { isBlank: false, isSearching: false, problem: "", found: null, playing: null, job: null };
  /** A search that has found the best answer, and maybe another one that plays. */
  const found = (best: T.Verdict, isFinal = true, other?: T.Verdict): Pick<BadgeFacts, "found" | "playing"> => {
    const answers = [best, other ?? best].map((verdict, n) => makeAnswer({ id: `answer:${other ? n : 0}`, cost: 12.34, verdict }));
    return { found: { tag: "t", best: answers[0], others: answers.slice(1), isFinal }, playing: answers[1] };
  };

  it("says what the verdict of the server says", () => {
    expect(badgeOf({ ...facts, ...found(MET) })).toEqual({ look: "good", text: "everything is met" });
    expect(badgeOf({ ...facts, ...found(MISSED) })).toEqual({ look: "missed", text: "1 of 2 missed" });
    const most = verdict(0, 3, 98, "everything is met, 98 % of the paint holds");
    expect(badgeOf({ ...facts, ...found(most) })?.text).toBe(most.sentence);
  });

  it("is about the answer that plays, as the report is", () => {
    expect(badgeOf({ ...facts, ...found(MET, true, MISSED) })).toEqual({ look: "missed", text: "another motion plays: 1 of 2 missed" });
  });

  it("shows how far a search is by the share that holds, or else by what is met", () => {
    expect(badgeOf({ ...facts, isSearching: true })?.text).toBe("searching");
    expect(badgeOf({ ...facts, isSearching: true, ...found(MISSED, false) })?.text).toBe("searching, so far 1 of 2 missed");
    expect(badgeOf({ ...facts, isSearching: true, ...found(verdict(1, 2, 95, ""), false) })?.text).toBe("searching, best so far 95 %");
    expect(badgeOf({ ...facts, isBlank: true })).toBe(null);
    expect(badgeOf({ ...facts, problem: "no" })?.look).toBe("failed");
  });

  it("counts as the workspace does", () => {
    const verdictOf = (): T.Verdict => verdict(1, 1, null, "1 of 1 missed");
    expect(badgeOf({ ...facts, ...found(MISSED), verdictOf })).toEqual({ look: "missed", text: "1 of 1 missed" });
    expect(badgeOf({ ...facts, isSearching: true, ...found(MISSED, false), verdictOf })?.text).toBe("searching, so far 1 of 1 missed");
  });

  it("shows how far the preparation is", () => {
    const job = { id: 1, kind: "search", title: "", state: "running", done: 2, total: 5, note: "comparing frames" } as T.Job;
    expect(badgeOf({ ...facts, isSearching: true, job })?.text).toBe("getting ready, comparing frames 40 %");
    const reading = { ...job, done: 0, total: 0, note: "reading takes" };
    expect(badgeOf({ ...facts, isSearching: true, job: reading })?.text).toBe("getting ready, reading takes");
  });

  it("shows that what plays answers an older request", () => {
    expect(badgeOf({ ...facts, ...found(MET), isOld: true })).toMatchObject({ look: "old", text: expect.stringContaining("search again") });
    expect(badgeOf({ ...facts, ...found(MET), isOld: true, isSearching: true })?.look).toBe("busy");
  });
});
