/** The badge in the view: how far the search is, or how well it ended. */

import type * as T from "../../api/types";
import type { Found } from "./answers";

export interface BadgeFacts {
  isBlank: boolean; // the request is empty
  isSearching: boolean;
  problem: string;
  found: Found | null;
  playing: T.Answer | null; // the answer that the report is about: the best, or another one
  job: T.Job | null; // the preparation
  isOld?: boolean; // the request was changed since
  verdictOf?: (answer: T.Answer) => T.Verdict; // as the workspace counts; else as the server does
}

export interface Badge {
  look: "busy" | "good" | "missed" | "failed" | "old";
  text: string;
}

export function badgeOf({ isBlank, isSearching, problem, found, playing, job, isOld = false, verdictOf = (answer) => answer.verdict }: BadgeFacts): Badge | null {
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
  const { best } = found;
  if (isSearching) {
    const { percent, sentence } = verdictOf(best);
    return { look: "busy", text: percent === null ? `searching, so far ${sentence}` : `searching, best so far ${percent} %` };
  }
  if (isOld) return { look: "old", text: "answers an older request; search again" };
  const shown = playing ?? best;
  const { missed, sentence } = verdictOf(shown);
  return { look: missed === 0 ? "good" : "missed", text: `${shown.id === best.id ? "" : "another motion plays: "}${sentence}` };
}
