import { beforeEach, describe, expect, it, vi } from "vitest";
import * as api from "../../api/client";
import { studio } from "../../state.svelte";
import { importFiles } from "./importing";
import { imports, summary } from "./imports.svelte";

vi.mock("../../api/client");
vi.mock("../../stage.svelte", () => ({ stage: { player: { play: () => undefined } } }));

const file = (name: string): File => new File(["content"], name);
const list = (...files: File[]): FileList => files as unknown as FileList;

beforeEach(() => {
  vi.clearAllMocks();
  imports.runs = [];
  studio.past = [];
  studio.session = { endings: [".bvh"], upload_limit: 1000, corpus: null } as never;
  vi.mocked(api.importUploaded).mockResolvedValue({ id: 3 } as never);
});

describe("importing", () => {
  it("reports the outcome of each file, and is one step that can be undone", async () => {
    vi.mocked(api.upload).mockImplementation((_batch, name) =>
      name === "far.bvh" ? Promise.reject(new Error("the disk is full")) : Promise.resolve({ size: 7 }),
    );
    vi.mocked(api.importState)
      .mockResolvedValueOnce({ state: "running", error: "", files: [{ file: "a.bvh", status: "imported", take: "a", duplicate_of: "", message: "" }] })
      .mockResolvedValueOnce({
        state: "done",
        error: "",
        files: [
          { file: "a.bvh", status: "imported", take: "a", duplicate_of: "", message: "" },
          { file: "b.bvh", status: "duplicate", take: "b", duplicate_of: "old", message: "" },
          { file: "c.bvh", status: "refused", take: "", duplicate_of: "", message: "line 3: no joints" },
        ],
      });
    await importFiles(list(file("a.bvh"), file("b.bvh"), file("c.bvh"), file("far.bvh"), file("notes.txt")));
    const [run] = imports.runs;
    const outcomes = Object.fromEntries(run.files.map((file) => [file.path, [file.state, file.why]]));
    expect(outcomes).toEqual({
      "a.bvh": ["imported", ""],
      "b.bvh": ["duplicate", "has the same frames as old"],
      "c.bvh": ["refused", "line 3: no joints"],
      "far.bvh": ["refused", "the disk is full"],
      "notes.txt": ["refused", "cannot be read; use .bvh files"],
    });
    expect(run.state).toBe("done");
    expect(summary(run)).toBe("1 imported, 1 already there, 3 refused");
    expect(studio.past).toMatchObject([{ kind: "import_takes", args: { takes: ["a"] } }]);
  });

  it("reads nothing if nothing was uploaded", async () => {
    vi.mocked(api.upload).mockRejectedValue(new Error("the studio's server does not answer"));
    await importFiles(list(file("a.bvh")));
    expect(api.importUploaded).not.toHaveBeenCalled();
    expect(imports.runs[0].files[0]).toMatchObject({ state: "refused", why: "the studio's server does not answer" });
    expect(studio.past).toEqual([]);
  });

  it("makes a corpus first only if there is something to import", async () => {
    const before = vi.fn().mockResolvedValue(null);
    await importFiles(list(file("notes.txt")), before);
    expect(before).not.toHaveBeenCalled();
  });
});
