/** The badge in the view: the state of the build. */

import type * as T from "../../api/types";
import type { BuildLook } from "../../hubs.svelte";

export interface BadgeFacts {
  look: BuildLook;
  job: T.Job | null;
  clips: number | null; // of the graph that plays; null: there is none
  problems: number; // hubs that cannot be built
}

export interface Badge {
  look: "busy" | "good" | "failed";
  text: string;
}

export function badgeOf({ look, job, clips, problems }: BadgeFacts): Badge | null {
  const plays = clips === null ? "" : "; the previous graph plays";
  if (problems > 0) return { look: "failed", text: `${problems === 1 ? "a hub" : `${problems} hubs`} cannot be built${plays}` };
  if (look === "failed") return { look: "failed", text: `the graph could not be built${plays}` };
  if (look === "waiting" || look === "building") {
    const share = job !== null && job.total > 0 ? ` ${Math.floor((100 * job.done) / job.total)} %` : "";
    return { look: "busy", text: `building the graph${job?.note ? `, ${job.note}` : ""}${share}` };
  }
  return look === "built" && clips !== null ? { look: "good", text: `graph of ${clips} ${clips === 1 ? "clip" : "clips"}` } : null;
}
