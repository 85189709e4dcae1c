// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type * as T from "./api/types";
import { takeOver, saveSoon } from "./saving";
import { studio } from "./state.svelte";

interface Server {
  state: T.DocumentState;
  mode: "up" | "down" | "conflict";
  puts: number;
}

let server: Server;
const withTake = (take: string): T.Document => ({ ...studio.document, library: { take } });

function answer(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status });
}

function serve(_address: string, options: RequestInit): Promise<Response> {
  if (server.mode === "down") return Promise.reject(new TypeError("no server"));
  if (options.method === "GET") return Promise.resolve(answer(200, server.state));
  server.puts++;
  const wanted = JSON.parse(options.body as string) as T.SaveDocument;
  if (server.mode === "conflict" || wanted.revision !== server.state.revision) {
    return Promise.resolve(answer(409, { error: "changed in another window" }));
  }
  server.state = { ...server.state, ...wanted, revision: wanted.revision + 1 };
  return Promise.resolve(answer(200, { revision: server.state.revision }));
}

beforeEach(() => {
  localStorage.clear();
  studio.notices = [];
  studio.session = {
    version: "1",
    corpus: { name: "c", takes: 0, seconds: 0, can_write: true, reason: "" },
    can_choose: false,
    home: "",
    endings: [],
    upload_limit: 1,
  };
  const state = { name: "d", revision: 4, content: withTake("old"), past: [], future: [], problem: "", names: ["d"] };
  server = { state, mode: "up", puts: 0 };
  vi.stubGlobal("fetch", vi.fn(serve));
  takeOver(state);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("saving", () => {
  it("puts the document on the server and says so", async () => {
    studio.document = withTake("new");
    saveSoon();
    expect(studio.saving).toBe("saving");
    await vi.waitFor(() => expect(studio.saving).toBe("saved"));
    expect(server.state.content.library.take).toBe("new");
    expect(server.state.revision).toBe(5);
  });

  it("saves the last state when several steps come while it is saving", async () => {
    for (const take of ["a", "b", "c", "d"]) {
      studio.document = withTake(take);
      saveSoon();
    }
    await vi.waitFor(() => expect(studio.saving).toBe("saved"));
    expect(server.state.content.library.take).toBe("d");
    expect(server.puts).toBeLessThanOrEqual(2);
  });

  it("keeps what cannot be saved in the browser and saves it when the server is back", async () => {
    vi.useFakeTimers();
    server.mode = "down";
    studio.document = withTake("kept");
    saveSoon();
    await vi.advanceTimersByTimeAsync(100);
    expect(studio.saving).toBe("unsaved");
    expect(localStorage.length).toBe(1);
    server.mode = "up";
    await vi.advanceTimersByTimeAsync(2500);
    expect(studio.saving).toBe("saved");
    expect(server.state.content.library.take).toBe("kept");
    expect(localStorage.length).toBe(0);
  });

  it("brings back, in a new page, what the old page could not save", async () => {
    vi.useFakeTimers();
    server.mode = "down";
    studio.document = withTake("kept");
    saveSoon();
    await vi.advanceTimersByTimeAsync(100);
    server.mode = "up";
    takeOver(server.state); // as a page does that has just been opened
    expect(studio.document.library.take).toBe("kept");
    await vi.advanceTimersByTimeAsync(3000);
    expect(server.state.content.library.take).toBe("kept");
  });

  it("asks before it puts old changes over newer ones", async () => {
    vi.useFakeTimers();
    server.mode = "down";
    studio.document = withTake("old page");
    saveSoon();
    await vi.advanceTimersByTimeAsync(100);
    const newer = { ...server.state, content: withTake("newer") };
    takeOver(newer);
    expect(studio.document.library.take).toBe("newer");
    expect(studio.notices.at(-1)?.action?.text).toBe("Bring them back");
  });

  it("shows what another window has saved instead of writing over it", async () => {
    server.state = { ...server.state, revision: 9, content: withTake("other window") };
    studio.document = withTake("mine");
    saveSoon();
    await vi.waitFor(() => expect(studio.document.library.take).toBe("other window"));
    expect(studio.notices.some((one) => one.text.includes("another window"))).toBe(true);
  });
});
