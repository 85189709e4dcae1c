/**
 * Takes that the server has made, by importing, mirroring, trimming or cleaning. Making them may take a while, and other
 * steps must not wait for it, so the step enters the history when they exist: undo removes them, redo restores them.
 */

import * as api from "../api/client";
import type * as T from "../api/types";
import { studio } from "../state.svelte";
import { chooseTake } from "./choose_take";
import { defineCommand } from "./command";

const PAUSE = 60; // milliseconds between two polls of a job

export interface Made {
  takes: string[]; // new ones
  of?: string[]; // what they were made of
}

/** Register a kind of step whose takes exist already when it is run. */
export function defineMaking(kind: string, describe: (made: Made) => string): (made: Made) => Promise<boolean> {
  return defineCommand<Made, Made>({
    kind,
    describe,
    execute: (made) => made,
    async undo({ takes, of }) {
      if (of?.length === 1) chooseTake(of[0]);
      studio.leaving = new Set(takes);
      try {
        await api.removeTakes({ takes });
      } catch (error) {
        studio.leaving = new Set();
        throw error;
      }
    },
    async redo(made) {
      await api.restoreTakes({ takes: made.takes, numbers: null });
      return made;
    },
  });
}

/** Wait for a job that makes takes; throws with the reason if it failed. */
export async function waitForTakes(job: T.Job): Promise<T.MadeTake[]> {
  for (;;) {
    const answer = await api.madeTakes(job.id);
    if (answer.state === "done") return answer.made;
    if (answer.state === "failed") throw new Error(answer.error);
    if (answer.state === "cancelled") return [];
    await new Promise((done) => setTimeout(done, PAUSE));
  }
}
