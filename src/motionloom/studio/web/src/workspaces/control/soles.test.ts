import { describe, expect, it } from "vitest";
import type { Pose, SkeletonData } from "../../motion/types";
import { Soles } from "./soles";

const skeleton: SkeletonData = {
  digest: "s",
  names: ["hips", "l_ankle", "l_ball", "r_ankle", "r_ball"],
  parents: [-1, 0, 1, 0, 3],
  offsets: new Float32Array([0, 0, 0, 0.1, -0.9, 0, 0, -0.05, 0.15, -0.1, -0.9, 0, 0, -0.05, 0.15]),
  roles: { hips: 0, left_foot: 1, left_ball: 2, right_foot: 3, right_ball: 4 },
  ends: [],
};

function standing(x: number, z: number): Pose {
  const rotations = new Float32Array(20);
  for (let joint = 0; joint < 5; joint++) rotations[joint * 4] = 1;
  return { root: new Float32Array([x, 0.95, z]), rotations };
}

const middle = (outline: [number, number][]): number[] => [0, 1].map((c) => outline.reduce((sum, point) => sum + point[c], 0) / outline.length);
/** Positive when it runs counter-clockwise seen from above, where x is to the right and z towards the reader. */
const area = (outline: [number, number][]): number =>
  outline.reduce((sum, [x, z], n) => sum + z * outline[(n + 1) % outline.length][0] - x * outline[(n + 1) % outline.length][1], 0) / 2;

describe("soles", () => {
  it("are left where a foot comes to rest, once for each rest", () => {
    const soles = new Soles(skeleton);
    soles.note(0b0011, standing(1, 2), 7);
    soles.note(0b0011, standing(1, 2), 8);
    expect(soles.prints.map(({ side, frame }) => [side, frame])).toEqual([["left", 7]]);
    const [x, z] = middle(soles.prints[0].outline);
    expect(x).toBeCloseTo(1.1);
    expect(z).toBeGreaterThan(2);
    expect(z).toBeLessThan(2.15);
  });

  it("come again after the foot was lifted, on the other side too", () => {
    const soles = new Soles(skeleton);
    for (const [frame, contacts] of [0b1111, 0b1100, 0b1111].entries()) soles.note(contacts, standing(0, frame), frame);
    expect(soles.prints.map(({ side, frame }) => [side, frame])).toEqual([["left", 0], ["right", 0], ["left", 2]]); // prettier-ignore
  });

  it("run around as other footprints do, so that their soft edge lies outside", () => {
    const soles = new Soles(skeleton);
    soles.note(0b1111, standing(0, 0), 0);
    for (const { outline } of soles.prints) expect(area(outline)).toBeGreaterThan(0);
  });

  it("lie on what is below the ball of the foot", () => {
    const soles = new Soles(skeleton);
    soles.note(0b1111, standing(2, 0), 3, (x, y, z, frame) => (x > 2 ? y + z + frame : 0));
    expect(soles.prints.map(({ height }) => height)).toEqual([expect.closeTo(0 + 0.15 + 3), 0]);
  });

  it("are limited in number", () => {
    const soles = new Soles(skeleton);
    for (let frame = 0; frame < 400; frame++) soles.note(frame % 2 ? 0 : 0b1111, standing(0, frame), frame);
    expect(soles.prints).toHaveLength(40);
    expect(soles.prints.at(-1)?.frame).toBe(398);
  });

  it("are not left by bodies without feet", () => {
    const soles = new Soles({ ...skeleton, roles: { hips: 0 } });
    soles.note(0b1111, standing(0, 0), 0);
    expect(soles.prints).toEqual([]);
  });
});
