/** The small sign in the view: how far the search is, or how well it ended. */

import type * as T from "../../api/types";
import type { Found } from "./answers";
import { floorPercent, linesOf } from "./report";

export interface BadgeFacts {
  isBlank: boolean;
  isSearching: boolean;
  problem: string;
  found: Found | null;
  job: T.Job | null; // what the server says about getting ready
  isOther: boolean; // another motion than the best plays
}

export interface Badge {
  look: "busy" | "good" | "missed" | "failed";
  text: string;
}

export function badgeOf({ isBlank, isSearching, problem, found, job, isOther }: BadgeFacts): Badge | null {
  if (problem) return { look: "failed", text: "The request cannot be searched; see the report" };
  if (isBlank) return null;
  if (found === null || (isSearching && found.isFinal)) {
    if (job !== null && job.note && isSearching) {
      const share = job.total > 0 ? ` ${Math.floor((100 * job.done) / job.total)} %` : "";
      return { look: "busy", text: `getting ready, ${job.note}${share}` };
    }
    return { look: "busy", text: "searching" };
  }
  if (isSearching) return { look: "busy", text: `searching, best so far ${met(found.best)}` };
  const missed = linesOf(found.best).filter((one) => !one.met).length;
  const beside = isOther ? "; another motion plays" : "";
  if (missed === 0) return { look: "good", text: `met 100 %${beside}` };
  return { look: "missed", text: `${met(found.best)} met, ${missed} missed${beside}` };
}

const met = (answer: T.TimelineAnswer): string => floorPercent(answer.share);
