import { Group, type Mesh } from "three";
import { describe, expect, it } from "vitest";

import type { Terrain } from "../motion/types";
import { makeColours } from "./colours";
import { makeSurface, TerrainSurface } from "./terrain";

const HILL: Terrain = {
  origin: [1, -2],
  spacing: [0.5, 0.25],
  turn: 0.7,
  heights: [
    [0, 0, 0.2],
    [0, 0, 0.4],
    [0, 0, 0.1],
  ],
};

describe("terrain", () => {
  it("goes through its heights, turned as on the server", () => {
    const positions = makeSurface(HILL).getAttribute("position");
    const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
    const last = 5; // the second point along its own x, the third along its own z
    expect(positions.getX(last)).toBeCloseTo(1 + c * 0.5 + s * 0.5);
    expect(positions.getY(last)).toBeCloseTo(0.4);
    expect(positions.getZ(last)).toBeCloseTo(-2 - s * 0.5 + c * 0.5);
  });

  it("faces upwards and leaves out what is level with the floor", () => {
    const surface = makeSurface(HILL);
    expect(surface.index?.count).toBe(2 * 2 * 3); // of four cells, two have a corner above the floor
    const normals = surface.getAttribute("normal");
    for (const vertex of new Set(Array.from(surface.index!.array))) expect(normals.getY(vertex)).toBeGreaterThan(0);
  });

  it("is shown while there is one, and tells when there is something new to draw", () => {
    const scene = new Group();
    const terrain = new TerrainSurface(scene, makeColours());
    const mesh = scene.children[0] as Mesh;
    expect(mesh.visible).toBe(false);
    expect(terrain.set(HILL)).toBe(true);
    expect(terrain.set(HILL)).toBe(false);
    expect(mesh.visible).toBe(true);
    expect(terrain.set(null)).toBe(true);
    expect(mesh.visible).toBe(false);
    terrain.dispose();
    expect(scene.children).toHaveLength(0);
  });
});
