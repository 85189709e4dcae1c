import { describe, expect, it } from "vitest";
import { layDiagram, layStubs } from "./diagram";

const clips = [
  { source: 0, target: 0, seconds: 1 },
  { source: 0, target: 0, seconds: 2 },
  { source: 0, target: 1, seconds: 1 },
  { source: 1, target: 0, seconds: 1 },
  { source: 1, target: 0, seconds: 1 },
];

describe("the node graph", () => {
  const { circles, arcs } = layDiagram(2, clips, 300, 200);

  it("shows hubs with more choice larger, inside the picture and apart from each other", () => {
    expect(circles[0].radius).toBeGreaterThan(circles[1].radius);
    for (const { x, y, radius } of circles) {
      expect(x - radius).toBeGreaterThan(0);
      expect(x + radius).toBeLessThan(300);
      expect(y - radius).toBeGreaterThan(0);
      expect(y + radius).toBeLessThan(200);
    }
    for (const hubs of [2, 3, 5, 8]) {
      const many = layDiagram(hubs, [], 300, 200).circles;
      many.forEach((circle, i) =>
        many.slice(i + 1).forEach((other) => expect(Math.hypot(circle.x - other.x, circle.y - other.y)).toBeGreaterThan(circle.radius + other.radius)),
      );
    }
  });

  it("has an arc for every clip, petals where a clip comes back, and none on top of another", () => {
    expect(arcs.map(({ clip, isPetal }) => [clip, isPetal])).toEqual([[0, true], [1, true], [2, false], [3, false], [4, false]]);
    const tips = arcs.map(({ tip }) => tip.map(Math.round).join());
    expect(new Set(tips).size).toBe(arcs.length);
    for (const { path } of arcs) expect(path).not.toMatch(/NaN|Infinity/);
  });

  it("leaves out clips of nodes that are no hubs, which are drawn as stubs", () => {
    expect(layDiagram(1, [{ source: 0, target: 3, seconds: 1 }], 300, 200).arcs).toEqual([]);
    expect(layStubs(circles[0], { out: 2, in: 9 }).map((stub) => stub.isIn)).toEqual([false, false, true, true, true, true]);
  });
});
