import { describe, expect, it } from "vitest";
import type * as T from "../../api/types";
import { cut, lay, moveStroke, paintOver, paintedLabels, type Stroke, strokesOf } from "./paint";
import { framesOf, textOf } from "./times";

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

/** What is painted in every frame: the obvious way. */
function frames(strokes: readonly Stroke[], length = 100): string[] {
  const all = new Array<string>(length).fill("");
  for (const stroke of strokes) all.fill(stroke.value, stroke.start, stroke.stop);
  return all;
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("strokes of a label", () => {
  it("equal painting frame by frame, and never overlap or touch strokes of the same value", () => {
    const random = seeded(5);
    for (let round = 0; round < 40; round++) {
      let strokes: Stroke[] = [];
      let plain = frames([]);
      for (let i = 0; i < 12; i++) {
        const start = Math.floor(random() * 95);
        const stop = start + Math.floor(random() * 30);
        const value = random() < 0.5 ? ("must" as const) : ("must_not" as const);
        const isErasing = random() < 0.3;
        strokes = isErasing ? cut(strokes, start, stop) : lay(strokes, { start, stop, value });
        plain = plain.map((was, at) => (at >= start && at < stop ? (isErasing ? "" : value) : was));
        expect(frames(strokes)).toEqual(plain);
        for (const [a, b] of strokes.slice(1).map((stroke, k) => [strokes[k], stroke] as const)) {
          expect(a.stop <= b.start).toBe(true);
          if (!isErasing) expect(a.stop === b.start && a.value === b.value).toBe(false);
        }
      }
    }
  });

  it("are written in seconds and read back as the same frames", () => {
    for (const fps of [24, 30, 60, 119.88, 120]) {
      for (let frame = 0; frame < 700; frame++) expect(framesOf(textOf(frame, fps), fps)).toBe(frame);
    }
    expect(textOf(150, 60)).toBe("2.5s");
    expect(textOf(600, 60)).toBe("10s");
    expect(framesOf("150f", 60)).toBe(150);
    expect([framesOf("start", 60, 600), framesOf("end", 60, 600)]).toEqual([0, 600]);
  });
});

describe("painting a request", () => {
  it("writes must and must not without overlap and leaves other labels as they were written", () => {
    const walked: T.Request = { ...EMPTY, labels: [{ label: "run", from: "start", to: "90f", value: "must" }] };
    const painted = paintOver(walked, "walk", 0, 240, "must");
    const two = paintOver(painted, "walk", 120, 180, "must_not");
    expect(two.labels).toEqual([
      { label: "run", from: "start", to: "90f", value: "must" },
      { label: "walk", from: "0s", to: "2s", value: "must" },
      { label: "walk", from: "2s", to: "3s", value: "must_not" },
      { label: "walk", from: "3s", to: "4s", value: "must" },
    ]);
    expect(paintOver(two, "walk", 120, 180, "must").labels.slice(1)).toEqual([
      { label: "walk", from: "0s", to: "4s", value: "must" },
    ]);
    expect(paintedLabels(two)).toEqual(["run", "walk"]);
  });

  it("keeps the place of a label among the others, and ends where the motion ends", () => {
    const base = paintOver(paintOver(EMPTY, "walk", 0, 60, "must"), "run", 60, 120, "must");
    const more = paintOver(base, "walk", 30, 5000, "must");
    expect(more.labels.map((paint) => [paint.label, paint.to])).toEqual([
      ["walk", "10s"],
      ["run", "2s"],
    ]);
    expect(paintOver(base, "walk", 0, 60, null).labels.map((paint) => paint.label)).toEqual(["run"]);
  });

  it("moves a stretch over what is in its way", () => {
    const base = paintOver(paintOver(EMPTY, "walk", 0, 60, "must"), "walk", 120, 180, "must_not");
    expect(strokesOf(moveStroke(base, "walk", 0, 90, 150), "walk")).toEqual([
      { start: 90, stop: 150, value: "must" },
      { start: 150, stop: 180, value: "must_not" },
    ]);
    expect(moveStroke(base, "walk", 7, 90, 150)).toBe(base);
    const across = moveStroke(base, "walk", 0, 90, 150, "run");
    expect(strokesOf(across, "run")).toEqual([{ start: 90, stop: 150, value: "must" }]);
    expect(strokesOf(across, "walk").map((stroke) => stroke.value)).toEqual(["must_not"]);
  });
});
