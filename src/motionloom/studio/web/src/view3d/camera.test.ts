import { Vector3 } from "three";
import { describe, expect, it } from "vitest";

import { OrbitCamera } from "./camera";

const settle = (camera: OrbitCamera): void => {
  for (let n = 0; n < 400 && camera.update(1 / 60); n++);
};
const inPicture = (camera: OrbitCamera, point: Vector3): Vector3 => point.clone().project(camera.lens);

describe("the orbit camera", () => {
  it("keeps its distance and its target while it turns", () => {
    const camera = new OrbitCamera();
    const { distance } = camera.now;
    camera.orbit(0.8, 0.3);
    expect(camera.lens.position.distanceTo(camera.now.target)).toBeCloseTo(distance, 6);
    expect(inPicture(camera, camera.now.target).length()).toBeCloseTo(inPicture(camera, camera.now.target).z, 6);
  });

  it("never goes under the ground nor over the top", () => {
    const camera = new OrbitCamera();
    camera.orbit(0, -50);
    expect(camera.lens.position.y).toBeGreaterThan(0);
    camera.orbit(0, 50);
    expect(camera.now.elevation).toBeLessThan(Math.PI / 2);
  });

  it("keeps what is under the pointer there while it zooms", () => {
    const camera = new OrbitCamera();
    camera.resize(1280, 720);
    const about = new Vector3(0.7, 0, 0.4);
    const before = inPicture(camera, about);
    camera.zoom(0.5, about);
    for (let n = 0; n < 5; n++) {
      camera.update(1 / 60); // on the way as well as at the end
      const now = inPicture(camera, about);
      expect(Math.hypot(now.x - before.x, now.y - before.y)).toBeLessThan(1e-6);
    }
    settle(camera);
    expect(camera.now.distance).toBeCloseTo(2.3, 3);
    expect(Math.abs(inPicture(camera, about).x - before.x)).toBeLessThan(1e-3);
  });

  it("pans by as many pixels as the pointer moves", () => {
    const camera = new OrbitCamera();
    camera.resize(1280, 720);
    const point = camera.now.target.clone();
    camera.pan(100, 40, 720);
    const seen = inPicture(camera, point);
    expect((seen.x / 2) * 1280).toBeCloseTo(100, 1);
    expect((-seen.y / 2) * 720).toBeCloseTo(40, 1);
  });

  it("brings a ball of space into the picture", () => {
    const camera = new OrbitCamera();
    camera.resize(800, 600);
    const middle = new Vector3(6, 1, -3);
    camera.frame(middle, 1);
    settle(camera);
    expect(inPicture(camera, middle).x).toBeCloseTo(0, 3);
    const top = inPicture(camera, middle.clone().add(new Vector3(0, 1, 0)));
    expect(top.y).toBeGreaterThan(0.5);
    expect(top.y).toBeLessThan(1);
  });

  it("goes after a character and comes to rest on it", () => {
    const camera = new OrbitCamera();
    camera.follow(new Vector3(0, 0, 0));
    settle(camera);
    camera.follow(new Vector3(0.5, 0, 0.5));
    camera.update(1 / 60);
    expect(camera.now.target.x).toBeGreaterThan(0);
    expect(camera.now.target.x).toBeLessThan(0.5);
    settle(camera);
    expect(camera.now.target.x).toBeCloseTo(0.5, 6);
    expect(camera.now.target.z).toBeCloseTo(0.5, 6);
  });

  it("rises with a character that climbs, and looks no lower at one that sits down", () => {
    const camera = new OrbitCamera();
    camera.follow(new Vector3(0, 0.95, 0));
    settle(camera);
    expect(camera.now.target.y).toBeCloseTo(0.9, 6);
    camera.follow(new Vector3(0, 1.6, 0));
    settle(camera);
    expect(camera.now.target.y).toBeCloseTo(1.5, 6);
    camera.follow(new Vector3(0, 0.5, 0));
    settle(camera);
    expect(camera.now.target.y).toBeCloseTo(0.9, 6);
  });

  it("jumps along when the character is teleported", () => {
    const camera = new OrbitCamera();
    camera.follow(new Vector3(0, 0, 0));
    settle(camera);
    camera.follow(new Vector3(8, 0, 0));
    camera.update(1 / 60);
    expect(camera.now.target.x).toBeCloseTo(8, 3);
  });

  it("travels to another character that is to be followed, however far", () => {
    const camera = new OrbitCamera();
    camera.follow(new Vector3(0, 0, 0), "one");
    settle(camera);
    camera.follow(new Vector3(8, 0, 0), "other");
    camera.update(1 / 60);
    expect(camera.now.target.x).toBeLessThan(2);
    settle(camera);
    expect(camera.now.target.x).toBeCloseTo(8, 2);
  });

  it("stays beside the followed character where it was panned to", () => {
    const camera = new OrbitCamera();
    camera.follow(new Vector3(0, 0, 0));
    settle(camera);
    camera.pan(200, 0, 720);
    const aside = camera.now.target.clone();
    camera.follow(new Vector3(0, 0, 1));
    settle(camera);
    expect(camera.now.target.x).toBeCloseTo(aside.x, 5);
    expect(camera.now.target.z).toBeCloseTo(aside.z + 1, 5);
  });

  it("swings round behind the driven character, the short way, and can still be turned aside", () => {
    const camera = new OrbitCamera();
    camera.chase(-3);
    settle(camera);
    const looksBack = ({ azimuth }: OrbitCamera["now"]): number => Math.cos(azimuth - (-3 + Math.PI));
    expect(looksBack(camera.now)).toBeCloseTo(1, 3);
    expect(Math.abs(camera.now.azimuth - 0.62)).toBeLessThan(Math.PI);
    camera.orbit(0.5, 0);
    settle(camera);
    expect(looksBack(camera.now)).toBeCloseTo(Math.cos(0.5), 2);
    camera.chase(null);
    expect(camera.update(1 / 60)).toBe(false);
  });

  it("reports when it rests, so that nothing is drawn needlessly", () => {
    const camera = new OrbitCamera();
    expect(camera.update(1 / 60)).toBe(false);
    camera.zoom(0.5, null);
    expect(camera.update(1 / 60)).toBe(true);
    settle(camera);
    expect(camera.update(1 / 60)).toBe(false);
  });

  it("sees a face from its front and from below, near, and comes back to where it saw bodies from", () => {
    const camera = new OrbitCamera();
    camera.resize(1280, 720);
    camera.orbit(0.4, 0.1);
    camera.zoom(1.3, null);
    settle(camera);
    const before = { ...camera.now, target: camera.now.target.clone() };
    camera.attend("face");
    camera.frame(new Vector3(0.1, -0.3, 0.2), 0.12, 1.2);
    settle(camera);
    expect(camera.now.azimuth).toBeCloseTo(1.2, 6);
    expect(camera.now.target.toArray()).toEqual([0.1, -0.3, 0.2]);
    expect(camera.lens.position.y).toBeLessThan(0);
    camera.orbit(0, -1);
    expect(camera.now.elevation).toBeLessThan(-0.5);
    camera.zoom(0.3, null);
    settle(camera);
    const near = camera.now.distance;
    expect(near).toBeLessThan(0.3);
    camera.attend("body");
    for (const key of ["azimuth", "elevation", "distance"] as const) expect(camera.now[key]).toBeCloseTo(before[key], 6);
    expect(camera.now.target.distanceTo(before.target)).toBeLessThan(1e-3);
    camera.attend("face");
    expect(camera.now.distance).toBeCloseTo(near, 6);
  });

  it("looks at a face that is framed before it is followed, whatever it followed until then", () => {
    const camera = new OrbitCamera();
    camera.follow(new Vector3(3, 0.95, -2), "walker");
    settle(camera);
    camera.attend("face");
    const face = new Vector3(0, 1.25, 0.05);
    camera.frame(face, 0.12, 0);
    camera.follow(face, "smile");
    settle(camera);
    expect(camera.now.target.distanceTo(face)).toBeLessThan(1e-3);
  });

  it("goes after a face at its own height", () => {
    const camera = new OrbitCamera();
    camera.attend("face");
    camera.follow(new Vector3(1, 0.2, 0), "face");
    settle(camera);
    expect(camera.now.target.y).toBeCloseTo(0.2, 3);
  });
});
