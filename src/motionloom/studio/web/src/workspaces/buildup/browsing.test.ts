import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type * as T from "../../api/types";
import { Browsing, OTHERS, PAUSE } from "./browsing";

const at = (x: number, key = "k"): Parameters<Browsing["ask"]>[0] => ({ key, pose: { label: "walk" }, place: [x, 0], heading: null, seconds: null, edits: [] });

describe("asking while a pose is dragged", () => {
  let sent: T.Browse[];
  let browsing: Browsing;
  beforeEach(() => {
    vi.useFakeTimers();
    sent = [];
    browsing = new Browsing({ send: (message) => sent.push(message) }, "page");
  });
  afterEach(() => void vi.useRealTimers());

  it("has one question under way, and sends the newest place next", () => {
    browsing.ask(at(1));
    browsing.ask(at(2));
    browsing.ask(at(3));
    expect(sent.map(({ place }) => place?.[0])).toEqual([1]);
    expect(browsing.answered(sent[0].tag)).toBe(true);
    expect(sent.map(({ place }) => place?.[0])).toEqual([1, 3]);
  });

  it("asks for other ways and the shading when the drag pauses, and for the shading of a pose once", () => {
    browsing.ask(at(1));
    browsing.answered(sent[0].tag);
    vi.advanceTimersByTime(PAUSE);
    expect(sent.map(({ count, shades }) => [count, shades])).toEqual([[1, false], [OTHERS, true]]);
    browsing.answered(sent[1].tag);
    vi.advanceTimersByTime(10 * PAUSE);
    expect(sent).toHaveLength(2);
    browsing.ask(at(2));
    browsing.answered(sent[2].tag);
    vi.advanceTimersByTime(PAUSE);
    expect(sent[3].shades).toBe(false);
    browsing.ask(at(2, "another last pose"));
    browsing.answered(sent[3].tag);
    browsing.answered(sent[4].tag);
    vi.advanceTimersByTime(PAUSE);
    expect(sent[5].shades).toBe(true);
  });

  it("forgets answers to what was asked before, and all of it when nothing is dragged any more", () => {
    browsing.ask(at(1));
    expect(browsing.answered("older")).toBe(false);
    browsing.stop();
    expect(browsing.answered(sent[0].tag)).toBe(false);
    vi.advanceTimersByTime(10 * PAUSE);
    expect(sent).toHaveLength(1);
  });

  it("asks once for the bridge of an edit, and waits longer for it", () => {
    const edits: T.Edit[] = [{ kind: "insert", from: "30f", pose: { label: "walk" } }];
    browsing.ask({ ...at(1), edits });
    browsing.ask({ ...at(2), edits });
    vi.advanceTimersByTime(10_000);
    expect(sent).toHaveLength(1);
    browsing.answered(sent[0].tag);
    browsing.answered(sent[1].tag);
    vi.advanceTimersByTime(10_000);
    expect(sent.map(({ place, count }) => [place?.[0], count])).toEqual([[1, 1], [2, 1]]);
  });

  it("goes on where an answer never comes", () => {
    browsing.ask(at(1));
    browsing.ask(at(2));
    vi.advanceTimersByTime(60_000);
    expect(sent.map(({ place }) => place?.[0]).slice(0, 2)).toEqual([1, 2]);
  });
});
