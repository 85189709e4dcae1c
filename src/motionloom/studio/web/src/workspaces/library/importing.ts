/** Importing files that were dropped or chosen: uploaded, then read by the server, each with its own outcome. */

import * as api from "../../api/client";
import type * as T from "../../api/types";
import { keepImported } from "../../commands/import_takes";
import { notify, studio } from "../../state.svelte";
import { count } from "../../words";
import { apart, type Brought, gather, sortOut } from "./files";
import { type ImportedFile, imports, summary } from "./imports.svelte";
import { library } from "./library.svelte";

const AT_ONCE = 3; // files that are being sent
const PAUSE = 250; // milliseconds between two polls of the import
const OPENING = 20_000; // milliseconds that opening a new corpus may take

/** The files are taken out of a drop before `before` runs, because browsers clear a drop after its event. */
export async function importFiles(items: DataTransfer | FileList, before?: () => Promise<unknown>): Promise<void> {
  const brought = apart(await gather(items));
  if (brought.length === 0) return;
  const { files, refused, leftOut } = sortOut(brought, studio.session?.endings ?? [], studio.session?.upload_limit ?? 0);
  if (files.length === 0 && refused.length === 0) {
    notify("warning", `No recordings among ${count(brought.length, "file")}; use ${studio.session?.endings.join(", ")} files`);
    return;
  }
  if (before && files.length > 0) await open(before);
  const batch = crypto.getRandomValues(new Uint32Array(3)).reduce((text, number) => text + number.toString(36), "b0");
  imports.add({
    batch,
    files: [
      ...refused.map(({ path, why }) => ({ path, state: "refused" as const, take: "", why })),
      ...files.map(({ path }) => ({ path, state: "waiting" as const, take: "", why: "" })),
    ],
    leftOut,
    state: "sending",
    problem: "",
    job: null,
  });
  try {
    if (await sendAll(batch, files)) await read(batch);
    else imports.change(batch, { state: imports.find(batch)?.state === "stopped" ? "stopped" : "done" });
  } catch (error) {
    imports.change(batch, { state: "failed", problem: (error as Error).message });
    void api.dropUpload({ batch }).catch(() => undefined);
  }
  await keep(batch);
}

/** Stop sending and reading; what was imported already stays, and can be undone. */
export function stopImport(batch: string): void {
  const run = imports.find(batch);
  if (run === undefined) return;
  imports.change(batch, { state: "stopped" });
  if (run.job !== null) void api.cancelJob(run.job).catch(() => undefined);
  else void api.dropUpload({ batch }).catch(() => undefined);
}

async function open(before: () => Promise<unknown>): Promise<void> {
  await before();
  const until = performance.now() + OPENING;
  while (!studio.isLoaded && performance.now() < until) await sleep(50);
}

/** Upload the files, a few at a time; true if any has arrived. */
async function sendAll(batch: string, files: readonly Brought[]): Promise<boolean> {
  const waiting = [...files];
  let arrived = 0;
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (imports.find(batch)?.state !== "sending") return;
      const { path, file } = next;
      imports.changeFile(batch, path, { state: "sending" });
      try {
        await api.upload(batch, path, file);
        imports.changeFile(batch, path, { state: "sent" });
        arrived += 1;
      } catch (error) {
        imports.changeFile(batch, path, { state: "refused", why: (error as Error).message });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return arrived > 0 && imports.find(batch)?.state === "sending";
}

/** Let the server read what has arrived, and follow it file by file. */
async function read(batch: string): Promise<void> {
  const job = await api.importUploaded({ batch });
  imports.change(batch, { state: "reading", job: job.id });
  for (let known = 0; ; ) {
    const progress = await api.importState(batch);
    imports.changeFiles(batch, new Map(progress.files.slice(known).map((file) => [file.file, outcome(file)])));
    known = progress.files.length;
    if (progress.state !== "running") {
      dropSkeletons(batch);
      imports.change(batch, { state: progress.state === "cancelled" ? "stopped" : progress.state, problem: progress.error });
      return;
    }
    await sleep(PAUSE);
  }
}

function outcome(file: T.ImportedFile): Partial<ImportedFile> {
  const why = file.status === "duplicate" ? `has the same frames as ${file.duplicate_of}` : file.message;
  return { state: file.status, take: file.take, why };
}

/** Skeleton files are read with the takes beside them and are no takes themselves. */
function dropSkeletons(batch: string): void {
  const run = imports.find(batch);
  const isUsed = (path: string, state: string): boolean => path.toLowerCase().endsWith(".asf") && state === "sent";
  if (run) imports.change(batch, { files: run.files.filter((file) => !isUsed(file.path, file.state)) });
}

async function keep(batch: string): Promise<void> {
  const run = imports.find(batch);
  if (run === undefined) return;
  const takes = run.files.filter((file) => file.state === "imported").map((file) => file.take);
  if (takes.length > 0) {
    await keepImported({ takes });
    library.show(takes[0]);
  }
  const isBad = run.problem !== "" || run.files.some((file) => file.state === "refused");
  notify(isBad ? "warning" : "good", `Import: ${run.problem || summary(run)}`);
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}
