import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as api from "../../api/client";
import { EMPTY } from "../../api/constants";
import type * as T from "../../api/types";
import { building } from "../../hubs.svelte";
import { studio } from "../../state.svelte";
import { directWalk, saveWalk, walkOf } from "./walk";

vi.mock("../../api/client");

beforeEach(() => {
  studio.document = EMPTY;
  [studio.past, studio.future, studio.notices] = [[], [], []];
  building.built = { digest: "d" } as T.BuiltGraph;
  vi.mocked(api.snapWalk).mockResolvedValue({ answer: "answer:1" });
  vi.mocked(api.keepAnswer).mockResolvedValue({ takes: ["snap/mine"], labels: 0 });
});
afterEach(() => vi.clearAllMocks());

describe("what was played", () => {
  it("ends in the frame that is shown, and begins with the first clip that is remembered", () => {
    expect(walkOf([], 12, 60)).toBeNull();
    expect(walkOf([{ clip: 3, start: 0 }], 0, 60)).toBeNull();
    expect(walkOf([{ clip: 3, start: 0 }, { clip: 5, start: 1.5 }], 100, 60)).toEqual({ clips: [3, 5], frames: 100 });
    expect(walkOf([{ clip: 5, start: 1.5 }], 100, 60)).toEqual({ clips: [5], frames: 10 });
  });

  it("is kept as a take by one step that can be undone", async () => {
    expect(await saveWalk({ clips: [3, 5], frames: 100 }, "snap/mine")).toBe(true);
    expect(api.snapWalk).toHaveBeenCalledWith({ graph: "d", clips: [3, 5], frames: 100 });
    expect(api.keepAnswer).toHaveBeenCalledWith({ answer: "answer:1", name: "snap/mine" });
    expect(studio.past.map((step) => step.title)).toEqual(["Save snap/mine"]);
  });

  it("opens in Direct as the motion to go on from", async () => {
    expect(await directWalk({ clips: [3], frames: null }, "snap/mine")).toBe(true);
    expect(studio.document.direct.request.start_from).toBe("snap/mine");
    expect(studio.document.workspace).toBe("direct");
  });

  it("stays where it is when it cannot be kept, and says why", async () => {
    vi.mocked(api.snapWalk).mockRejectedValue(new Error("this graph is no longer kept"));
    expect(await directWalk({ clips: [3], frames: null }, "snap/mine")).toBe(false);
    expect(studio.document.direct.request.start_from).toBeNull();
    expect(studio.notices.map(({ text }) => text)).toContain("this graph is no longer kept");
  });
});
