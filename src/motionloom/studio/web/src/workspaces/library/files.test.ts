import { describe, expect, it } from "vitest";
import { apart, gather, sortOut } from "./files";

const file = (name: string, size = 10): File => new File([new Uint8Array(size)], name);

function entryOf(name: string, content: File | object[]): object {
  if (content instanceof File) return { isFile: true, isDirectory: false, name, file: (done: (file: File) => void) => done(content) };
  const parts = [content.slice(0, 1), content.slice(1), []]; // browsers give a folder piece by piece
  return { isFile: false, isDirectory: true, name, createReader: () => ({ readEntries: (done: (some: unknown) => void) => done(parts.shift()) }) };
}

function drop(...entries: object[]): DataTransfer {
  const items = entries.map((entry) => ({ kind: "file", webkitGetAsEntry: () => entry }));
  return { items, files: [] } as unknown as DataTransfer;
}

describe("files that are brought in", () => {
  it("come with the folders they are in", async () => {
    const folder = entryOf("monday", [entryOf("a.bvh", file("a.bvh")), entryOf("deep", [entryOf("b.bvh", file("b.bvh"))])]);
    const found = await gather(drop(folder, entryOf("c.bvh", file("c.bvh"))));
    expect(found.map((file) => file.path)).toEqual(["monday/a.bvh", "monday/deep/b.bvh", "c.bvh"]);
  });

  it("of one name are kept apart", () => {
    const brought = ["a.bvh", "b.c/a.bvh", "a.bvh", "a.bvh", "b.c/a", "b.c/a"].map((path) => ({ path, file: file(path) }));
    expect(apart(brought).map((file) => file.path)).toEqual(["a.bvh", "b.c/a.bvh", "a 2.bvh", "a 3.bvh", "b.c/a", "b.c/a 2"]);
  });

  it("leave hidden folders out", async () => {
    expect(await gather(drop(entryOf(".git", [entryOf("x.bvh", file("x.bvh"))])))).toEqual([]);
  });

  it("are sorted: what can be read, what cannot and why, what is ignored", () => {
    const brought = [
      { path: "a.BVH", file: file("a.BVH") },
      { path: "notes.txt", file: file("notes.txt") },
      { path: "set/readme.txt", file: file("readme.txt") },
      { path: "set/01.asf", file: file("01.asf") },
      { path: "huge.bvh", file: file("huge.bvh", 2000) },
      { path: "empty.bvh", file: file("empty.bvh", 0) },
    ];
    const sorted = sortOut(brought, [".bvh", ".amc"], 1000);
    expect(sorted.files.map((file) => file.path)).toEqual(["a.BVH", "set/01.asf"]);
    expect(sorted.refused.map((file) => file.path)).toEqual(["notes.txt", "huge.bvh", "empty.bvh"]);
    expect(sorted.leftOut).toBe(1);
  });
});
