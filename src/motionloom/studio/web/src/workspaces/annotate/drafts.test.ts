import { describe, expect, it } from "vitest";
import type * as T from "../../api/types";
import { Random } from "../../testing/random";
import { asShown, currentRanges, type Draft, isEmpty, move, paint, type Sign, shownRanges, without } from "./drafts";
import { cutOut, framesIn, joined, keptInside, type Range } from "./ranges";

const N = 40;
const random = new Random(11);
const someRange = (): Range => {
  const start = random.whole(0, N - 1);
  return [start, random.whole(start + 1, N)];
};
const some = (most: number): Range[] => Array.from({ length: random.whole(0, most) }, someRange);
const flags = (ranges: readonly Range[]): boolean[] =>
  Array.from({ length: N }, (_, frame) => ranges.some(([a, b]) => a <= frame && frame < b));

describe("ranges", () => {
  it("are joined, cut and kept as flags are", () => {
    for (let i = 0; i < 300; i++) {
      const [first, second] = [some(5), some(4)];
      const [a, b] = [flags(first), flags(second)];
      expect(flags(joined(first))).toEqual(a);
      expect(flags(cutOut(joined(first), second))).toEqual(a.map((flag, k) => flag && !b[k]));
      expect(flags(keptInside(joined(first), joined(second)))).toEqual(a.map((flag, k) => flag && b[k]));
      expect(framesIn(joined(first))).toBe(a.filter(Boolean).length);
    }
  });
});

describe("a draft", () => {
  it("has in every frame what was painted there last", () => {
    for (let i = 0; i < 200; i++) {
      let draft: Draft = {};
      const truth = Array.from({ length: N }, () => 0);
      for (let stroke = 0; stroke < 8; stroke++) {
        const range = someRange();
        const sign = random.pick([1, -1, 0]) as Sign | 0;
        draft = paint(draft, "walk", range, sign);
        truth.fill(sign, ...range);
      }
      const strokes = draft.walk ?? [];
      const painted = Array.from({ length: N }, (_, f) => strokes.find(([a, b]) => a <= f && f < b)?.[2] ?? 0);
      expect(painted).toEqual(truth);
      for (let k = 1; k < strokes.length; k++) {
        expect(strokes[k][0]).toBeGreaterThanOrEqual(strokes[k - 1][1]); // in order, without overlaps
        if (strokes[k][0] === strokes[k - 1][1]) expect(strokes[k][2]).not.toBe(strokes[k - 1][2]);
      }
    }
  });

  it("is shown over the current labels", () => {
    for (let i = 0; i < 100; i++) {
      const standing = joined(some(4));
      const holds = flags(standing);
      let draft: Draft = {};
      for (let stroke = 0; stroke < 4; stroke++) {
        const [range, sign] = [someRange(), random.pick([1, -1]) as Sign];
        draft = paint(draft, "walk", range, sign);
        holds.fill(sign > 0, ...range);
      }
      expect(flags(shownRanges(standing, draft.walk))).toEqual(holds);
    }
  });

  it("moves a stretch: it holds where it is now and not where it was", () => {
    const draft = move({}, "walk", [10, 20], [15, 24]);
    expect(shownRanges([[10, 20]], draft.walk)).toEqual([[15, 24]]);
    const shorter = move({}, "walk", [10, 20], [10, 14]);
    expect(shownRanges([[10, 20]], shorter.walk)).toEqual([[10, 14]]);
  });

  it("is empty again when all of it was erased", () => {
    const draft = paint(paint({}, "walk", [2, 9], 1), "run", [4, 8], -1);
    expect(isEmpty(draft)).toBe(false);
    expect(without(draft, [0, N])).toEqual({});
    expect(without(draft, [0, 5])).toEqual({ walk: [[5, 9, 1]], run: [[5, 8, -1]] });
  });

  it("changes no argument", () => {
    const draft: Draft = { walk: [[2, 9, 1]] };
    paint(draft, "walk", [4, 6], -1);
    expect(draft).toEqual({ walk: [[2, 9, 1]] });
  });
});

describe("what would be accepted", () => {
  const tracks: T.TakeTracks = {
    take: "a",
    frames: N,
    fps: 60,
    labels: [
      { label: "walk", holds: [[2, 6]], verified: [[0, 10]], proposed: [{ start: 4, stop: 20, confidence: 0.8 }] },
      { label: "run", holds: [[30, 34]], verified: [], proposed: [] },
    ],
  };

  it("is what people annotated, what is proposed elsewhere, and the paint", () => {
    expect(currentRanges(tracks.labels[0])).toEqual([
      [2, 6],
      [10, 20],
    ]);
    const shown = asShown(tracks, ["walk", "run", "jump"], { jump: [[5, 7, 1]], walk: [[15, 20, -1]] }, [0, N]);
    expect(shown).toEqual({
      walk: [
        [2, 6],
        [10, 15],
      ],
      run: [[30, 34]],
      jump: [[5, 7]],
    });
  });

  it("stays inside the accepted stretch", () => {
    expect(asShown(tracks, ["walk", "run"], {}, [12, 32])).toEqual({ walk: [[12, 20]], run: [[30, 32]] });
  });
});
