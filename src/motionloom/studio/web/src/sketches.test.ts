import { beforeEach, describe, expect, it, vi } from "vitest";

import type * as T from "./api/types";
import { Sketches } from "./sketches.svelte";

const sketch = (take: string, frame = 7): T.Sketch => ({ take, frame, kind: "face", lines: [], outlines: [], dots: [] });

beforeEach(() => void vi.useFakeTimers());

/** A store whose requests are answered by hand. */
function made() {
  const asked: { wanted: T.WantedSketch[]; answer: (found: (T.Sketch | null)[]) => void; fail: () => void }[] = [];
  const store = new Sketches((wanted) => new Promise((answer, fail) => asked.push({ wanted, answer, fail })));
  return { store, asked };
}

const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(100);

describe("sketches of takes", () => {
  it("are requested together, each once", async () => {
    const { store, asked } = made();
    for (const take of ["a", "b", "a"]) store.want(take, null, 1);
    store.want("a", 3, 1);
    await settle();
    expect(asked.map(({ wanted }) => wanted)).toEqual([[{ take: "b", frame: null }, { take: "a", frame: null }, { take: "a", frame: 3 }]]); // prettier-ignore
    asked[0].answer([null, sketch("a"), sketch("a", 3)]);
    await settle();
    expect([store.of("b"), store.of("a")?.frame, store.of("a", 3)?.frame, store.of("c")]).toEqual([null, 7, 3, undefined]);
    for (const take of ["a", "b"]) store.want(take, null, 1);
    await settle();
    expect(asked.length).toBe(1);
  });

  it("that a list has scrolled past are given up", async () => {
    const { store, asked } = made();
    for (let n = 0; n < 500; n++) store.want(`take ${n}`, null, 1);
    await settle();
    expect(asked[0].wanted.at(-1)?.take).toBe("take 499");
    for (let n = 0; n < 9; n++) {
      asked[n]?.answer(asked[n].wanted.map(({ take }) => sketch(take)));
      await settle();
    }
    expect([store.of("take 300")?.take, store.of("take 3")]).toEqual(["take 300", undefined]);
    expect(asked.length).toBeLessThan(9);
  });

  it("are requested one after another, so that the newest wait for one request at most", async () => {
    const { store, asked } = made();
    store.want("a", null, 1);
    await settle();
    store.want("b", null, 1);
    store.want("c", null, 1);
    await settle();
    expect(asked.length).toBe(1);
    asked[0].answer([sketch("a")]);
    await settle();
    expect(asked[1].wanted.map(({ take }) => take)).toEqual(["b", "c"]);
  });

  it("of takes that have changed stay until newer ones come", async () => {
    const { store, asked } = made();
    for (const revision of [1, 2]) {
      store.want("a", null, revision);
      await settle();
      expect(store.of("a")?.frame).toBe(revision === 1 ? undefined : 1);
      asked[revision - 1].answer([sketch("a", revision)]);
      await settle();
      expect(store.of("a")?.frame).toBe(revision);
    }
  });

  it("of another corpus are not those that were requested before", async () => {
    const { store, asked } = made();
    store.want("a", null, 1);
    await settle();
    store.forget();
    asked[0].answer([sketch("a")]);
    await settle();
    expect(store.of("a")).toBeUndefined();
    store.want("a", null, 1);
    await settle();
    expect(asked.length).toBe(2);
  });

  it("that could not be had are asked again when they come into sight again", async () => {
    const { store, asked } = made();
    store.want("a", null, 1);
    await settle();
    asked[0].fail();
    await settle();
    expect(store.of("a")).toBeUndefined();
    store.want("a", null, 1);
    await settle();
    expect(asked.length).toBe(2);
  });
});
