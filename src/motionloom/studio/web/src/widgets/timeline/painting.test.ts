import { describe, expect, it } from "vitest";
import { Random } from "../../testing/random";
import { erase, moved, paint, painted } from "./painting";
import type { Stretch, StretchKind } from "./types";

const KINDS: StretchKind[] = ["must", "must_not"];

function kindAt(stretches: Stretch[], time: number): StretchKind | null {
  return stretches.find((stretch) => stretch.start <= time && time < stretch.stop)?.kind ?? null;
}

function expectSound(stretches: Stretch[]) {
  expect(new Set(stretches.map((stretch) => stretch.id)).size).toBe(stretches.length);
  stretches.forEach((stretch, k) => {
    expect(stretch.stop).toBeGreaterThan(stretch.start);
    if (k > 0) expect(stretch.start).toBeGreaterThanOrEqual(stretches[k - 1].stop);
  });
}

function anyStroke(random: Random): [number, number] {
  const [a, b] = [random.whole(0, 101) / 10, random.whole(0, 101) / 10];
  return [Math.min(a, b), Math.max(a, b)];
}

function anyTrack(random: Random): Stretch[] {
  let stretches: Stretch[] = [];
  for (let k = 0; k < 8; k++) stretches = paint(stretches, ...anyStroke(random), random.pick(KINDS));
  return stretches;
}

describe("painting", () => {
  it("makes every moment what was painted last, and stretches never overlap", () => {
    const random = new Random(21);
    for (let trial = 0; trial < 25; trial++) {
      let stretches: Stretch[] = [];
      const expected = new Array<StretchKind | null>(100).fill(null);
      for (let stroke = 0; stroke < 20; stroke++) {
        const [start, stop] = anyStroke(random);
        const tool = random.pick(["must", "must_not", "erase"] as const);
        stretches = painted(stretches, { start, stop, tool });
        for (let k = 0; k < 100; k++) {
          const time = k / 10 + 0.05;
          if (time >= start && time < stop) expected[k] = tool === "erase" ? null : tool;
        }
        expectSound(stretches);
      }
      for (let k = 0; k < 100; k++) expect(kindAt(stretches, k / 10 + 0.05)).toBe(expected[k]);
    }
  });

  it("and erasing again leaves what was there beside the stroke", () => {
    const random = new Random(22);
    for (let trial = 0; trial < 40; trial++) {
      const before = anyTrack(random);
      const [start, stop] = anyStroke(random);
      const after = erase(paint(before, start, stop, random.pick(KINDS)), start, stop);
      const twin = erase(before, start, stop);
      for (let time = 0.05; time < 10; time += 0.1) expect(kindAt(after, time)).toBe(kindAt(twin, time));
    }
  });

  it("grows together with its like, and stays apart from others", () => {
    const track = paint(paint([], 1, 2, "must"), 2, 3, "must");
    expect(track.map(({ start, stop }) => [start, stop])).toEqual([[1, 3]]);
    expect(paint(track, 3, 4, "must_not")).toHaveLength(2);
  });

  it("twice in the same place changes nothing", () => {
    const random = new Random(23);
    for (let trial = 0; trial < 100; trial++) {
      const [start, stop] = anyStroke(random);
      const once = paint(anyTrack(random), start, stop, "must");
      expect(paint(once, start, stop, "must").map(({ start, stop, kind }) => ({ start, stop, kind }))).toEqual(
        once.map(({ start, stop, kind }) => ({ start, stop, kind })),
      );
    }
  });

  it("changes no argument", () => {
    const before = Object.freeze(anyTrack(new Random(24)).map((stretch) => Object.freeze(stretch))) as Stretch[];
    const copy = structuredClone(before);
    paint(before, 2, 7, "must");
    erase(before, 3, 4);
    expect(before).toEqual(copy);
  });

  it("keeps the name of the stretch that was cut", () => {
    const cut = erase([{ id: "a", start: 0, stop: 9, kind: "must" }], 3, 4);
    expect(cut.map(({ id, start, stop }) => [id, start, stop])).toEqual([
      ["a", 0, 3],
      ["must@4.0000", 4, 9],
    ]);
  });
});

describe("moving a stretch", () => {
  it("keeps it whole and cuts what it covers", () => {
    const random = new Random(25);
    for (let trial = 0; trial < 200; trial++) {
      const before = anyTrack(random);
      if (before.length === 0) continue;
      const { id } = random.pick(before);
      const start = random.between(0, 8);
      const after = moved(before, id, start, start + 1.5);
      expectSound(after);
      expect(after.find((stretch) => stretch.id === id)).toMatchObject({ start, stop: start + 1.5 });
    }
  });
});
