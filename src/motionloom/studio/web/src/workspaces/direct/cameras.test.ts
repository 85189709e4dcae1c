import { describe, expect, it } from "vitest";
import type * as T from "../../api/types";
import { EMPTY } from "../../api/constants";
import fixture from "./cameras.fixture.json";
import { cameraTrails, seen } from "./cameras";

describe("a camera", () => {
  it("sees points where the method does, and none behind it", () => {
    for (const { camera, points, pixels } of fixture) {
      points.forEach((point, n) => {
        const pixel = seen(camera as T.Camera, point);
        if (pixels[n] === null) expect(pixel).toBeNull();
        else pixels[n].forEach((value, axis) => expect(pixel?.[axis]).toBeCloseTo(value, 2));
      });
    }
  });

  it("is drawn as a pyramid whose corners are the corners of its picture", () => {
    const camera = fixture[0].camera as T.Camera;
    const [trail] = cameraTrails({ ...EMPTY.direct.request, cameras: { one: camera } }, "body");
    const corner = [...trail.points.subarray(3, 6)];
    const pixel = seen(camera, corner);
    expect(pixel?.[0]).toBeCloseTo(0, 1);
    expect(pixel?.[1]).toBeCloseTo(0, 1);
  });
});
