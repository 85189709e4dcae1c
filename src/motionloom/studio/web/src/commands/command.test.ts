import { beforeEach, describe, expect, it } from "vitest";
import { studio } from "../state.svelte";
import { defineCommand, defineDocumentCommand, onEveryCommand, redo, run, settled, undo, undoThis } from "./command";

const choose = defineDocumentCommand<{ take: string }>({
  kind: "test.choose",
  describe: ({ take }) => `Choose ${take}`,
  change: (document, { take }) => ({ ...document, library: { ...document.library, take } }),
});

const done: string[] = [];
const slow = defineCommand<{ name: string; milliseconds: number }, { was: string }>({
  kind: "test.slow",
  describe: ({ name }) => name,
  async execute({ name, milliseconds }) {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    done.push(name);
    return { was: name };
  },
  undo: (_args, memory) => void done.push(`undo ${memory.was}`),
});
const refused = defineCommand<null, null>({
  kind: "test.refused",
  describe: () => "never",
  execute: () => Promise.reject(new Error("that cannot be done")),
  undo: () => undefined,
});

beforeEach(() => {
  studio.past = [];
  studio.future = [];
  studio.notices = [];
  studio.document = { ...studio.document, library: { take: null } };
  done.length = 0;
});

describe("commands", () => {
  it("change the document, go back and forth, and leave the old document as it was", async () => {
    const before = studio.document;
    await choose({ take: "a" });
    await choose({ take: "b" });
    expect(before.library.take).toBeNull();
    expect(studio.document.library.take).toBe("b");
    await undo();
    expect(studio.document.library.take).toBe("a");
    await undo();
    expect(studio.document.library.take).toBeNull();
    await redo();
    await redo();
    expect(studio.document.library.take).toBe("b");
    expect(studio.past.map((step) => step.title)).toEqual(["Choose a", "Choose b"]);
  });

  it("keep a history that is plain data: it works after it was serialized and parsed", async () => {
    await choose({ take: "a" });
    studio.past = JSON.parse(JSON.stringify(studio.past));
    await undo();
    expect(studio.document.library.take).toBeNull();
    studio.future = JSON.parse(JSON.stringify(studio.future));
    await redo();
    expect(studio.document.library.take).toBe("a");
  });

  it("run in the order of the calls, the slow ones too", async () => {
    void slow({ name: "first", milliseconds: 20 });
    void slow({ name: "second", milliseconds: 1 });
    void undo();
    await settled();
    expect(done).toEqual(["first", "second", "undo second"]);
    expect(studio.past.map((step) => step.title)).toEqual(["first"]);
  });

  it("that fail are reported, leave no step, and do not stop the others", async () => {
    expect(await refused(null)).toBe(false);
    expect(studio.notices.map((notice) => notice.text)).toEqual(["that cannot be done"]);
    expect(studio.past).toEqual([]);
    expect(await choose({ take: "a" })).toBe(true);
  });

  it("that change nothing leave no step", async () => {
    await choose({ take: "a" });
    await choose({ take: "a" });
    expect(studio.past.length).toBe(1);
  });

  it("clear the redo history", async () => {
    await choose({ take: "a" });
    await undo();
    await choose({ take: "b" });
    expect(studio.future).toEqual([]);
    await redo();
    expect(studio.document.library.take).toBe("b");
  });

  it("can be undone from their notice, unless other steps came after", async () => {
    await choose({ take: "a" });
    const takeBack = undoThis();
    await choose({ take: "b" });
    takeBack();
    await settled();
    expect(studio.document.library.take).toBe("b");
    await undo();
    takeBack();
    await settled();
    expect(studio.past).toEqual([]);
  });

  it("of another version are refused and stay in the history", async () => {
    studio.past = [{ kind: "test.unknown", title: "?", args: null, memory: null }];
    expect(await undo()).toBe(false);
    expect(studio.past.length).toBe(1);
    expect(await run("test.unknown", null)).toBe(false);
  });

  it("let the document be saved each time", async () => {
    let saved = 0;
    onEveryCommand(() => saved++);
    await choose({ take: "a" });
    await undo();
    onEveryCommand(() => undefined);
    expect(saved).toBe(2);
  });
});
