import { describe, expect, it } from "vitest";
import { applyChanges, findChanges, isSame } from "./patch";

function randomThing(random: () => number, depth = 3): unknown {
  const kind = Math.floor(random() * (depth > 0 ? 6 : 4));
  if (kind === 0) return null;
  if (kind === 1) return Math.floor(random() * 5);
  if (kind === 2) return random() < 0.5;
  if (kind === 3) return "abc".slice(0, 1 + Math.floor(random() * 3));
  if (kind === 4) return Array.from({ length: Math.floor(random() * 3) }, () => randomThing(random, depth - 1));
  return Object.fromEntries(
    ["a", "b", "c"].filter(() => random() < 0.7).map((name) => [name, randomThing(random, depth - 1)]),
  );
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("changes between two things", () => {
  it("lead from one to the other and back, and leave both as they are", () => {
    const random = seeded(3);
    for (let i = 0; i < 300; i++) {
      const before = { part: randomThing(random), other: randomThing(random) };
      const after = { part: randomThing(random), other: randomThing(random) };
      const texts = [JSON.stringify(before), JSON.stringify(after)];
      const changes = JSON.parse(JSON.stringify(findChanges(before, after)));
      expect(isSame(applyChanges(before, changes, "forward"), after)).toBe(true);
      expect(isSame(applyChanges(after, changes, "back"), before)).toBe(true);
      expect([JSON.stringify(before), JSON.stringify(after)]).toEqual(texts);
    }
  });

  it("are none between equal things", () => {
    expect(findChanges({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] })).toEqual([]);
  });

  it("name only the places that differ", () => {
    expect(findChanges({ a: { b: 1, c: 2 }, d: 3 }, { a: { b: 9, c: 2 }, d: 3 })).toEqual([
      { path: ["a", "b"], before: 1, after: 9 },
    ]);
  });
});
