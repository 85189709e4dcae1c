import { describe, expect, it } from "vitest";
import { atEvenTimes, atEvenWays, lengthOf } from "./strokes";

type Place = [number, number, number];
const line: Place[] = [[0, 0, 0], [0.1, 0, 0], [1, 0, 0]]; // prettier-ignore

describe("a stroke as a path", () => {
  it("has its ends, and equal ways between its points", () => {
    const path = atEvenWays(line);
    expect(path[0]).toEqual(line[0]);
    expect(path[path.length - 1]).toEqual(line[2]);
    const ways = path.slice(1).map((point, n) => lengthOf([path[n], point]));
    ways.forEach((way) => expect(way).toBeCloseTo(ways[0], 9));
    expect(path).toHaveLength(5);
  });

  it("is as fast as the hand was", () => {
    const path = atEvenTimes(line, [0, 1, 2]); // slow at first
    expect(path.slice(0, path.length / 2).every(([x]) => x <= 0.1 + 1e-9)).toBe(true);
    expect(path[path.length - 1][0]).toBeCloseTo(1, 9);
    expect(path.length).toBeGreaterThan(atEvenWays(line).length);
  });

  it("stays at its place where the hand rested", () => {
    const path = atEvenTimes([[0, 0, 0], [1, 0, 0], [1, 0, 0], [2, 0, 0]], [0, 1, 3, 4]); // prettier-ignore
    expect(path.filter(([x]) => Math.abs(x - 1) < 1e-9).length).toBeGreaterThan(2);
  });
});
