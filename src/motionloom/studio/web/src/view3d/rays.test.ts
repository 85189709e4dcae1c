import { PerspectiveCamera, Ray, Vector3 } from "three";
import { describe, expect, it } from "vitest";

import { Random } from "../testing/random";
import { dragWaypoint } from "./grips";
import { ahead, aimRay, headingOf, heightNearRay, meetGround, meetPlane } from "./rays";
import type { Waypoint } from "./types";
import { ARROW_TIP, DISC_RADIUS, findWaypoint } from "./waypoints";

const down = (x: number, y: number, z: number, dx: number, dy: number, dz: number): Ray =>
  new Ray(new Vector3(x, y, z), new Vector3(dx, dy, dz).normalize());

describe("rays", () => {
  it("looks along the camera in the middle of the picture", () => {
    const camera = new PerspectiveCamera(40, 2, 0.1, 100);
    camera.position.set(3, 2, 5);
    camera.lookAt(0, 1, 0);
    camera.updateMatrixWorld();
    const ray = aimRay(camera, 400, 200, 800, 400, new Ray());
    expect(ray.origin.distanceTo(camera.position)).toBeLessThan(1e-9);
    expect(ray.direction.dot(camera.getWorldDirection(new Vector3()))).toBeCloseTo(1, 9);
  });

  it("finds the point of the ground that is drawn under the pointer", () => {
    const random = new Random(4);
    const camera = new PerspectiveCamera(32, 16 / 9, 0.1, 100);
    camera.position.set(2, 3, 4);
    camera.lookAt(0, 0, 0);
    camera.updateMatrixWorld();
    for (let round = 0; round < 20; round++) {
      const point = new Vector3(random.between(-1, 1), 0, random.between(-1, 1));
      const seen = point.clone().project(camera);
      const ray = aimRay(camera, (seen.x / 2 + 0.5) * 1280, (0.5 - seen.y / 2) * 720, 1280, 720, new Ray());
      const found = new Vector3();
      expect(meetGround(ray, found)).toBe(true);
      expect(found.distanceTo(point)).toBeLessThan(1e-6);
    }
  });

  it("meets no ground in the sky, along the horizon or behind", () => {
    const result = new Vector3();
    expect(meetGround(down(0, 1, 0, 0, 1, 1), result)).toBe(false);
    expect(meetGround(down(0, 1, 0, 0, 0, 1), result)).toBe(false);
    expect(meetGround(down(0, -1, 0, 0, -1, 0), result)).toBe(false);
  });

  it("meets the plane through a point", () => {
    const result = new Vector3();
    expect(meetPlane(down(0, 1, 0, 0, 0, 1), new Vector3(5, 5, 3), new Vector3(0, 0, -1), result)).toBe(true);
    expect(result.toArray()).toEqual([0, 1, 3]);
    expect(meetPlane(down(0, 1, 0, 1, 0, 0), new Vector3(5, 5, 3), new Vector3(0, 0, -1), result)).toBe(false);
  });

  it("finds the height of an upright line nearest to a ray", () => {
    expect(heightNearRay(down(0, 1, 0, 0, 0.5, 1), 0, 4)).toBeCloseTo(3, 9);
    expect(heightNearRay(down(0, 1, 0, 0, -1, 0), 0, 4)).toBeNull();
    expect(heightNearRay(down(0, 1, 0, 0, 0, -1), 0, 4)).toBeNull(); // behind
  });

  it("turns headings into directions and back", () => {
    expect(headingOf(0, 1)).toBe(0); // along +z
    expect(headingOf(1, 0)).toBeCloseTo(Math.PI / 2); // left is +x
    for (const heading of [-3, -1.2, 0, 0.4, 2.9]) {
      const [x, z] = ahead(2, -1, heading, 1.5);
      expect(headingOf(x - 2, z + 1)).toBeCloseTo(heading, 9);
      expect(Math.hypot(x - 2, z + 1)).toBeCloseTo(1.5, 9);
    }
  });
});

describe("waypoints", () => {
  const waypoint: Waypoint = { id: "w", x: 1, z: 2, heading: 0.5, label: "", selected: false, met: null };

  it("moves with the pointer from where it was grabbed", () => {
    const moved = dragWaypoint(waypoint, "disc", [1.1, 2.05], [3.1, 1.05]);
    expect(moved.x).toBeCloseTo(3);
    expect(moved.z).toBeCloseTo(1);
    expect(moved.heading).toBe(0.5);
  });

  it("turns towards the pointer and stays where it is", () => {
    const turned = dragWaypoint(waypoint, "arrow", [1.2, 2.4], [2, 2]);
    expect(turned.heading).toBeCloseTo(Math.PI / 2);
    expect([turned.x, turned.z]).toEqual([1, 2]);
    expect(dragWaypoint(waypoint, "arrow", [1.2, 2.4], [1.001, 2]).heading).toBe(0.5); // no direction there
  });

  it("distinguishes the disc from the arrow", () => {
    const all = [waypoint, { ...waypoint, id: "v", x: 4, heading: null }];
    expect(findWaypoint(all, 1.1, 2, 1, 0)).toEqual({ id: "w", part: "disc" });
    const [x, z] = ahead(1, 2, 0.5, ARROW_TIP - 0.02);
    expect(findWaypoint(all, x, z, 1, 0)).toEqual({ id: "w", part: "arrow" });
    const [bx, bz] = ahead(1, 2, 0.5 + Math.PI, ARROW_TIP - 0.02);
    expect(findWaypoint(all, bx, bz, 1, 0)).toBeNull();
    expect(findWaypoint(all, 4, 2 + ARROW_TIP - 0.02, 1, 0)).toBeNull(); // it has no heading
  });

  it("offers an arrow to a selected one without a heading", () => {
    const open = { ...waypoint, heading: null, aim: 0.5, selected: true };
    const [x, z] = ahead(1, 2, 0.5, ARROW_TIP - 0.02);
    expect(findWaypoint([open], x, z, 1, 0)).toEqual({ id: "w", part: "arrow" });
    expect(findWaypoint([{ ...open, selected: false }], x, z, 1, 0)).toBeNull();
    expect(dragWaypoint(open, "arrow", [x, z], [2, 2]).heading).toBeCloseTo(Math.PI / 2);
    expect(dragWaypoint(open, "disc", [1, 2], [2, 2]).heading).toBeNull();
  });

  it("grabs the one on top, and discs that are drawn larger from farther away", () => {
    const all = [waypoint, { ...waypoint, id: "top", x: 1.1 }];
    expect(findWaypoint(all, 1.05, 2, 1, 0)?.id).toBe("top");
    expect(findWaypoint([waypoint], 1 + 1.5 * DISC_RADIUS, 2, 1, 0)?.part).not.toBe("disc");
    expect(findWaypoint([waypoint], 1 + 1.5 * DISC_RADIUS, 2, 2, 0)?.part).toBe("disc");
  });
});
