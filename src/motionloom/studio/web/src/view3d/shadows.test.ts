import { Vector3, Vector4 } from "three";
import { describe, expect, it } from "vitest";

import { fillBlurWeights, Shadows } from "./shadows";

const LIGHT = new Vector3(-0.4, 1.2, 0.6).normalize();

describe("shadows", () => {
  it("blurs without making anything darker, and wider the higher the layer", () => {
    const weights = Array.from({ length: 5 }, () => new Vector4());
    fillBlurWeights(0.02, weights);
    for (const layer of [0, 1, 2, 3]) {
      const sum = weights.reduce((total, weight, k) => total + (k === 0 ? 1 : 2) * weight.getComponent(layer), 0);
      expect(sum).toBeCloseTo(1, 9);
      if (layer > 0) expect(weights[0].getComponent(layer)).toBeLessThan(weights[0].getComponent(layer - 1));
    }
  });

  it("covers all characters and where their shadows fall", () => {
    const shadows = new Shadows(LIGHT);
    const places = [new Vector3(0, 0, 0), new Vector3(3, 0, 1)];
    shadows.cover(places, 1.5, 9);
    for (const { x, z } of places) {
      for (const height of [0, 1.7]) {
        const [fallX, fallZ] = [x - (LIGHT.x / LIGHT.y) * height, z - (LIGHT.z / LIGHT.y) * height];
        expect(Math.abs(fallX - shadows.middle.x)).toBeLessThan(shadows.halfSize);
        expect(Math.abs(fallZ - shadows.middle.y)).toBeLessThan(shadows.halfSize);
      }
    }
    shadows.dispose();
  });

  it("moves by whole pixels, so that edges do not crawl", () => {
    const shadows = new Shadows(LIGHT);
    const steps: number[] = [];
    for (let n = 0; n < 100; n++) {
      shadows.cover([new Vector3(n * 0.003, 0, 0)], 1.5, 9);
      steps.push(shadows.middle.x);
    }
    const moves = new Set(steps.slice(1).map((x, n) => Math.round((x - steps[n]) * 1e6)));
    expect(moves.size).toBe(2); // none, or one pixel
    expect(moves.has(0)).toBe(true);
  });

  it("rests at the origin without characters", () => {
    const shadows = new Shadows(LIGHT);
    shadows.cover([], 1.5, 9);
    expect(Number.isFinite(shadows.middle.x + shadows.halfSize)).toBe(true);
  });
});
