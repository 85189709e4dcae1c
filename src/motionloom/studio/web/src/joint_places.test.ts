import { describe, expect, it } from "vitest";

import { linesOf, namesOf, numberOf, placesOf, type Standing } from "./joint_places";

const POINTS = new Float32Array([0, 1, 0, 0.1, 1.1, 0, Number.NaN, Number.NaN, Number.NaN]);
const face: Standing = {
  motion: { floor: 1, points: ["chin", "nose", "ear"], looks: { links: [[0, 1], [1, 2]], triangles: [], outlines: [[0, 1, 0]], front: 0 } }, // prettier-ignore
  store: { poseAt: () => false, pointsAt: (time, out) => (out.set(POINTS.map((value) => value + time)), true) },
  skeleton: null,
  pose: { root: new Float32Array(3), rotations: new Float32Array(0) },
  points: POINTS,
};
const rounded = (places: number[][]): number[][] => places.map((place) => place.map((value) => Number(value.toFixed(4))));

describe("where markers are", () => {
  it("is above the floor, now or at another time", () => {
    expect(rounded(placesOf(face)).slice(0, 2)).toEqual([[0, 0, 0], [0.1, 0.1, 0]]); // prettier-ignore
    expect(rounded(placesOf(face, 2))[1]).toEqual([2.1, 2.1, 2]);
    expect(face.points).toBe(POINTS);
  });

  it("is known by their names", () => {
    expect([numberOf(face, "nose"), numberOf(face, "hips")]).toEqual([1, -1]);
    expect(namesOf(face)).toEqual(["chin", "nose", "ear"]);
  });

  it("makes lines along links and outlines between those that are seen", () => {
    expect(linesOf(face).length).toBe(3);
    expect(rounded(linesOf(face)[0])).toEqual([[0, 0, 0], [0.1, 0.1, 0]]); // prettier-ignore
  });
});
