/**
 * Takes that the server has made, by importing, mirroring, trimming or cleaning. Making them may take a while, and other
 * steps must not wait for it, so the step is written down when they are there: undo removes them, redo brings them back.
 */

import * as api from "../api/client";
import type * as T from "../api/types";
import { studio } from "../state.svelte";
import { chooseTake } from "./choose_take";
import { defineCommand } from "./command";

const PAUSE = 60; // milliseconds between two looks at a job

export interface Made {
  takes: string[]; // new ones
  of?: string[]; // what they were made of
}

/** A kind of step that begins with takes that are there already. */
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

/** Wait for a job that makes takes; raises with the reason where it made none. */
export async function waitForTakes(job: T.Job): Promise<T.MadeTake[]> {
  for (;;) {
    const told = await api.madeTakes(job.id);
    if (told.state === "done") return told.made;
    if (told.state === "failed") throw new Error(told.error);
    if (told.state === "cancelled") return [];
    await new Promise((done) => setTimeout(done, PAUSE));
  }
}
