import { expect, it } from "vitest";
import { GroundTrail, LAST } from "./trail";

it("a trail ends where the character is, goes back in time, and never grows", () => {
  const trail = new GroundTrail([0, 0.9, 0]);
  const size = trail.points.length;
  const arrays = new Set([trail.points]);
  let added = 0;
  for (let frame = 1; frame <= 2000; frame++) {
    if (!trail.note([frame, 0.9, -frame])) continue;
    added += 1;
    arrays.add(trail.points);
    expect([trail.points[LAST * 3], trail.points[LAST * 3 + 2]]).toEqual([frame, -frame]);
    expect(trail.points[(LAST - 1) * 3]).toBeLessThan(frame);
  }
  expect(added).toBeGreaterThan(LAST);
  expect(trail.points.length).toBe(size);
  expect(arrays.size).toBe(2);
  const x = trail.points.filter((_, n) => n % 3 === 0);
  expect([...x]).toEqual([...x].sort((a, b) => a - b));
});
