/** Clips of the hub graph that were played one after another, as an answer that can be kept. */

import * as api from "../../api/client";
import { undo } from "../../commands/command";
import { saveAnswer } from "../../commands/save_answer";
import { building } from "../../hubs.svelte";
import { notify } from "../../state.svelte";
import { directTake } from "../direct/actions";

export interface Walk {
  clips: readonly number[];
  frames: number | null; // of the graph, after which it ends; null for the whole last clip too
}

export interface Played {
  clip: number;
  start: number; // seconds
}

/** What was played until now, the last clip as far as it has come. */
export function walkOf(played: readonly Played[], framesNow: number, fps: number): Walk | null {
  if (played.length === 0) return null;
  const frames = framesNow - Math.round(played[0].start * fps);
  return frames < 1 ? null : { clips: played.map(({ clip }) => clip), frames };
}

/** Keep a walk as a take; true if that worked. */
export async function keepWalk({ clips, frames }: Walk, name: string): Promise<boolean> {
  const graph = building.built?.digest;
  if (graph === undefined) return false;
  try {
    const { answer } = await api.snapWalk({ graph, clips: [...clips], frames });
    return await saveAnswer({ answer, name });
  } catch (error) {
    notify("error", (error as Error).message);
    return false;
  }
}

export async function saveWalk(walk: Walk, name: string): Promise<boolean> {
  const isKept = await keepWalk(walk, name);
  if (isKept) notify("good", `Saved as ${name}`, { text: "Undo", run: () => void undo() });
  return isKept;
}

/** Keep a walk, and take hold of it in Direct. */
export async function directWalk(walk: Walk, name: string): Promise<boolean> {
  return (await keepWalk(walk, name)) && (await directTake(name));
}
