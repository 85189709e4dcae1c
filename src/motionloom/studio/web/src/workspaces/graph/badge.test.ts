import { describe, expect, it } from "vitest";
import type * as T from "../../api/types";
import { badgeOf } from "./badge";

const job = { note: "bending takes", done: 3, total: 4 } as T.Job;

describe("the badge", () => {
  it("shows the progress of the build", () => {
    expect(badgeOf({ look: "building", job, clips: 7, problems: 0 })).toEqual({ look: "busy", text: "building the graph, bending takes 75 %" });
    expect(badgeOf({ look: "waiting", job: null, clips: null, problems: 0 })?.look).toBe("busy");
  });

  it("shows what plays when something cannot be built", () => {
    expect(badgeOf({ look: "built", job: null, clips: 7, problems: 1 })?.text).toBe("a hub cannot be built; the previous graph plays");
    expect(badgeOf({ look: "failed", job: null, clips: null, problems: 0 })?.text).toBe("the graph could not be built");
  });

  it("is hidden if there are no hubs", () => {
    expect(badgeOf({ look: "none", job: null, clips: null, problems: 0 })).toBeNull();
    expect(badgeOf({ look: "built", job: null, clips: 1, problems: 0 })).toEqual({ look: "good", text: "graph of 1 clip" });
  });
});
