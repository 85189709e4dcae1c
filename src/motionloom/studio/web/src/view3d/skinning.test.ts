import { describe, expect, it } from "vitest";

import { forward } from "../motion/kinematics";
import type { SkeletonData } from "../motion/types";
import { fillBoneMatrices } from "./skinning";
import library from "./skinning.fixture.json"; // written by the library: tests/studio/web/test_skinning.py

const MILLIMETRE = 1e-3;

function pose(): { positions: Float32Array; matrices: Float32Array } {
  const joints = library.parents.length;
  const skeleton = { parents: library.parents, offsets: new Float32Array(library.offsets) } as SkeletonData;
  const positions = new Float32Array(joints * 3);
  const turned = new Float32Array(joints * 4);
  forward(skeleton, library.root, library.rotations, positions, turned);
  const matrices = new Float32Array(joints * 16);
  const bind = {
    bindPositions: new Float32Array(library.bindPositions),
    bindRotations: new Float32Array(library.bindRotations),
  };
  fillBoneMatrices(bind, positions, turned, matrices);
  return { positions, matrices };
}

/** What the graphics card does: the mean of what each joint's matrix makes of a vertex, by weight. */
function blend(matrices: Float32Array, vertex: number): number[] {
  const [x, y, z] = library.vertices.slice(vertex * 3, vertex * 3 + 3);
  const sum = [0, 0, 0];
  for (let k = 0; k < 4; k++) {
    const weight = library.weights[vertex * 4 + k];
    const m = matrices.subarray(library.joints[vertex * 4 + k] * 16);
    for (let c = 0; c < 3; c++) sum[c] += weight * (m[c] * x + m[4 + c] * y + m[8 + c] * z + m[12 + c]);
  }
  return sum;
}

describe("skinning", () => {
  it("has joints where the library has them", () => {
    const { positions } = pose();
    library.positions.forEach((value, n) => expect(Math.abs(positions[n] - value)).toBeLessThan(0.01 * MILLIMETRE));
  });

  it("moves skin to where the library moves it", () => {
    const { matrices } = pose();
    for (let vertex = 0; vertex * 3 < library.vertices.length; vertex++) {
      const [x, y, z] = blend(matrices, vertex);
      const [ex, ey, ez] = library.skinned.slice(vertex * 3, vertex * 3 + 3);
      expect(Math.hypot(x - ex, y - ey, z - ez)).toBeLessThan(0.02 * MILLIMETRE);
    }
  });

  it("leaves the skin as it is in the bind pose", () => {
    const bind = {
      bindPositions: new Float32Array(library.bindPositions),
      bindRotations: new Float32Array(library.bindRotations),
    };
    const matrices = new Float32Array(library.parents.length * 16);
    fillBoneMatrices(bind, bind.bindPositions, bind.bindRotations, matrices);
    const [x, y, z] = blend(matrices, 7);
    expect(x).toBeCloseTo(library.vertices[21], 5);
    expect(y).toBeCloseTo(library.vertices[22], 5);
    expect(z).toBeCloseTo(library.vertices[23], 5);
  });
});
