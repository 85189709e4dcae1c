import { describe, expect, it } from "vitest";
import type * as T from "../../api/types";
import type { SkeletonData } from "../../motion/types";
import type { ShownWay } from "./buildup.svelte";
import { extrasOf, extrasOfEdit } from "./ghost";

const way = (x: number): ShownWay =>
  ({ path: new Float32Array([0, 0, x, 1]), root: new Float32Array([x, 1, 1]), rotations: new Float32Array(4) }) as ShownWay;
const skeleton = { digest: "s" } as SkeletonData;

describe("what is drawn of a pose that is tried", () => {
  it("is its ghost at the end of the way that is shown, and a line for every way", () => {
    const [best, other] = [way(1), way(2)];
    const { characters, trails } = extrasOf([best, other], other, null, { skeleton, body: null });
    expect(characters.map(({ pose }) => pose.root[0])).toEqual([2]);
    expect(trails.map(({ points, current }) => [points.length, points[3], current])).toEqual([
      [6, 1, -1],
      [6, 2, 1],
    ]);
  });

  it("is the pose of an edit where it stands, until its bridge is known", () => {
    const card = { root: [0.1, 0.9, 0.2], rotations: [1, 0, 0, 0, 0, 1, 0, 0] } as unknown as T.PoseCard;
    const placed = { card, stands: [3, 4, Math.PI / 2] as [number, number, number] };
    const [ghost] = extrasOfEdit(placed, null, { skeleton, body: null }).characters;
    expect([...ghost.pose.root].map((value) => Number(value.toFixed(5)))).toEqual([3.2, 0.9, 3.9]);
    const [w, x, y, z, ...others] = ghost.pose.rotations;
    expect([w, y]).toEqual([expect.closeTo(Math.SQRT1_2), expect.closeTo(Math.SQRT1_2)]);
    expect([x, z, ...others]).toEqual([0, 0, 0, 1, 0, 0]);
    const known = extrasOfEdit(placed, way(2), { skeleton, body: null });
    expect([known.characters[0].pose.root[0], known.trails.length]).toEqual([2, 1]);
  });

  it("is no ghost without a way, or before the skeleton is there", () => {
    expect(extrasOf([], null, null, { skeleton, body: null }).characters).toEqual([]);
    expect(extrasOf([way(1)], way(1), null, { skeleton: null, body: null }).characters).toEqual([]);
  });
});
