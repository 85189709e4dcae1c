import { describe, expect, it } from "vitest";
import type * as T from "../../api/types";
import { badgeSentence, badgeState, badgeText, choose, NO_FILTER, prepare, type Take, withBadges } from "./takes";

const LIMITS = {
  skate: { most: 12, unit: "cm/s", about: "" },
  floor: { most: 3, unit: "cm", about: "" },
  spikes: { most: 0, unit: "", about: "" },
};

function take(name: string, changes: Partial<T.TakeRow> = {}): Take {
  return prepare({
    name,
    kind: "body",
    frames: 120,
    fps: 60,
    skeleton: "a",
    labels: {},
    flags: [],
    left_out: "",
    source: `${name}.bvh`,
    made: false,
    measured: true,
    skate: 5,
    floor: -1,
    spikes: 0,
    ...changes,
  }, LIMITS);
}

const names = (takes: Take[]): string[] => takes.map((take) => take.name);

describe("choosing takes", () => {
  const all = [
    take("run/fast", { labels: { run: 1, turn_left: 0.5 }, frames: 300 }),
    take("walk/slow", { labels: { walk: 2 }, skeleton: "b" }),
    take("walk/Turning", { labels: { walk: 1, turn_left: 1 }, skate: 20, frames: 60 }),
    take("face/smile", { kind: "points", skeleton: null, skate: null, floor: null, spikes: null, measured: false }),
  ];

  it("finds every word of the search in names and labels, whatever their case", () => {
    expect(names(choose(all, { ...NO_FILTER, text: "WALK turn" }, "name"))).toEqual(["walk/Turning"]);
    expect(names(choose(all, { ...NO_FILTER, text: "  " }, "name"))).toHaveLength(4);
  });

  it("requires all labels that were chosen", () => {
    expect(names(choose(all, { ...NO_FILTER, labels: ["turn_left"] }, "name"))).toEqual(["run/fast", "walk/Turning"]);
    expect(names(choose(all, { ...NO_FILTER, labels: ["turn_left", "walk"] }, "name"))).toEqual(["walk/Turning"]);
  });

  it("distinguishes skeletons, and takes without one", () => {
    expect(names(choose(all, { ...NO_FILTER, skeleton: "b" }, "name"))).toEqual(["walk/slow"]);
    expect(names(choose(all, { ...NO_FILTER, skeleton: "" }, "name"))).toEqual(["face/smile"]);
  });

  it("shows what should be checked, and sorts by how much", () => {
    expect(names(choose(all, { ...NO_FILTER, wanting: true }, "name"))).toEqual(["walk/Turning"]);
    expect(names(choose(all, NO_FILTER, "skate"))[0]).toBe("walk/Turning");
    expect(names(choose(all, NO_FILTER, "long"))[0]).toBe("run/fast");
    expect(names(choose(all, NO_FILTER, "short"))[0]).toBe("walk/Turning");
  });

  it("leaves the list as it was", () => {
    const before = names(all);
    choose(all, NO_FILTER, "long");
    expect(names(all)).toEqual(before);
  });

  it("gives the same as a brute-force search among ten thousand", () => {
    const many = Array.from({ length: 10_000 }, (_, i) => take(`set_${i % 7}/take_${i}`, { labels: i % 3 ? { walk: 1 } : {} }));
    const found = choose(many, { ...NO_FILTER, text: "set_3 99", labels: ["walk"] }, "name");
    const slow = many.filter((take) => /set_3/.test(take.words) && /99/.test(take.words) && "walk" in take.labels);
    expect(names(found)).toEqual(names(slow));
    expect(found.length).toBeGreaterThan(10);
  });
});

describe("badges", () => {
  it("warn beyond their limits, on both sides of the floor", () => {
    expect(badgeState(take("a", { skate: 12 }), "skate", LIMITS)).toBe("ok");
    expect(badgeState(take("a", { skate: 12.1 }), "skate", LIMITS)).toBe("warn");
    expect(badgeState(take("a", { floor: -4 }), "floor", LIMITS)).toBe("warn");
    expect(badgeState(take("a", { floor: 4 }), "floor", LIMITS)).toBe("warn");
    expect(badgeState(take("a", { spikes: 1 }), "spikes", LIMITS)).toBe("warn");
  });

  it("are unknown until they are measured, and none for what a take does not have", () => {
    expect(badgeState(take("a", { measured: false, skate: null }), "skate", LIMITS)).toBe("unknown");
    expect(badgeState(take("a", { skate: null }), "skate", LIMITS)).toBe("none");
    expect(badgeState(take("a", { kind: "points" }), "floor", LIMITS)).toBe("none");
  });

  it("come in while the list is shown, and leave the other takes alone", () => {
    const before = [take("a", { measured: false, skate: null }), take("b")];
    const after = withBadges(before, { a: [17.26, -4.2, 2] }, LIMITS);
    expect(after[0]).toMatchObject({ measured: true, skate: 17.26, floor: -4.2, spikes: 2, wanting: ["skate", "floor", "spikes"] });
    expect(after[1]).toBe(before[1]);
    expect(before[0].measured).toBe(false);
  });

  it("are described in a sentence", () => {
    expect(badgeText("skate", 17.26)).toBe("17 cm/s");
    expect(badgeText("floor", -4.2)).toBe("4.2 cm below");
    expect(badgeText("floor", 0.01)).toBe("on it");
    expect(badgeText("spikes", 1)).toBe("1 spike");
    expect(badgeSentence(take("a", { spikes: 3 }), "spikes", LIMITS)).toContain("3 times");
    expect(badgeSentence(take("a", { floor: 5 }), "floor", LIMITS)).toContain("above the floor by 5.0 cm");
  });
});
