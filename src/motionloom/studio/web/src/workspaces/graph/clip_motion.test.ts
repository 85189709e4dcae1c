import { describe, expect, it } from "vitest";
import { UNIT } from "../../api/constants";
import type { HubGraph } from "../../player";
import { describeWalk, walkAlong } from "./clip_motion";

const STONE = { start: 1, stop: 3, centre: [0, 0.3], half: [0.2, 0.1], turn: 0.5, top: 0.3, bottom: 0 };

/** One joint; two clips of three frames that both go 1 m ahead and turn left by a quarter. */
const graph = {
  fps: 60,
  skeleton: { names: ["hips"], digest: "d" },
  nodes: [{ name: "hub", kind: "hub", planted: [] }],
  clips: [0, 1].map((number) => ({ name: `clip ${number}`, source: 0, target: 0, first: 3 * number, frames: 3, placement: [0, 1, Math.PI / 2], supports: number === 0 ? [STONE] : [] })),
  roots: new Float32Array([0, 0.9, 0, 0, 0.9, 0.3, 0, 0.9, 0.6, 0, 0.9, 0, 0, 0.9, 0.3, 0.1, 0.9, 0.6]),
  rotations: new Int16Array(Array.from({ length: 6 }, () => [UNIT, 0, 0, 0]).flat()),
} as unknown as HubGraph;

describe("clips one after another", () => {
  it("begin where the one before ends, turned as it ends", () => {
    const { roots, rotations, joins } = walkAlong(graph, [0, 1]);
    expect(joins).toEqual([3]);
    const at = (frame: number): number[] => [...roots.subarray(frame * 3, frame * 3 + 3)];
    expect(at(0)).toEqual([0, Math.fround(0.9), 0]);
    const [x, , z] = at(3);
    expect([x, z]).toEqual([0, 1]);
    const [x4, , z4] = at(4); // ahead is along +x now
    expect(x4).toBeCloseTo(0.3);
    expect(z4).toBeCloseTo(1);
    const [w, , y] = [...rotations.subarray(3 * 4, 4 * 4)].map((value) => value / UNIT);
    expect(w).toBeCloseTo(Math.SQRT1_2, 4);
    expect(y).toBeCloseTo(Math.SQRT1_2, 4);
  });

  it("are as in the file, bit for bit, until something is turned", () => {
    const { roots, rotations, joins } = walkAlong(graph, [1]);
    expect([...roots]).toEqual([...graph.roots.subarray(9)]);
    expect([...rotations]).toEqual([...graph.rotations.subarray(12)]);
    expect(joins).toEqual([]);
  });

  it("bring what feet stand on to where they are played", () => {
    const { supports } = walkAlong(graph, [0, 1, 0]);
    expect(supports[0]).toEqual(STONE);
    expect(supports.map(({ start, stop }) => [start, stop])).toEqual([[1, 3], [7, 9]]);
    expect(supports[1].centre[0]).toBeCloseTo(1); // 1 m ahead, then 1 m along +x, and back by 0.3 m after half a turn
    expect(supports[1].centre[1]).toBeCloseTo(0.7);
    expect(supports[1].turn).toBeCloseTo(0.5 + Math.PI);
  });

  it("are described to the stage with their length", () => {
    expect(describeWalk(graph, "page:x", "x", walkAlong(graph, [0, 1, 0]))).toMatchObject({ frames: 9, fps: 60, skeleton: "d" });
  });
});
