import { Matrix4, PerspectiveCamera, Vector3 } from "three";
import { describe, expect, it } from "vitest";

import { Random } from "../testing/random";
import { fillViewMatrix, findSpot, JointPicker } from "./picking";

function makeCamera(): { camera: PerspectiveCamera; matrix: Matrix4 } {
  const camera = new PerspectiveCamera(40, 1280 / 720, 0.1, 100);
  camera.position.set(0, 1, 5);
  camera.lookAt(0, 1, 0);
  camera.updateMatrixWorld();
  return { camera, matrix: fillViewMatrix(camera, new Matrix4()) };
}

describe("picking", () => {
  it("finds where points are in the picture", () => {
    const { camera, matrix } = makeCamera();
    const random = new Random(2);
    for (let round = 0; round < 20; round++) {
      const point = new Vector3(random.between(-2, 2), random.between(0, 2), random.between(-2, 2));
      const seen = point.clone().project(camera);
      const spot = findSpot(matrix, point.x, point.y, point.z, 1280, 720, { x: 0, y: 0, depth: 0 });
      expect(spot.x).toBeCloseTo((seen.x / 2 + 0.5) * 1280, 4);
      expect(spot.y).toBeCloseTo((0.5 - seen.y / 2) * 720, 4);
      expect(spot.depth).toBeCloseTo(5 - point.z, 4);
    }
  });

  it("picks the nearest joint of all characters, or none", () => {
    const { matrix } = makeCamera();
    const picker = new JointPicker();
    const a = new Float32Array([0, 0, 0, 0.5, 0, 0]);
    const b = new Float32Array([-0.5, 0, 0]);
    const spot = findSpot(matrix, 0.52, 1, 0, 1280, 720, { x: 0, y: 0, depth: 0 });
    picker.begin(matrix, spot.x, spot.y, 1280, 720, 16);
    picker.consider("a", a, new Vector3(0, 1, 0));
    picker.consider("b", b, new Vector3(0, 1, 0));
    expect([picker.character, picker.joint]).toEqual(["a", 1]);
    picker.begin(matrix, spot.x + 100, spot.y, 1280, 720, 16);
    picker.consider("a", a, new Vector3(0, 1, 0));
    expect(picker.character).toBeNull();
  });

  it("picks the one in front where two lie over each other", () => {
    const { matrix } = makeCamera();
    const picker = new JointPicker();
    for (const order of [["far", "near"], ["near", "far"]]) {
      picker.begin(matrix, 640, 360, 1280, 720, 16);
      for (const name of order) picker.consider(name, new Float32Array(3), new Vector3(0, 1, name === "near" ? 2 : -2));
      expect(picker.character).toBe("near");
    }
  });

  it("never picks what is behind the camera or was not seen", () => {
    const { matrix } = makeCamera();
    const picker = new JointPicker();
    picker.begin(matrix, 640, 360, 1280, 720, 16);
    picker.consider("behind", new Float32Array([0, 0, 0, Number.NaN, 0, 0]), new Vector3(0, 1, 9));
    expect(picker.character).toBeNull();
  });
});
