import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as api from "../../api/client";
import { EMPTY } from "../../api/constants";
import type * as T from "../../api/types";
import { studio } from "../../state.svelte";
import { makeAnswer } from "../../testing/answers";
import { buildupState } from "./buildup.svelte";
import { chooseWays, missText } from "./hit_ways";

vi.mock("../../api/client");

const hit: T.Hit = { joint: "right_hand", point: [0, 1, 2], target: null, step: 2, at: null, exact: true };
const clips: T.PlayedClip[] = [{ take: "walk", start: 0, stop: 9 }];

beforeEach(() => {
  studio.notices = [];
  studio.document = { ...EMPTY, buildup: { ...EMPTY.buildup, request: { ...EMPTY.buildup.request, hits: [hit] } } };
});
afterEach(() => {
  vi.clearAllMocks();
  buildupState.search.found = null;
});

describe("the way of a hit", () => {
  it("is asked of the method", async () => {
    vi.mocked(api.chooseWays).mockResolvedValue({ clips: [clips, null] });
    expect(await chooseWays(studio.document, 0, hit)).toEqual({ step: 1, clips: [clips, null] });
    expect(api.chooseWays).toHaveBeenCalledWith({ request: studio.document.buildup.request, character: 0, step: 1 });
    expect(buildupState.isChoosing).toBe(false);
  });

  it("stays as it was accepted where none can be chosen, or where the document is another one by then", async () => {
    vi.mocked(api.chooseWays).mockRejectedValue(new Error("the desk is busy"));
    expect(await chooseWays(studio.document, 0, hit)).toBeNull();
    expect(studio.notices.map(({ text }) => text)).toEqual(["The way of step 2 stays as it was: the desk is busy"]);
    vi.mocked(api.chooseWays).mockImplementation(async () => {
      studio.document = { ...EMPTY };
      return { clips: [clips] };
    });
    expect(await chooseWays(studio.document, 0, hit)).toBeNull();
    expect(await chooseWays(studio.document, 0, { ...hit, step: null, at: "2s" })).toBeNull();
  });
});

describe("what became of a hit", () => {
  const part = { name: "hit 1, right_hand at (0, 1, 2) m: distance", value: 0.314, unit: "m", tolerance: 0.001, met: false, why_not: "add a step before", frame: 9 };
  const show = (parts: T.ReportPart[]): void => {
    const answer = makeAnswer({ method: "buildup", parts });
    buildupState.search.found = { tag: "t", best: answer, others: [], isFinal: true } as never;
    buildupState.search.answered = JSON.stringify(buildupState.request);
  };

  it("is said with the distance and the way out, and not before the answer is to what is asked", () => {
    show([part]);
    expect(missText(hit)).toBe("Missed by 0.31 m: add a step before");
    show([{ ...part, value: 0.012 }]);
    expect(missText(hit)).toBe("Missed by 12 mm: add a step before");
    show([{ ...part, value: 0.0004, met: true, why_not: "" }]);
    expect(missText(hit)).toBe("");
    show([{ ...part, name: "hit 1, right_hand at (0, 1, 2) m: met", unit: "", value: 0, why_not: "the motion has ended" }]);
    expect(missText(hit)).toBe("the motion has ended");
    buildupState.search.answered = "something else";
    expect(missText(hit)).toBeNull();
  });
});
