import { expect, test } from "vitest";

import { jointName } from "./joint_names";

const skeleton = { names: ["Hips", "RightHand", "LeftFinger"], roles: { hips: 0, right_hand: 1 } };

test("a joint is called by its role, as everywhere else on the page", () => {
  expect([0, 1].map((joint) => jointName(skeleton, joint))).toEqual(["hips", "right hand"]);
});

test("what has no role keeps the name of the skeleton", () => {
  expect(jointName(skeleton, 2)).toBe("LeftFinger");
  expect(jointName(skeleton, 7)).toBe("");
});
