/** Frames of takes of the same markers, to be keys: telling ones of each, and any other. */

import * as api from "../../api/client";
import type * as T from "../../api/types";

class KeyFaces {
  takes = $state.raw<T.KeyFrames[]>([]);
  problem = $state("");
  isKnown = $state(false);

  private turn = 0;

  /** Those of the markers that a take has, or that most takes have (null). */
  async ask(like: string | null): Promise<void> {
    const turn = ++this.turn;
    try {
      const { takes } = await api.markerTakes(like ?? undefined);
      if (turn !== this.turn) return;
      this.takes = takes;
      this.problem = "";
      this.isKnown = true;
    } catch (error) {
      if (turn === this.turn) this.problem = (error as Error).message;
    }
  }
}

export const keyFaces = new KeyFaces();
