import { describe, expect, it } from "vitest";
import type * as T from "../../api/types";
import { renamed } from "../../commands/rename_label";
import { labelProblem, splitLabels } from "./vocabulary";

describe("labels", () => {
  it("are separated by commas and lines, each once, without those that are there", () => {
    expect(splitLabels(" walk, run ;run\nleft  hand busy,, jump", ["jump"])).toEqual(["walk", "run", "left hand busy"]);
    expect(splitLabels("  ")).toEqual([]);
  });

  it("that are empty or there already are rejected", () => {
    expect(labelProblem(" ", [])).not.toBe("");
    expect(labelProblem("walk", ["walk"])).toContain("already");
    expect(labelProblem("stroll", ["walk"])).toBe("");
  });

  it("are renamed in the vocabulary and in what was painted, on takes and on the timeline", () => {
    const document = {
      workspace: "annotate",
      annotate: {
        vocabulary: ["walk", "run"],
        take: "a",
        classifier: "usual",
        kernel: null,
        gamma: null,
        drafts: { a: { walk: [[0, 4, 1]], run: [[2, 3, -1]] } },
      },
      timeline: {
        tracks: ["run", "walk"],
        request: { labels: [{ label: "walk", from: "0s", to: "1s", value: "must" }] },
        beyond: { labels: [{ label: "walk", from: "11s", to: "12s", value: "must" }] },
      },
    } as unknown as T.Document;
    const after = renamed(document, "walk", "stroll");
    expect(after.annotate.vocabulary).toEqual(["stroll", "run"]);
    expect(after.annotate.drafts).toEqual({ a: { stroll: [[0, 4, 1]], run: [[2, 3, -1]] } });
    expect(after.timeline.tracks).toEqual(["run", "stroll"]);
    expect(after.timeline.request.labels[0].label).toBe("stroll");
    expect(after.timeline.beyond.labels[0].label).toBe("stroll");
    expect(renamed(after, "stroll", "walk")).toEqual(document);
  });
});
