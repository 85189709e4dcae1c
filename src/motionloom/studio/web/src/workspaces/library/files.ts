/** Files out of a drop or a file dialog, folders with all that is in them. */

export interface Brought {
  path: string; // with folders: "monday/walk_01.bvh"
  file: File;
}

export interface Sorted {
  files: Brought[];
  refused: { path: string; why: string }[]; // files that were chosen themselves and cannot be read
  leftOut: number; // other files in folders
}

interface Entry {
  isFile: boolean;
  isDirectory: boolean;
  name: string;
  file?(done: (file: File) => void, failed: (error: unknown) => void): void;
  createReader?(): { readEntries(done: (entries: Entry[]) => void, failed: (error: unknown) => void): void };
}

/**
 * All files of a drop or a dialog. The entries of a drop are taken at once, before anything is waited for, because the
 * browser clears them.
 */
export function gather(items: DataTransfer | FileList): Promise<Brought[]> {
  if ("items" in items) {
    const entries = [...items.items]
      .filter((item) => item.kind === "file")
      .map((item) => (item.webkitGetAsEntry?.() as Entry | null) ?? null);
    const plain = [...items.files];
    if (entries.length === 0 || entries.some((entry) => entry === null)) return Promise.resolve(plain.map(named));
    return Promise.all(entries.map((entry) => walk(entry as Entry, ""))).then((all) => all.flat());
  }
  return Promise.resolve([...items].map(named));
}

function named(file: File): Brought {
  return { path: file.webkitRelativePath || file.name, file };
}

async function walk(entry: Entry, folder: string): Promise<Brought[]> {
  const path = folder + entry.name;
  if (entry.isFile) {
    const file = await new Promise<File>((done, failed) => entry.file?.(done, failed));
    return [{ path, file }];
  }
  if (!entry.isDirectory || entry.name.startsWith(".")) return [];
  const reader = entry.createReader?.();
  const found: Brought[] = [];
  while (reader) {
    const some = await new Promise<Entry[]>((done, failed) => reader.readEntries(done, failed)); // at most 100 at a time
    if (some.length === 0) break;
    for (const inner of some) found.push(...(await walk(inner, `${path}/`)));
  }
  return found;
}

/** Files from several places may have one name: all but the first get a number. */
export function apart(brought: readonly Brought[]): Brought[] {
  const taken = new Set<string>();
  return brought.map(({ path, file }) => {
    const [, stem, ending] = /^(.*?)(\.[^./]*)?$/.exec(path) ?? ["", path, ""];
    let free = path;
    for (let number = 2; taken.has(free); number++) free = `${stem} ${number}${ending ?? ""}`;
    taken.add(free);
    return { path: free, file };
  });
}

/** What can be sent, and why the rest cannot. */
export function sortOut(brought: readonly Brought[], endings: readonly string[], limit: number): Sorted {
  const readable = new Set([...endings, ".asf"]);
  const sorted: Sorted = { files: [], refused: [], leftOut: 0 };
  for (const { path, file } of brought) {
    const ending = /\.[^./]+$/.exec(path.toLowerCase())?.[0] ?? "";
    if (!readable.has(ending)) {
      if (path.includes("/")) sorted.leftOut += 1;
      else sorted.refused.push({ path, why: `cannot be read; use ${endings.join(", ")} files` });
    } else if (file.size > limit) {
      sorted.refused.push({ path, why: `larger than ${Math.round(limit / 2 ** 20)} MB; use \`motionloom import\` for it` });
    } else if (file.size === 0) sorted.refused.push({ path, why: "the file is empty; was it copied completely?" });
    else sorted.files.push({ path, file });
  }
  return sorted;
}
