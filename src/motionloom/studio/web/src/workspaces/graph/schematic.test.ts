import { describe, expect, it } from "vitest";
import { clipOf, findLeftOut, fits, layLines, timeMarks } from "./schematic";

const takes = [
  { name: "a", start: 0, frames: 200, step: 1 },
  { name: "b", start: 200, frames: 300, step: 1 },
];
const hubs = [
  { frames: [60, 260, 400], colour: "red" },
  { frames: [120], colour: "blue" },
];

describe("the schematic", () => {
  const lines = layLines(takes, hubs, [{ take: "b", start: 200, stop: 300, why: "it leads to the end", seconds: 1, fix: [] }]);

  it("cuts every take at its match frames, without gaps, and knows which hubs a clip joins", () => {
    expect(lines[0].ticks.map(({ frame, colour }) => [frame, colour])).toEqual([[60, "red"], [120, "blue"]]);
    expect(lines[0].segments.map(({ start, stop, from, to }) => [start, stop, from, to])).toEqual([
      [0, 60, null, 0],
      [60, 120, 0, 1],
      [120, 200, 1, null],
    ]);
    for (const { take, segments } of lines) {
      expect(segments[0].start).toBe(take.start);
      segments.slice(1).forEach((segment, i) => expect(segment.start).toBe(segments[i].stop));
      expect(segments.at(-1)?.stop).toBe(take.start + take.frames);
    }
  });

  it("shows which clips are dead ends", () => {
    expect(lines[1].segments.map((segment) => segment.loose)).toEqual(["", "", "it leads to the end"]);
  });

  it("finds the clip that a segment became, unless the graph is not up to date", () => {
    const clips = [{ motion: "a", start: 60, stop: 120 }, { motion: "b", start: 60, stop: 200 }];
    expect(clipOf(clips, takes[0], lines[0].segments[1])).toBe(0);
    expect(clipOf(clips, takes[1], lines[1].segments[1])).toBe(1);
    expect(clipOf(clips, takes[0], lines[0].segments[0])).toBeNull();
  });

  it("shows match frames that the graph was built without, and lets clips go on through them", () => {
    const clips = [{ motion: "a", start: 60, stop: 120 }];
    const loose = [{ take: "a", start: 0, stop: 60, why: "", seconds: 1, fix: [] }, { take: "b", start: 150, stop: 300, why: "", seconds: 1, fix: [] }];
    const out = findLeftOut(takes, hubs, clips, loose);
    expect([...out]).toEqual([260]); // 400 may be inside of a dead end
    const [, second] = layLines(takes, hubs, loose, out);
    expect(second.ticks.map((tick) => tick.isOut)).toEqual([true, false]);
    expect(second.segments.map(({ start, stop }) => [start, stop])).toEqual([[200, 400], [400, 500]]);
  });

  it("knows where one more match frame has room", () => {
    expect(fits(lines[0], 90, 30)).toBe(true);
    expect(fits(lines[0], 91, 30)).toBe(false);
    expect(fits(lines[0], 10, 30)).toBe(false);
    expect(fits(lines[0], 180, 30)).toBe(false);
    expect(fits(lines[1], 330, 30)).toBe(true);
  });

  it("marks seconds in round steps that do not touch", () => {
    expect(timeMarks([0, 10], 700)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(timeMarks([0.55, 1.5], 140)).toEqual([1, 1.5]);
  });
});
