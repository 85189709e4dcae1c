import { describe, expect, it } from "vitest";
import type { SkeletonData } from "../../motion/types";
import { centimetresText, findNearest } from "./nearness";

const skeleton = {
  digest: "s",
  names: ["hips", "left", "right"],
  parents: [-1, 0, 0],
  offsets: new Float32Array([0, 0, 0, 0.5, 0, 0, -0.5, 0, 0]),
  roles: { left_hand: 1, right_hand: 2 },
  ends: [],
} as SkeletonData;
const pose = { root: new Float32Array([1, 1, 0]), rotations: new Float32Array([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]) };

describe("the distance of props", () => {
  it("is that of the nearest hand or foot", () => {
    const [one, other] = findNearest(skeleton, pose, ["left_hand", "right_hand", "tail"], [[1.5, 1, 0.3], [0.4, 1, 0]]);
    expect(one?.point).toBe("left_hand");
    expect(one?.metres).toBeCloseTo(0.3);
    expect(other?.point).toBe("right_hand");
    expect(centimetresText(other?.metres ?? 0)).toBe("10 cm");
  });

  it("is not known of a body without them", () => {
    expect(findNearest(skeleton, pose, [], [[0, 0, 0]])).toEqual([null]);
  });
});
