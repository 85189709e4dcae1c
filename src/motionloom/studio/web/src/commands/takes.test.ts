import { beforeEach, describe, expect, it, vi } from "vitest";
import * as api from "../api/client";
import { studio } from "../state.svelte";
import { cleanTakes } from "./clean_take";
import { redo, undo } from "./command";
import { keepImported } from "./import_takes";
import { removeTakes } from "./remove_takes";
import { renamedIn, renameTake } from "./rename_take";

vi.mock("../api/client");

const done = { ok: true };

beforeEach(() => {
  vi.clearAllMocks();
  studio.past = [];
  studio.future = [];
  vi.mocked(api.removeTakes).mockResolvedValue({ numbers: [7, 8] });
  vi.mocked(api.restoreTakes).mockResolvedValue(done);
  vi.mocked(api.renameTake).mockResolvedValue(done);
});

describe("steps that change takes", () => {
  it("delete and restore", async () => {
    await removeTakes({ takes: ["a", "b"] });
    expect(studio.past.at(-1)?.title).toBe("Delete 2 takes");
    await undo();
    expect(api.restoreTakes).toHaveBeenCalledWith({ takes: ["a", "b"], numbers: [7, 8] }); // these, not later ones of their names
    await redo();
    expect(api.removeTakes).toHaveBeenCalledTimes(2);
  });

  it("undo an import and redo it without uploading the files again", async () => {
    await keepImported({ takes: ["a"] });
    expect(studio.past.at(-1)).toMatchObject({ kind: "import_takes", title: "Import a" });
    await undo();
    expect(api.removeTakes).toHaveBeenLastCalledWith({ takes: ["a"] });
    await redo();
    expect(api.restoreTakes).toHaveBeenLastCalledWith({ takes: ["a"], numbers: null });
  });

  it("leave no step if nothing was made", async () => {
    vi.mocked(api.cleanTakes).mockResolvedValue({ id: 7 } as never);
    vi.mocked(api.madeTakes).mockResolvedValue({ state: "failed", error: "points cannot be cleaned", made: [] });
    await expect(cleanTakes(["a"], { feet: true, spikes: true })).rejects.toThrow("points cannot be cleaned");
    expect(studio.past).toEqual([]);
  });

  it("wait for what is made, and look at the old take again when it is undone", async () => {
    vi.mocked(api.cleanTakes).mockResolvedValue({ id: 7 } as never);
    vi.mocked(api.madeTakes)
      .mockResolvedValueOnce({ state: "running", error: "", made: [] })
      .mockResolvedValueOnce({ state: "done", error: "", made: [{ take: "a", made: "a clean", error: "", before: null, after: null }] });
    await cleanTakes(["a"], { feet: true, spikes: false });
    expect(studio.past.at(-1)?.title).toBe("Clean a");
    await undo();
    expect(api.removeTakes).toHaveBeenLastCalledWith({ takes: ["a clean"] });
    expect(studio.document.library.take).toBe("a");
  });

  it("rename in the corpus and in the document, and back", async () => {
    const request = { ...studio.document.timeline.request, frames: [{ at: "0s", take: "a", frame: 3, start: null, stop: null }], takes: ["a", "b"] };
    const annotate = { ...studio.document.annotate, drafts: { a: { walk: [[0, 5, 1] as [number, number, number]] } } };
    const timeline = { ...studio.document.timeline, request: { ...request, start_from: "a" } };
    studio.document = { ...studio.document, library: { take: "a" }, annotate, timeline };
    const before = studio.document;
    await renameTake({ take: "a", name: "c" });
    expect(studio.document).toEqual(renamedIn(before, "a", "c"));
    expect(studio.document.library.take).toBe("c");
    expect(studio.document.timeline.request.frames[0].take).toBe("c");
    expect(studio.document.timeline.request.takes).toEqual(["c", "b"]);
    expect(studio.document.timeline.request.start_from).toBe("c");
    expect(studio.document.annotate.drafts).toEqual({ c: { walk: [[0, 5, 1]] } });
    await undo();
    expect(studio.document).toEqual(before);
    expect(api.renameTake).toHaveBeenLastCalledWith({ take: "c", name: "a" });
  });
});
