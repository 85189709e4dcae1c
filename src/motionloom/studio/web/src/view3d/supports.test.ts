import { Group, type Mesh, Vector3 } from "three";
import { describe, expect, it } from "vitest";

import type { Support } from "../motion/types";
import { makeColours } from "./colours";
import { isThere, Supports } from "./supports";

const STEP: Support = { centre: [1, -2], half: [0.4, 0.2], turn: 0.7, top: 0.5, bottom: 0.3, start: 120, stop: 150 };

function shown(supports: Support[], frame: number, fps = 60): Mesh[] {
  const scene = new Group();
  new Supports(scene, makeColours()).set(supports, frame, fps);
  return (scene.children[0].children as Mesh[]).filter((mesh) => mesh.visible);
}

describe("supports", () => {
  it("are boxes with their top where feet stand", () => {
    const [mesh] = shown([STEP], 130);
    mesh.updateMatrixWorld();
    const corner = new Vector3(1, 1, 1).applyMatrix4(mesh.matrixWorld);
    // as motionloom.motion.placement.turn_ground turns: a positive heading takes +z towards +x
    const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
    expect(corner.x).toBeCloseTo(1 + c * 0.4 + s * 0.2);
    expect(corner.y).toBeCloseTo(0.5);
    expect(corner.z).toBeCloseTo(-2 - s * 0.4 + c * 0.2);
    expect(new Vector3(0, -1, 0).applyMatrix4(mesh.matrixWorld).y).toBeCloseTo(0.3);
  });

  it("are there around their frames only", () => {
    expect([59, 60, 135, 209, 210].map((frame) => isThere(STEP, frame, 60))).toEqual([false, true, true, true, false]);
    expect(shown([STEP], 10)).toHaveLength(0);
    expect(shown([STEP, { ...STEP, start: 0 }], 10)).toHaveLength(1);
  });

  it("tell when there is something new to draw", () => {
    const supports = new Supports(new Group(), makeColours());
    const steps = [STEP];
    expect(supports.set(steps, 10, 60)).toBe(true);
    expect(supports.set(steps, 11, 60)).toBe(false);
    expect(supports.set(steps, 100, 60)).toBe(true);
    expect(supports.set(steps, 101, 60)).toBe(false);
  });
});
