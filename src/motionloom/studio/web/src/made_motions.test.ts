import { describe, expect, it } from "vitest";
import type * as T from "./api/types";
import { MadeMotions } from "./made_motions";

const motion = (id: string, frames = 2): T.Motion => ({ id, frames, fps: 60, skeleton: "s", points: null }) as unknown as T.Motion;
const keep = (made: MadeMotions, one: T.Motion, isShown = (_: string): boolean => false): boolean =>
  made.keep(one, { roots: new Float32Array(3 * one.frames), rotations: new Int16Array(4 * one.frames) }, [], isShown);

describe("motions that the page made", () => {
  it("are changed in their place where they have the same length, else made anew", () => {
    const made = new MadeMotions();
    expect(keep(made, motion("a"))).toBe(false);
    const store = made.get("a")?.store;
    expect(keep(made, motion("a"))).toBe(true);
    expect(made.get("a")?.store).toBe(store);
    expect(keep(made, motion("a", 3))).toBe(false);
    expect(made.get("a")?.store).not.toBe(store);
  });

  it("of points hold points, and are made anew with other points", () => {
    const made = new MadeMotions();
    const face = (points: string[]): boolean => {
      const one = { ...motion("a", 2), skeleton: null, points } as unknown as T.Motion;
      return made.keep(one, { points: new Float32Array(3 * 2 * points.length).fill(points.length) }, [], () => true);
    };
    expect([face(["chin"]), face(["chin"]), face(["nose"]), face(["chin", "nose"])]).toEqual([false, true, false, false]);
    const out = new Float32Array(6);
    expect(made.get("a")?.store.pointsAt(0, out)).toBe(true);
    expect([...out]).toEqual([2, 2, 2, 2, 2, 2]);
  });

  it("go when many have come after them, unless they are shown", () => {
    const made = new MadeMotions();
    for (let n = 0; n < 40; n++) keep(made, motion(`${n}`), (id) => id === "3");
    expect(["3", "4", "15", "16", "39"].map((id) => made.has(id))).toEqual([true, false, false, true, true]);
  });
});
