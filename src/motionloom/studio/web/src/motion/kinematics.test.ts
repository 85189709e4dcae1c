import { Matrix4, Quaternion, Vector3 } from "three";
import { describe, expect, it } from "vitest";

import { Random } from "../testing/random";
import { forward, multiply, placePoint, reachOf } from "./kinematics";
import type { SkeletonData } from "./types";

/** A random tree of joints. */
function makeSkeleton(random: Random, joints: number): SkeletonData {
  const parents = [-1];
  for (let joint = 1; joint < joints; joint++) parents.push(random.whole(0, joint));
  return {
    digest: "test",
    names: parents.map((_, joint) => `joint ${joint}`),
    parents,
    offsets: Float32Array.from({ length: joints * 3 }, () => random.between(-0.4, 0.4)),
    roles: {},
    ends: [{ parent: joints - 1, offset: [0, 0.2, 0] }],
  };
}

/** The slow way: a matrix for every joint. */
function placeByMatrices(skeleton: SkeletonData, root: number[], rotations: Float32Array): Vector3[] {
  const world: Matrix4[] = [];
  skeleton.parents.forEach((parent, joint) => {
    const [w, x, y, z] = rotations.subarray(joint * 4, joint * 4 + 4);
    const offset = parent < 0 ? new Vector3(...root) : new Vector3().fromArray(skeleton.offsets, joint * 3);
    const local = new Matrix4().compose(offset, new Quaternion(x, y, z, w), new Vector3(1, 1, 1));
    world.push(parent < 0 ? local : world[parent].clone().multiply(local));
  });
  return world.map((matrix) => new Vector3().setFromMatrixPosition(matrix));
}

describe("forward kinematics", () => {
  it("places joints where a chain of matrices places them", () => {
    const random = new Random(3);
    for (let round = 0; round < 20; round++) {
      const joints = random.whole(1, 32);
      const skeleton = makeSkeleton(random, joints);
      const rotations = Float32Array.from(Array.from({ length: joints }, () => random.quaternion()).flat());
      const root = [random.between(-9, 9), random.between(0, 2), random.between(-9, 9)];
      const positions = new Float32Array(joints * 3);
      const turned = new Float32Array(joints * 4);
      forward(skeleton, root, rotations, positions, turned);
      placeByMatrices(skeleton, root, rotations).forEach((expected, joint) => {
        expect(expected.distanceTo(new Vector3().fromArray(positions, joint * 3))).toBeLessThan(1e-5);
      });
    }
  });

  it("leaves joints at their offsets where nothing is turned", () => {
    const skeleton = makeSkeleton(new Random(1), 6);
    const rotations = new Float32Array(24);
    for (let joint = 0; joint < 6; joint++) rotations[joint * 4] = 1;
    const positions = new Float32Array(18);
    forward(skeleton, [1, 2, 3], rotations, positions, new Float32Array(24));
    const parent = skeleton.parents[5];
    for (let c = 0; c < 3; c++) {
      expect(positions[15 + c] - positions[parent * 3 + c]).toBeCloseTo(skeleton.offsets[15 + c], 5);
    }
  });

  it("carries points that are fixed to a joint", () => {
    const turned = new Float32Array([Math.SQRT1_2, 0, Math.SQRT1_2, 0]); // a quarter turn to the left
    const result = new Float32Array(3);
    placePoint(new Float32Array([1, 1, 1]), turned, 0, 0, 0, 0.5, result, 0);
    expect(Array.from(result)).toEqual([1.5, 1, 1].map((value) => expect.closeTo(value, 6)));
  });

  it("multiplies quaternions into one of its own arguments", () => {
    const random = new Random(8);
    const [a, b] = [random.quaternion(), random.quaternion()];
    const expected = new Quaternion(a[1], a[2], a[3], a[0]).multiply(new Quaternion(b[1], b[2], b[3], b[0]));
    const result = new Float32Array(a);
    multiply(result, 0, b, 0, result, 0);
    expect(result[0]).toBeCloseTo(expected.w, 6);
    expect(result[3]).toBeCloseTo(expected.z, 6);
  });

  it("never reaches farther than the bones are long", () => {
    const random = new Random(12);
    const skeleton = makeSkeleton(random, 20);
    const positions = new Float32Array(60);
    for (let round = 0; round < 30; round++) {
      const rotations = Float32Array.from(Array.from({ length: 20 }, () => random.quaternion()).flat());
      forward(skeleton, [0, 0, 0], rotations, positions, new Float32Array(80));
      for (let joint = 0; joint < 20; joint++) {
        const away = Math.hypot(positions[joint * 3], positions[joint * 3 + 1], positions[joint * 3 + 2]);
        expect(away).toBeLessThanOrEqual(reachOf(skeleton) + 1e-5);
      }
    }
  });
});
