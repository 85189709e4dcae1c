import { beforeEach, describe, expect, it, vi } from "vitest";
import * as api from "../../api/client";
import type * as T from "../../api/types";
import { studio } from "../../state.svelte";
import { makeAnswer } from "../../testing/answers";
import { MethodSearch } from "./search.svelte";

const job = (id: number, state: T.Job["state"], error = ""): T.Job => ({ id, kind: "search", title: "", state, done: 0, total: 0, note: "", error, can_cancel: true, quiet: true, for_method: "" });
const settle = (): Promise<void> => new Promise((done) => setTimeout(done));

let asked: { method: string; tag: string; request: Record<string, unknown> }[];
let cancelled: number[];

beforeEach(() => {
  [asked, cancelled, studio.jobs] = [[], [], []];
  vi.spyOn(api, "searchMethod").mockImplementation(async (method, { tag, request }) => {
    asked.push({ method, tag, request });
    return job(asked.length, "waiting");
  });
  vi.spyOn(api, "cancelJob").mockImplementation(async (id) => {
    cancelled.push(id);
    return { ok: true };
  });
});

const receive = (search: MethodSearch, changes: Partial<T.Answer>): void => search.receive({ type: "answer", answer: makeAnswer(changes) });

describe("a search", () => {
  it("shows answers to its own newest request as they come, and drops all others", async () => {
    const search = new MethodSearch("medley");
    search.ask({ each: "1s" });
    search.ask({ each: "2s" });
    await settle();
    expect(asked.map(({ method, request }) => [method, request.each])).toEqual([["medley", "1s"], ["medley", "2s"]]);
    const [old, now] = asked.map((sent) => sent.tag);
    receive(search, { tag: old, id: "answer:1" });
    receive(search, { tag: now, id: "answer:2", method: "timeline" });
    expect(search.answer).toBe(null);
    receive(search, { tag: now, id: "answer:3" });
    expect([search.answer?.id, search.isSearching, search.wantsPlay]).toEqual(["answer:3", true, true]);
    receive(search, { tag: now, id: "answer:3", is_whole: true, kind: "best" });
    expect([search.isSearching, search.answered]).toEqual([false, '{"each":"2s"}']);
    receive(search, { tag: now, id: "answer:4", kind: "other" });
    search.chosen = "answer:4";
    expect(search.answer?.id).toBe("answer:4");
    search.compared = "answer:3";
    expect(search.cast.map((member) => member.motion)).toEqual(["answer:4", "answer:3"]);
  });

  it("is cancelled by a person without an error, even before its job is known", async () => {
    const search = new MethodSearch("medley");
    search.ask({});
    search.cancel();
    await settle();
    expect([cancelled, search.isSearching]).toEqual([[1], false]);
    search.ask({});
    await settle();
    search.cancel();
    search.receive({ type: "job", job: job(2, "cancelled") });
    receive(search, { tag: asked[1].tag });
    expect([cancelled, search.problem, search.found]).toEqual([[1, 2], "", null]);
  });

  it("reports why it failed, and that another window took it over", async () => {
    const search = new MethodSearch("medley");
    search.ask({});
    await settle();
    search.receive({ type: "job", job: job(1, "failed", "no such take") });
    expect([search.problem, search.isSearching]).toEqual(["no such take", false]);
    search.ask({});
    expect(search.problem).toBe("");
    await settle();
    search.receive({ type: "job", job: job(2, "cancelled") });
    expect(search.problem).toContain("another window");
    vi.mocked(api.searchMethod).mockRejectedValueOnce(new Error("'each' is not a valid time"));
    search.ask({ each: "soon" });
    await settle();
    expect(search.problem).toBe("'each' is not a valid time");
  });

  it("of a request that is edited runs once, and again when labels or takes have changed", async () => {
    const search = new MethodSearch("timeline");
    const follow = (labels: number, takes: number): void => search.follow({ length: "1s" }, false, labels, takes);
    follow(1, 1);
    follow(1, 1);
    expect(asked.length).toBe(1);
    follow(2, 1);
    follow(2, 2);
    expect(asked.length).toBe(3);
    search.savedOne(); // a take that was saved from here is no reason
    follow(2, 3);
    expect(asked.length).toBe(3);
  });

  it("forgets its answers when the connection was lost: the server may be another one now", async () => {
    const search = new MethodSearch("medley");
    search.findServer(); // the first time there is nothing to forget
    search.follow({}, false, 1, 1);
    receive(search, { tag: asked[0].tag });
    search.loseServer();
    expect(search.answer?.id).toBe("answer:1");
    search.findServer();
    expect(search.answer).toBe(null);
    search.follow({}, false, 1, 1);
    expect(asked.length).toBe(2);
  });
});
