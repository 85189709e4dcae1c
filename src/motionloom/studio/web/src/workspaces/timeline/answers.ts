/** The motions that one question was answered with, and what of them is shown. */

import type * as T from "../../api/types";

export interface Found {
  tag: string;
  best: T.TimelineAnswer; // the best so far
  others: T.TimelineAnswer[]; // in order of what they cost
  isFinal: boolean; // the best is known with its whole report
}

export const costOf = (answer: T.TimelineAnswer): number => answer.cost.labels + answer.cost.cuts + answer.cost.places;

/** What is found after one more answer; answers to another question begin anew. */
export function withAnswer(found: Found | null, answer: T.TimelineAnswer): Found {
  if (found === null || found.tag !== answer.tag) return { tag: answer.tag, best: answer, others: [], isFinal: false };
  if (answer.kind === "other") {
    const others = found.others.filter((one) => one.id !== answer.id);
    return { ...found, others: [...others, answer].sort((a, b) => costOf(a) - costOf(b)) };
  }
  const isFinal = found.isFinal || (answer.kind === "best" && answer.is_whole);
  const others = found.others.filter((one) => one.id !== answer.id);
  return { ...found, best: answer, others, isFinal };
}

/** All motions of a question, the best first. */
export function allOf(found: Found | null): T.TimelineAnswer[] {
  return found === null ? [] : [found.best, ...found.others];
}

/** What another motion has that the best has not: "2 joins more, 12 wrong frames more, 64 % from elsewhere". */
export function differenceOf(answer: T.TimelineAnswer, best: T.TimelineAnswer): string {
  const words: string[] = [];
  const joins = answer.joins.length - best.joins.length;
  if (joins !== 0) words.push(`${Math.abs(joins)} ${Math.abs(joins) === 1 ? "join" : "joins"} ${joins > 0 ? "more" : "fewer"}`);
  const wrong = Math.round(answer.cost.labels - best.cost.labels);
  if (wrong !== 0) words.push(`${Math.abs(wrong)} wrong ${Math.abs(wrong) === 1 ? "frame" : "frames"} ${wrong > 0 ? "more" : "fewer"}`);
  if (answer.differs !== null) words.push(`${Math.round(100 * answer.differs)} % from elsewhere`);
  return words.join(", ") || "other frames of the same kind";
}
