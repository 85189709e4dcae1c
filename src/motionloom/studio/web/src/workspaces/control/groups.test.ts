import { expect, it } from "vitest";
import { groupTakes } from "./groups";

const take = (name: string, seconds = 10) => ({ name, seconds });

it("takes of one folder, or of one subject, make a group", () => {
  const groups = groupTakes([take("run/a"), take("run/b"), take("69_01"), take("69_02"), take("69_03")]);
  expect(groups).toEqual([
    { name: "69", takes: ["69_01", "69_02", "69_03"], seconds: 30 },
    { name: "run", takes: ["run/a", "run/b"], seconds: 20 },
  ]);
});

it("the group of the take in view comes first, then those to fight and walk with", () => {
  const takes = [take("sit/a", 90), take("walk/a"), take("run/a")];
  expect(groupTakes(takes).map((group) => group.name)).toEqual(["walk", "sit", "run"]);
  expect(groupTakes(takes, "run/a")[0].name).toBe("run");
});

it("a group is never so long that its graph takes long to build, and never empty", () => {
  const [long] = groupTakes(Array.from({ length: 40 }, (_, n) => take(`walk/${n}`, 30)));
  expect(long.takes).toHaveLength(8);
  expect(groupTakes([take("walk/all", 900)])[0].takes).toEqual(["walk/all"]);
});
