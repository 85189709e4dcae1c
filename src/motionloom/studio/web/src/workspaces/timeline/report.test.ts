import { describe, expect, it } from "vitest";
import type * as T from "../../api/types";
import { makeTimelineAnswer } from "../../testing/answers";
import { hardCutsOf, linesOf } from "./report";

const DETAILS: Partial<T.TimelineDetails> = {
  labels: [
    { label: "walk", value: "must", start: 0, stop: 120, right: 1, percent: 100, met: true, runs: [[0, 120, "right"]] },
    {
      label: "wave",
      value: "must_not",
      start: 120,
      stop: 180,
      right: 0.5,
      percent: 50,
      met: false,
      runs: [
        [120, 150, "right"],
        [150, 180, "wrong"],
      ],
    },
  ],
  reasons: [
    { labels: ["wave"], start: 150, stop: 180, kind: "reach", sentence: "2.5 to 3.0 s: too far", advice: "record it", at_cut: false },
    { labels: ["wave"], start: 149, stop: 151, kind: "reach", sentence: "2.5 s: a cut", advice: "lower alpha", at_cut: true },
  ],
};
const PARTS: T.ReportPart[] = [
  { name: "must walk, 0.00 to 2.00 s: frames that miss it", value: 0, unit: "%", tolerance: 5, met: true, why_not: "", frame: 0 },
  { name: "must not wave, 2.00 to 3.00 s: frames that miss it", value: 50, unit: "%", tolerance: 5, met: false, why_not: "x", frame: 120 },
  { name: "kick frames 3 to 60 at 4.00 s: pose off by", value: 2.345, unit: "cm", tolerance: 1, met: false, why_not: "head is farthest off", frame: 240 },
  { name: "position at 9.98 s", value: 0.0004, unit: "m", tolerance: 0.01, met: true, why_not: "", frame: 599 },
  { name: "planted feet stay", value: 0.00084, unit: "mm per frame", tolerance: 1, met: true, why_not: "", frame: null },
];
const WHOLE: Partial<T.Answer> = { kind: "best", is_whole: true, is_met: false, parts: PARTS };
const MISSED = makeTimelineAnswer(DETAILS, WHOLE);
const MET = makeTimelineAnswer({ labels: DETAILS.labels?.slice(0, 1) }, { ...WHOLE, parts: PARTS.slice(0, 1) });

describe("the report", () => {
  it("lists every part once, with its reason, advice and frame", () => {
    const lines = linesOf(MISSED);
    expect(lines.map((line) => [line.what, line.value, line.met])).toEqual([
      ["walk, 0 to 2 s", "100 %", true],
      ["not wave, 2 to 3 s", "50 %", false],
      ["kick frames 3 to 60 at 4.00 s", "off by 2.3 cm", false],
      ["Position at 9.98 s", "0 m", true],
      ["Planted feet stay", "0 mm per frame", true],
    ]);
    expect(lines[1]).toMatchObject({ why: "Too far", advice: "Record it", frame: 150, subject: "wave" });
    expect(lines[2]).toMatchObject({ why: "Head is farthest off", frame: 240 });
    expect(lines[2].subject).toBe(undefined);
    expect(lines[4].frame).toBe(null);
    expect(lines.some((line) => line.awaitsReason)).toBe(false);
  });

  it("gives no advice until the reason is known, and says for which lines it is still to come", () => {
    const early = linesOf(makeTimelineAnswer({ ...DETAILS, reasons: [] }, { ...WHOLE, is_whole: false }));
    expect(early[1]).toMatchObject({ why: "Missed from 2.5 to 3 s", advice: "", awaitsReason: true });
    expect(early.map((line) => line.awaitsReason)).toEqual([false, true, false, false, false]); // of the clip it is known
    expect(early.every((line) => line.advice === "")).toBe(true);
    const unexplained = linesOf(makeTimelineAnswer({ ...DETAILS, reasons: [] }, WHOLE))[1];
    expect(unexplained).toMatchObject({ why: "Missed from 2.5 to 3 s", advice: "", awaitsReason: false });
  });

  it("lists cuts that had to be very hard, with advice, and does not count them as missed", () => {
    expect(hardCutsOf(MISSED)).toMatchObject([
      { what: "Very hard cut at 2.5 s", why: "A cut", advice: "Lower alpha", frame: 150, met: true },
    ]);
    expect(hardCutsOf(MET)).toEqual([]);
  });
});
