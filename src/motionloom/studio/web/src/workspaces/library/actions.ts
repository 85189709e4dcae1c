/** What can be done with the selected takes: the same from the list, the inspector and the keyboard. */

import * as api from "../../api/client";
import type * as T from "../../api/types";
import { cleanTakes } from "../../commands/clean_take";
import { undoThis } from "../../commands/command";
import { mirrorTakes } from "../../commands/mirror_take";
import { removeTakes } from "../../commands/remove_takes";
import { trimTake } from "../../commands/trim_take";
import { notify, studio } from "../../state.svelte";
import { count } from "../../words";
import { library } from "./library.svelte";
import type { Take } from "./takes";

export type Ending = T.ExportTakes["extension"];
const ENDINGS: Record<Take["kind"], Ending[]> = { body: [".bvh", ".glb", ".npz"], points: [".csv", ".c3d", ".glb", ".npz"] };
const WORDS: Record<Ending, { body: string; points: string }> = {
  ".bvh": { body: "motion for other tools", points: "" },
  ".csv": { body: "", points: "a table of the markers" },
  ".c3d": { body: "", points: "markers for other tools" },
  ".glb": { body: "body and motion", points: "points that viewers show" },
  ".npz": { body: "exact numbers", points: "exact numbers" },
};
export { CLIP } from "../workspace";

const names = (takes: readonly Take[]): string[] => takes.map((take) => take.name);

/** "walk/normal_1", or "3 takes" */
export function called(takes: readonly Take[]): string {
  return takes.length === 1 ? takes[0].name : count(takes.length, "take");
}

/** The files that takes can be written as: all of them, so bodies and points together as few. */
export function endingsOf(takes: readonly Take[]): Ending[] {
  const kinds = [...new Set(takes.map(({ kind }) => kind))];
  return kinds.length === 0 ? [] : ENDINGS[kinds[0]].filter((ending) => kinds.every((kind) => ENDINGS[kind].includes(ending)));
}

/** What a file holds. */
export function wordsOf(ending: Ending, takes: readonly Take[]): string {
  return WORDS[ending][takes.every(({ kind }) => kind === "points") ? "points" : "body"];
}

export async function remove(takes: readonly Take[]): Promise<void> {
  if (takes.length === 0) return;
  const name = called(takes);
  if (await removeTakes({ takes: names(takes) })) notify("info", `Deleted ${name}`, { text: "Undo", run: undoThis() });
}

export async function mirror(takes: readonly Take[]): Promise<void> {
  await attempt(async () => show(await mirrorTakes(names(takes)), "mirrored"));
}

/** The loop range of the timeline becomes a take of its own. */
export async function trim(take: Take): Promise<void> {
  const range = loopFrames(take);
  if (range === null) return;
  await attempt(async () => show(await trimTake(take.name, ...range), "trimmed"));
}

/** Clean takes into new ones; the old one is shown beside the new one. */
export async function clean(takes: readonly Take[], what: { feet: boolean; spikes: boolean }): Promise<void> {
  await attempt(async () => {
    const made = await cleanTakes(names(takes), what);
    show(made, "cleaned");
    const [first] = made;
    if (made.length === 1 && first?.made && first.before && first.after) {
      library.cleaned = { of: first.take, made: first.made, before: first.before, after: first.after };
      library.compare(first.take, first.made);
    }
  });
}

/** Write takes as files; on the skeleton of another take, or each on its own. */
export async function exportTakes(takes: readonly Take[], ending: Ending, skeleton = ""): Promise<void> {
  await attempt(async () => {
    const { address, file } = await api.exportTakes({ takes: names(takes), extension: ending, skeleton: skeleton || null });
    const link = document.createElement("a");
    link.href = address;
    link.download = file;
    document.body.append(link);
    link.click();
    link.remove();
  });
}

/** The loop range in frames of a take; null where there is none that would cut anything off. */
export function loopFrames(take: Take): [number, number] | null {
  if (studio.loop === null) return null;
  const start = Math.max(0, Math.round(studio.loop[0] * take.fps));
  const stop = Math.min(take.frames, Math.round(studio.loop[1] * take.fps));
  return stop - start >= 1 && stop - start < take.frames ? [start, stop] : null;
}

/** What is dragged to the timeline: a take, or its loop range as a clip. */
export function clipOf(take: Take): { take: string; start?: number; stop?: number } {
  const range = library.current?.name === take.name ? loopFrames(take) : null;
  return range === null ? { take: take.name } : { take: take.name, start: range[0], stop: range[1] };
}

function show(made: readonly T.MadeTake[], done: string): void {
  const new_ = made.flatMap((take) => take.made ?? []);
  const failed = made.filter((take) => take.error);
  if (new_.length > 0) library.show(new_[0]);
  const message = new_.length === 1 ? `Made ${new_[0]}` : `${count(new_.length, "take")} ${done}`;
  if (failed.length > 0) notify("warning", `${message}; ${failed.length} could not be ${done}: ${failed[0].error}`);
  else if (new_.length > 0) notify("good", message, { text: "Undo", run: undoThis() });
}

async function attempt(work: () => Promise<void>): Promise<void> {
  await work().catch((error: Error) => notify("error", error.message));
}
