// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type * as T from "./api/types";
import { keepUnsaved, leaveDocument, refresh, reloadFromDisk, saveOverDisk, saveSoon, takeOver } from "./saving";
import { studio } from "./state.svelte";

interface Server {
  state: T.DocumentState;
  mode: "up" | "down" | "slow"; // slow: what is sent never arrives
  puts: number;
  disk: T.Document | null; // what another program has written, and the server has not loaded
  isGone: boolean; // another program has deleted the document
}

let server: Server;
const empty = studio.document;
const withTake = (take: string): T.Document => ({ ...studio.document, library: { take } });
const withWords = (vocabulary: string[]): T.Document => ({ ...studio.document, annotate: { ...studio.document.annotate, vocabulary } });
const withRows = (tracks: string[]): T.Document => ({ ...server.state.content, timeline: { ...server.state.content.timeline, tracks } });

function answer(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status });
}

function serve(address: string, options: RequestInit): Promise<Response> {
  if (server.mode === "down") return Promise.reject(new TypeError("no server"));
  if (address.endsWith("/open")) {
    server.state = { ...server.state, ...(JSON.parse(options.body as string) as T.DocumentName), revision: 1, is_gone: false };
    server.isGone = false;
    return Promise.resolve(answer(200, server.state));
  }
  if (options.method === "GET") {
    if (server.disk) server.state = { ...server.state, revision: server.state.revision + 1, content: server.disk, changed: "another program has changed d.yaml on disk" };
    server.disk = null;
    return Promise.resolve(answer(200, { ...server.state, is_gone: server.isGone }));
  }
  if (server.mode === "slow") return new Promise((_, failed) => setTimeout(() => failed(new TypeError("gone")), 300));
  server.puts++;
  const wanted = JSON.parse(options.body as string) as T.SaveDocument;
  if (wanted.revision !== server.state.revision) {
    return Promise.resolve(answer(409, { error: "changed in another window" }));
  }
  if ((server.disk || server.isGone) && !wanted.over) {
    return Promise.resolve(answer(server.isGone ? 410 : 412, { error: "another program has changed d.yaml on disk" }));
  }
  const kept = server.disk ? ["studio/d.yaml.edited-1"] : [];
  server.disk = null;
  server.isGone = false;
  const { content, past, future } = wanted;
  server.state = { ...server.state, content, past, future, revision: wanted.revision + 1 };
  return Promise.resolve(answer(200, { revision: server.state.revision, kept }));
}

