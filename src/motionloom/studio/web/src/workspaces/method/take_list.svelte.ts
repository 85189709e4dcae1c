/** The takes of the corpus as panels of methods list them: bodies that are used together, and markers. */

import * as api from "../../api/client";
import type * as T from "../../api/types";

export interface TakeLine {
  name: string;
  fps: number;
  frames: number;
}

class TakeLines {
  all = $state.raw<TakeLine[]>([]); // bodies
  points = $state.raw<TakeLine[]>([]); // markers
  private names = $state.raw<string[]>([]); // of takes without a skeleton too
  isKnown = $state(false);
  leftOut = $state.raw<string[]>([]); // sentences: which takes cannot be used, and why
  skeletons = $state.raw<T.SkeletonRow[]>([]);
  reference = $state.raw<T.ReferenceSkeleton | null>(null);

  async ask(): Promise<void> {
    try {
      const list = await api.takes();
      const lines = (kind: T.TakeRow["kind"]): TakeLine[] =>
        list.takes.filter((take) => take.kind === kind && take.left_out === "").map(({ name, fps, frames }) => ({ name, fps, frames }));
      this.all = lines("body");
      this.points = lines("points");
      this.names = list.takes.map((take) => take.name);
      this.leftOut = [...list.left_out, ...list.points_left_out];
      this.skeletons = list.skeletons;
      this.reference = list.reference;
      this.isKnown = true;
    } catch {
      // the previous list stays
    }
  }

  /** A name that no take has: the one that is wanted, or with a number. */
  freeName(wanted: string): string {
    const clean = wanted.replace(/[^\w/.+-]+/g, "_");
    for (let number = 1; ; number++) {
      const tried = number === 1 ? clean : `${clean}_${number}`;
      if (!this.names.some((name) => name === tried || name.startsWith(`${tried}/`))) return tried;
    }
  }
}

export const takeLines = new TakeLines();
