import { describe, expect, it } from "vitest";
import { skeletonChoices } from "./skeletons";

const rows = [
  { digest: "a", name: "performer", joints: 24, takes: 9, take: "walk/1", can_be_target: true },
  { digest: "b", name: "rig", joints: 65, takes: 1, take: "rig/wave", can_be_target: true },
  { digest: "c", name: "legless", joints: 12, takes: 1, take: "odd/legless", can_be_target: false },
];
const reference = { take: "walk/2", skeleton: "a", joints: 24, is_chosen: false, is_removed: false };

describe("skeletons to export on", () => {
  it("are listed once each, the default first", () => {
    const choices = skeletonChoices(rows, reference, "its own", false);
    expect(choices.map((choice) => choice.value)).toEqual(["", "walk/1", "rig/wave"]);
    expect(choices[1].text).toBe("the reference, 24 joints, as walk/1");
    expect(choices[2].text).toBe("65 joints, as rig/wave");
  });

  it("name the reference once where it is the default", () => {
    expect(skeletonChoices(rows, reference, "the reference", true).map((choice) => choice.value)).toEqual(["", "rig/wave"]);
    expect(skeletonChoices([], null, "the reference", true)).toHaveLength(1);
  });
});