beforeEach(() => {
  localStorage.clear();
  studio.notices = [];
  studio.document = empty;
  studio.session = {
    version: "1",
    corpus: { name: "c", takes: 0, seconds: 0, can_write: true, reason: "" },
    can_choose: false,
    home: "",
    endings: [],
    upload_limit: 1,
  };
  const state = { name: "d", revision: 4, content: withTake("old"), past: [], future: [], problem: "", changed: "", is_gone: false, names: ["d"] };
  server = { state, mode: "up", puts: 0, disk: null, isGone: false };
  studio.onDisk = null;
  vi.stubGlobal("fetch", vi.fn(serve));
  takeOver(state);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("saving", () => {
  it("sends the document to the server and shows that it is saved", async () => {
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

  it("restores, in a new page, what the old page could not save", async () => {
    vi.useFakeTimers();
    server.mode = "down";
    studio.document = withTake("kept");
    saveSoon();
    await vi.advanceTimersByTimeAsync(100);
    server.mode = "up";
    takeOver(server.state); // as a newly opened page does
    expect(studio.document.library.take).toBe("kept");
    await vi.advanceTimersByTimeAsync(3000);
    expect(server.state.content.library.take).toBe("kept");
  });

  it("merges what an old page could not save into what was saved since", async () => {
    vi.useFakeTimers();
    server.mode = "down";
    studio.document = withWords(["old page"]);
    saveSoon();
    await vi.advanceTimersByTimeAsync(100);
    server.mode = "up";
    server.state = { ...server.state, revision: 7, content: withRows(["newer"]) };
    takeOver(server.state);
    await vi.advanceTimersByTimeAsync(3000);
    expect(server.state.content.annotate.vocabulary).toEqual(["old page"]);
    expect(server.state.content.timeline.tracks).toEqual(["newer"]);
    expect(localStorage.length).toBe(0);
  });

  it("asks before old changes overwrite newer ones", async () => {
    vi.useFakeTimers();
    server.mode = "down";
    studio.document = withWords(["old page"]);
    saveSoon();
    await vi.advanceTimersByTimeAsync(100);
    server.mode = "up";
    server.state = { ...server.state, revision: 7, content: withWords(["newer"]) };
    takeOver(server.state);
    expect(studio.document.annotate.vocabulary).toEqual(["newer"]);
    await vi.advanceTimersByTimeAsync(60_000);
    const notice = studio.notices.at(-1);
    expect(notice?.action?.text).toBe("Bring it back"); // it stays until it is dismissed
    notice?.action?.run();
    await vi.advanceTimersByTimeAsync(3000);
    expect(studio.document.annotate.vocabulary).toEqual(["old page"]);
    expect(studio.past.at(-1)?.title).toBe("Bring back what was not saved");
  });

  it("merges what two windows did", async () => {
    const past = [{ kind: "k", title: "theirs", args: null, memory: null }];
    server.state = { ...server.state, revision: 9, content: withRows(["theirs"]), past };
    studio.document = withWords(["mine"]);
    studio.past = [{ kind: "k", title: "mine", args: null, memory: null }];
    saveSoon();
    await vi.waitFor(() => expect(studio.saving).toBe("saved"));
    expect(server.state.content.annotate.vocabulary).toEqual(["mine"]);
    expect(server.state.content.timeline.tracks).toEqual(["theirs"]);
    expect(server.state.past.map((step) => step.title)).toEqual(["theirs", "mine"]);
    expect(studio.past).toEqual(server.state.past);
    expect(studio.notices).toEqual([]);
  });

  it("shows what another window did when this one gets the focus, and keeps its own workspace", async () => {
    studio.document = { ...withTake("here"), workspace: "timeline" };
    saveSoon();
    await vi.waitFor(() => expect(studio.saving).toBe("saved"));
    server.state = { ...server.state, revision: 12, content: { ...withRows(["theirs"]), workspace: "annotate" } };
    await refresh();
    expect(studio.document.timeline.tracks).toEqual(["theirs"]);
    expect(studio.document.workspace).toBe("timeline");
  });

  it("stores a save in progress when the page is closed", async () => {
    server.mode = "slow";
    studio.document = withWords(["last change"]);
    saveSoon();
    keepUnsaved();
    expect(localStorage.length).toBe(1);
    server.mode = "up";
    takeOver(server.state); // as a newly opened page does
    await vi.waitFor(() => expect(server.state.content.annotate.vocabulary).toEqual(["last change"]));
  });

  it("stores changes in the browser for a corpus that is read-only", async () => {
    const corpus = studio.session?.corpus;
    if (studio.session && corpus) studio.session = { ...studio.session, corpus: { ...corpus, can_write: false } };
    studio.document = withWords(["mine"]);
    saveSoon();
    expect(server.puts).toBe(0);
    expect(studio.notices).toEqual([]);
    takeOver(server.state);
    expect(studio.document.annotate.vocabulary).toEqual(["mine"]);
  });

  it("reports what could not be read, and where it is kept", () => {
    takeOver({ ...server.state, problem: "d.request.yaml line 3: a typo (kept as studio/d.request.yaml.unreadable-1)" });
    expect(studio.notices.at(-1)?.kind).toBe("error");
    expect(studio.notices.at(-1)?.text).toContain("studio/d.request.yaml.unreadable-1");
  });

  it("shows what another program wrote when the page gets the focus, and says so", async () => {
    server.disk = withRows(["by hand"]);
    await refresh();
    expect(studio.document.timeline.tracks).toEqual(["by hand"]);
    expect(studio.notices.at(-1)?.text).toContain("another program has changed d.yaml on disk");
    expect(studio.onDisk).toBe(null);
  });

  it("asks before it saves over what another program wrote", async () => {
    server.disk = withWords(["by hand"]);
    studio.document = withWords(["mine"]);
    saveSoon();
    await vi.waitFor(() => expect(studio.onDisk).not.toBe(null));
    expect(studio.onDisk).toEqual({ sentence: "another program has changed d.yaml on disk", isGone: false });
    expect(studio.saving).toBe("unsaved");
    expect(server.state.content.annotate.vocabulary).toEqual([]);
    expect(localStorage.length).toBe(1);
    await saveOverDisk();
    expect(studio.onDisk).toBe(null);
    expect(studio.saving).toBe("saved");
    expect(server.state.content.annotate.vocabulary).toEqual(["mine"]);
    expect(studio.notices.at(-1)?.text).toContain("studio/d.yaml.edited-1");
    expect(localStorage.length).toBe(0);
  });

  it("reloads what another program wrote, and what was done here can be brought back", async () => {
    server.disk = withWords(["by hand"]);
    studio.document = withWords(["mine"]);
    studio.past = [{ kind: "k", title: "mine", args: null, memory: null }];
    saveSoon();
    await vi.waitFor(() => expect(studio.onDisk).not.toBe(null));
    await reloadFromDisk();
    expect(studio.onDisk).toBe(null);
    expect(studio.document.annotate.vocabulary).toEqual(["by hand"]);
    expect(studio.past).toEqual([]);
    expect(localStorage.length).toBe(0);
    studio.notices.at(-1)?.action?.run();
    await vi.waitFor(() => expect(studio.document.annotate.vocabulary).toEqual(["mine"]));
  });

  it("does not ask where only the view was changed here", async () => {
    server.disk = withWords(["by hand"]);
    studio.document = { ...studio.document, workspace: "timeline" };
    saveSoon();
    await vi.waitFor(() => expect(studio.saving).toBe("saved"));
    expect(studio.onDisk).toBe(null);
    expect(studio.document.annotate.vocabulary).toEqual(["by hand"]);
    expect(studio.document.workspace).toBe("timeline");
    expect(server.state.content.annotate.vocabulary).toEqual(["by hand"]);
  });

  it("asks what to do about a document that is gone from disk", async () => {
    server.isGone = true;
    server.state = { ...server.state, names: ["d", "renamed"] };
    await refresh();
    expect(studio.onDisk?.isGone).toBe(true);
    await saveOverDisk();
    expect(server.isGone).toBe(false);
    expect(studio.saving).toBe("saved");
    server.isGone = true;
    studio.document = withWords(["mine"]);
    saveSoon();
    await vi.waitFor(() => expect(studio.onDisk?.isGone).toBe(true));
    await leaveDocument("renamed");
    expect(studio.documentName).toBe("renamed");
    expect(studio.onDisk).toBe(null);
  });

  it("asks again at the next step where nothing was chosen", async () => {
    server.disk = withWords(["by hand"]);
    studio.document = withWords(["mine"]);
    saveSoon();
    await vi.waitFor(() => expect(studio.onDisk).not.toBe(null));
    studio.onDisk = null; // closed
    studio.document = withWords(["mine", "more"]);
    saveSoon();
    await vi.waitFor(() => expect(studio.onDisk).not.toBe(null));
    expect(server.disk?.annotate.vocabulary).toEqual(["by hand"]);
  });
});
