import { describe, expect, it } from "vitest";
import { arcSvg, extentOf, placeWay, toSvg, wayOf } from "./paths";

const roots = (points: [number, number][]): Float32Array => new Float32Array(points.flatMap(([x, z]) => [x, 0.9, z]));

describe("the way of a clip", () => {
  it("begins with its first frame and ends at its target node, however long it is", () => {
    const many = roots(Array.from({ length: 500 }, (_, n) => [0, n / 100]));
    const way = wayOf(many, 0, 500, [0.5, 5, 0.3]);
    expect(way.points.length).toBeLessThan(60);
    expect([...way.points.slice(0, 2), ...way.points.slice(-2)]).toEqual([0, 0, 0.5, 5]);
  });

  it("is drawn with ahead up and left to the left", () => {
    expect(toSvg(wayOf(roots([[0, 0]]), 0, 1, [1, 2, 0]))).toBe("M0.000 0.000L-1.000 -2.000");
  });

  it("is put down in the world as placements are: a quarter to the left turns +z to +x", () => {
    const [, end] = placeWay(wayOf(roots([[0, 0]]), 0, 1, [0, 2, 0]), 10, 20, Math.PI / 2);
    expect(end[0]).toBeCloseTo(12);
    expect(end[1]).toBeCloseTo(20);
  });

  it("fits with others into one square", () => {
    const [first, second] = [wayOf(roots([[0, 0]]), 0, 1, [0, -3, 3]), wayOf(roots([[0, 0]]), 0, 1, [1, 1, 0])];
    expect(extentOf([first, second])).toBe(3);
  });
});

describe("the requested arc", () => {
  const endOf = (path: string): number[] => path.slice(path.lastIndexOf("L") + 1).split(" ").map(Number);

  it("goes straight on without curvature", () => {
    expect(endOf(arcSvg(1.5, 0, 2))).toEqual([0, -3]);
  });

  it("closes a circle after its whole length", () => {
    const [x, y] = endOf(arcSvg(2 * Math.PI, 1, 1));
    expect(Math.hypot(x, y)).toBeLessThan(2e-3);
  });

  it("bends to the left for positive curvature", () => {
    expect(endOf(arcSvg(1, 1, 1))[0]).toBeLessThan(0);
  });
});
