import { describe, expect, it } from "vitest";
import { comparisonAfter, keepThose, move, NOTHING, only, select } from "./selecting";

const ORDER = ["a", "b", "c", "d", "e"];
const PLAIN = { ctrl: false, shift: false };
const sorted = (names: ReadonlySet<string>): string[] => [...names].sort();

describe("selecting", () => {
  it("chooses a take by a click", () => {
    expect(select(only("a"), ORDER, "c", PLAIN)).toEqual(only("c"));
  });

  it("reaches from the anchor with Shift, both ways, again and again", () => {
    const down = select(only("b"), ORDER, "d", { ctrl: false, shift: true });
    expect(sorted(down.names)).toEqual(["b", "c", "d"]);
    const up = select(down, ORDER, "a", { ctrl: false, shift: true });
    expect(sorted(up.names)).toEqual(["a", "b"]);
    expect(up.current).toBe("a");
  });

  it("adds and takes away with Ctrl, but never the last one", () => {
    const two = select(only("a"), ORDER, "c", { ctrl: true, shift: false });
    expect(sorted(two.names)).toEqual(["a", "c"]);
    const left = select(two, ORDER, "c", { ctrl: true, shift: false });
    expect(sorted(left.names)).toEqual(["a"]);
    expect(left.current).toBe("a");
    expect(sorted(select(left, ORDER, "a", { ctrl: true, shift: false }).names)).toEqual(["a"]);
  });

  it("moves with the arrow keys and stops at the ends", () => {
    expect(move(NOTHING, ORDER, 1, PLAIN).current).toBe("a");
    expect(move(only("d"), ORDER, 10, PLAIN).current).toBe("e");
    expect(move(only("b"), ORDER, -10, PLAIN).current).toBe("a");
    expect(sorted(move(only("b"), ORDER, 1, { ctrl: false, shift: true }).names)).toEqual(["b", "c"]);
    expect(move(only("a"), [], 1, PLAIN)).toEqual(only("a"));
  });

  it("goes to the next take when the current one is gone", () => {
    expect(keepThose(only("b"), ORDER, new Set(["a", "c", "d", "e"])).current).toBe("c");
    expect(keepThose(only("e"), ORDER, new Set(["a", "b"])).current).toBe("b");
    expect(keepThose(only("a"), ORDER, new Set())).toEqual(NOTHING);
    expect(keepThose(only("b"), ORDER, new Set(ORDER)).current).toBe("b");
  });
});

describe("a comparison", () => {
  const both = { main: "a", beside: "b" };

  it("goes when another take is chosen, even the one beside, and does not come back", () => {
    for (const chosen of ["b", "c", null]) expect(comparisonAfter(both, "a", chosen)).toBeNull();
    expect(comparisonAfter(comparisonAfter(both, "a", "c"), "c", "a")).toBeNull();
  });

  it("stays while the current take does, and until the take that it is about is there", () => {
    expect(comparisonAfter(both, "a", "a")).toBe(both);
    expect(comparisonAfter(both, "before", "before")).toBe(both); // a cleaned take is not in the list yet
    expect(comparisonAfter(both, "before", "a")).toBe(both);
  });
});
