import { describe, expect, it } from "vitest";
import { makeAnswer as answer } from "../../testing/answers";
import { allOf, castOf, costsOf, differenceOf, withAnswer } from "./answers";

describe("answers", () => {
  it("replace the best so far, and others stand beside it in order of cost", () => {
    const first = withAnswer(null, answer());
    expect([first.isFinal, first.best.id]).toEqual([false, "answer:1"]);
    const better = withAnswer(first, answer({ id: "answer:2", kind: "best" }));
    expect([better.isFinal, better.best.id, better.others]).toEqual([false, "answer:2", []]);
    const whole = withAnswer(better, answer({ id: "answer:2", kind: "best", is_whole: true }));
    expect(whole.isFinal).toBe(true);
    let found = withAnswer(whole, answer({ id: "answer:3", kind: "other", cost: 14 }));
    found = withAnswer(found, answer({ id: "answer:4", kind: "other", cost: 9 }));
    found = withAnswer(found, answer({ id: "answer:3", kind: "other", is_whole: true, cost: 14 }));
    expect(allOf(found).map((answer) => answer.id)).toEqual(["answer:2", "answer:4", "answer:3"]);
    expect(found.others[1].is_whole).toBe(true);
    const replaced = withAnswer(found, answer({ tag: "u", id: "answer:9" }));
    expect([replaced.tag, replaced.others.length, replaced.isFinal]).toEqual(["u", 0, false]);
  });

  it("are final with their whole report, whatever kind a method gives the last one", () => {
    const first = withAnswer(null, answer());
    expect(withAnswer(first, answer({ kind: "restart 12", is_whole: true })).isFinal).toBe(true);
    expect(withAnswer(first, answer({ kind: "other", is_whole: true, id: "answer:2" })).isFinal).toBe(false);
  });

  it("describe how they differ and what they cost", () => {
    const best = answer();
    expect(differenceOf(answer({ cost: 8.1, differs: 0.64 }), best)).toBe("costs 2.1 more, 64 % from elsewhere");
    expect(differenceOf(best, best)).toBe("as good in another way");
    expect(costsOf(best)).toBe("Labels 1.0, cuts 2.0, places 3.0");
    expect(costsOf(answer({ costs: {} }))).toBe("");
  });

  it("show all their characters, each in a hue of its own, and those of a compared answer beside them", () => {
    const characters = ["answer:1", "answer:1/2"].map((motion) => ({ name: motion, motion, kind: "body" as const, pieces: [] }));
    const two = answer({ characters });
    expect(castOf(null, null)).toEqual([]);
    expect(castOf(two, two)).toEqual([
      { motion: "answer:1", hue: 0 },
      { motion: "answer:1/2", hue: 1 },
    ]);
    expect(castOf(two, answer({ id: "answer:2" })).at(-1)).toEqual({ motion: "answer:2", hue: 2, isBeside: true });
  });
});
