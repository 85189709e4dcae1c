import { beforeEach, describe, expect, it, vi } from "vitest";
import * as api from "../../api/client";
import type * as T from "../../api/types";
import { studio } from "../../state.svelte";
import { painted } from "./actions";
import { annotationState } from "./annotation_state.svelte";

vi.mock("../../api/client");
vi.mock("../../stage.svelte", () => ({ stage: { player: { play: () => undefined }, seek: () => undefined } }));

const offer = (take: string): T.TeachingOffer => ({ take, start: 0, stop: 5, fps: 60, unsure: 0.5, new: 0.5, about: [], why: "" });
const standing = (name: string): T.TakeStanding => ({ name, frames: 5, fps: 60, verified: 0, confidence: null, unsure: 0, rank: null });
const stateOf = (...takes: string[]): T.AnnotateState =>
  ({ offers: takes.map(offer), takes: ["a", "b"].map(standing), choice: { vocabulary: ["walk"] }, words: [], unsure: [] }) as unknown as T.AnnotateState;
const step = { kind: "accept labels", title: "Accept a", args: null, memory: null };

beforeEach(() => {
  annotationState.forget();
  studio.jobs = [];
  studio.past = studio.future = [];
  annotationState.choose("a");
});

describe("after an acceptance", () => {
  it("what teaches most is shown as soon as it is known", async () => {
    annotationState.followAfter("a");
    studio.past = [step];
    studio.revisions.proposals += 1;
    vi.mocked(api.annotateState).mockResolvedValue(stateOf("b"));
    await annotationState.loadState();
    expect(annotationState.take).toBe("b");
  });

  it("an undo stays on the accepted take", async () => {
    annotationState.followAfter("a");
    studio.future = [step];
    studio.revisions.proposals += 1;
    vi.mocked(api.annotateState).mockResolvedValue(stateOf("b"));
    await annotationState.loadState();
    expect(annotationState.take).toBe("a");
  });
});

describe("the take in view", () => {
  it("is what teaches most until somebody paints: then it stays, whatever is offered", async () => {
    studio.document = { ...studio.document, annotate: { ...studio.document.annotate, take: null } };
    vi.mocked(api.annotateState).mockResolvedValueOnce(stateOf()).mockResolvedValueOnce(stateOf("b")).mockResolvedValueOnce(stateOf("a"));
    await annotationState.loadState();
    expect(annotationState.take).toBe("a"); // nothing is offered yet
    await annotationState.loadState();
    expect(annotationState.take).toBe("b");
    painted({ track: "walk", start: 0, stop: 1, tool: "must", phase: "move" });
    await annotationState.loadState();
    expect(annotationState.take).toBe("b");
  });
});

describe("the progress of labelling", () => {
  it("is requested once more, however much changes while a request is under way", async () => {
    vi.mocked(api.annotateState).mockReset().mockResolvedValueOnce(stateOf("a")).mockResolvedValueOnce(stateOf("b"));
    const first = annotationState.loadState();
    for (let change = 0; change < 5; change++) void annotationState.loadState();
    await first;
    expect(api.annotateState).toHaveBeenCalledTimes(2);
    expect(annotationState.offer?.take).toBe("b");
  });

  it("of another corpus is ignored, however late it arrives", async () => {
    vi.mocked(api.annotateState).mockReset().mockResolvedValueOnce(stateOf("a"));
    const first = annotationState.loadState();
    annotationState.forget();
    await first;
    expect(annotationState.state).toBeNull();
  });

  it("shows when learning was stopped before anything could be offered", async () => {
    vi.mocked(api.annotateState).mockResolvedValue(stateOf());
    await annotationState.loadState();
    expect(annotationState.stopped).toBe("");
    const job = { id: 1, kind: "learn", title: "", done: 0, total: 0, note: "", error: "disk full", can_cancel: true, quiet: false, for_method: "" };
    studio.jobs = [{ ...job, state: "cancelled" }];
    expect(annotationState.stopped).toContain("stopped");
    studio.jobs = [{ ...job, state: "failed" }];
    expect(annotationState.stopped).toBe("disk full");
    studio.jobs = [{ ...job, state: "running" }];
    expect(annotationState.stopped).toBe("");
  });
});
