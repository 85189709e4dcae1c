/** The badge in the view: how far the search is, or how well it ended. */

import type * as T from "../../api/types";
import type { Found } from "./answers";

/** How well an answer meets the request. */
export interface Verdict {
  share: string | null; // "95 %", if the method has one
  missed: number; // parts that are not met
  of: number; // parts
}

export interface BadgeFacts {
  isBlank: boolean; // the request is empty
  isSearching: boolean;
  problem: string;
  found: Found | null;
  job: T.Job | null; // the preparation
  isOther: boolean; // another motion than the best plays
  isOld?: boolean; // the request was changed since
  verdictOf: (answer: T.Answer) => Verdict;
}

export interface Badge {
  look: "busy" | "good" | "missed" | "failed" | "old";
  text: string;
}

/** The verdict of the report's parts alone. */
export function verdictOfParts(answer: T.Answer): Verdict {
  return { share: null, missed: answer.parts.filter((part) => !part.met).length, of: answer.parts.length };
}

export function badgeOf({ isBlank, isSearching, problem, found, job, isOther, isOld = false, verdictOf }: BadgeFacts): Badge | null {
  if (problem) return { look: "failed", text: "The request cannot be searched; see the report" };
  if (isBlank) return null;
  if (isSearching && (found === null || found.isFinal)) {
    if (job !== null && job.note) {
      const share = job.total > 0 ? ` ${Math.floor((100 * job.done) / job.total)} %` : "";
      return { look: "busy", text: `getting ready, ${job.note}${share}` };
    }
    return { look: "busy", text: "searching" };
  }
  if (found === null) return { look: "busy", text: "searching" };
  const { share, missed, of } = verdictOf(found.best);
  if (isSearching) return { look: "busy", text: `searching, best so far ${share ?? `costs ${found.best.cost.toFixed(1)}`}` };
  if (isOld) return { look: "old", text: "answers an older request; search again" };
  const beside = isOther ? "; another motion plays" : "";
  if (missed === 0) return { look: "good", text: `${share !== null ? "met 100 %" : of > 0 ? "everything is met" : "found a motion"}${beside}` };
  return { look: "missed", text: `${share === null ? `${missed} of ${of} missed` : `${share} met, ${missed} missed`}${beside}` };
}
