/** The answers to one question, and what of them is shown. */

import type * as T from "../../api/types";
import type { CastMember } from "../../state.svelte";

export interface Found {
  tag: string;
  best: T.Answer; // the best so far
  others: T.Answer[]; // in order of what they cost
  isFinal: boolean; // the best is known with its whole report
}

/** What is found after one more answer; answers to another question begin anew. */
export function withAnswer(found: Found | null, answer: T.Answer): Found {
  if (found === null || found.tag !== answer.tag) return { tag: answer.tag, best: answer, others: [], isFinal: answer.kind !== "other" && answer.is_whole };
  if (answer.kind === "other") {
    const others = found.others.filter((one) => one.id !== answer.id);
    return { ...found, others: [...others, answer].sort((a, b) => a.cost - b.cost) };
  }
  const isFinal = found.isFinal || answer.is_whole;
  const others = found.others.filter((one) => one.id !== answer.id);
  return { ...found, best: answer, others, isFinal };
}

/** All answers to a question, the best first. */
export function allOf(found: Found | null): T.Answer[] {
  return found === null ? [] : [found.best, ...found.others];
}

/** The characters of the answer that plays, and of one that is shown beside it in other hues. */
export function castOf(answer: T.Answer | null, compared: T.Answer | null): CastMember[] {
  const shown = [answer, compared === answer ? null : compared].flatMap((one) => one?.characters ?? []);
  return shown.map((character, hue) => ({ motion: character.motion, hue }));
}

/** What another answer has that the best has not: "costs 2.1 more, 64 % from elsewhere". */
export function differenceOf(answer: T.Answer, best: T.Answer): string {
  const words: string[] = [];
  const more = answer.cost - best.cost;
  if (Math.abs(more) >= 0.05) words.push(`costs ${Math.abs(more).toFixed(1)} ${more > 0 ? "more" : "less"}`);
  if (answer.differs !== null) words.push(`${Math.round(100 * answer.differs)} % from elsewhere`);
  return words.join(", ") || "as good in another way";
}

/** What a cost is the sum of: "Labels 1.0, cuts 2.0". */
export function costsOf(answer: T.Answer): string {
  const words = Object.entries(answer.costs).map(([name, cost]) => `${name} ${cost.toFixed(1)}`);
  const text = words.join(", ");
  return text === "" ? "" : text[0].toUpperCase() + text.slice(1);
}
