/** Poses to choose from, as panels of workspaces show them: found in the takes of a request, each with its picture. */

import * as api from "../../api/client";
import type * as T from "../../api/types";
import type { BodyData, SkeletonData } from "../../motion/types";

/** What poses are drawn with. */
export interface Looks {
  skeleton: SkeletonData | null;
  body: BodyData | null;
}

export class PosePalette {
  value = $state.raw<T.PosePalette | null>(null);
  job = $state.raw<T.Job | null>(null);
  problem = $state(""); // why there are none
  portraits = $state.raw<ReadonlyMap<number, ImageBitmap>>(new Map()); // by pose group
  looks = $state.raw<Looks>({ skeleton: null, body: null });

  readonly cards = $derived(this.value?.cards ?? []);

  private tag = "";
  private asked = 0;

  async ask(request: T.BuildupRequest): Promise<void> {
    this.problem = "";
    const tag = `${Math.random().toString(36).slice(2, 8)}-${++this.asked}`;
    this.tag = tag;
    try {
      this.job = await api.posePalette({ tag, request });
    } catch (error) {
      this.problem = (error as Error).message;
    }
  }

  /** True where the poses have come. */
  receive(message: T.FromServer): boolean {
    if (message.type === "palette" && message.tag === this.tag) {
      this.value = message.palette;
      this.problem = "";
      return true;
    }
    if (message.type === "job" && message.job.id === this.job?.id) {
      this.job = message.job;
      if (message.job.state === "failed") this.problem = message.job.error;
    }
    return false;
  }

  forget(): void {
    this.value = null;
    this.tag = "";
    this.portraits = new Map();
    this.problem = "";
  }
}
