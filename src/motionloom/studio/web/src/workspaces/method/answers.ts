/** The answers to one request, and which of them are shown. */

import type * as T from "../../api/types";
import type { CastMember } from "../../state.svelte";

export interface Found {
  tag: string;
  best: T.Answer; // the best so far
  others: T.Answer[]; // in order of what they cost
  isFinal: boolean; // the best is known with its whole report
}

/** What is found after one more answer; answers to another request replace all. */
export function withAnswer(found: Found | null, answer: T.Answer): Found {
  if (found === null || found.tag !== answer.tag) return { tag: answer.tag, best: answer, others: [], isFinal: answer.kind !== "other" && answer.is_whole };
  if (answer.kind === "other") {
    const others = found.others.filter((other) => other.id !== answer.id);
    return { ...found, others: [...others, answer].sort((a, b) => a.cost - b.cost) };
  }
  const isFinal = found.isFinal || answer.is_whole;
  const others = found.others.filter((other) => other.id !== answer.id);
  return { ...found, best: answer, others, isFinal };
}

/** All answers to a request, the best first. */
export function allOf(found: Found | null): T.Answer[] {
  return found === null ? [] : [found.best, ...found.others];
}

/** The characters of the answer that plays, and of one that is shown beside it: translucent, in other hues. */
export function castOf(answer: T.Answer | null, compared: T.Answer | null): CastMember[] {
  const playing = (answer?.characters ?? []).map(({ motion }, hue): CastMember => ({ motion, hue }));
  const beside = compared === answer ? [] : (compared?.characters ?? []);
  return [...playing, ...beside.map(({ motion }, n): CastMember => ({ motion, hue: playing.length + n, isBeside: true }))];
}

/** How another answer differs from the best: "costs 2.1 more, 64 % from elsewhere". */
export function differenceOf(answer: T.Answer, best: T.Answer): string {
  const parts: string[] = [];
  const more = answer.cost - best.cost;
  if (Math.abs(more) >= 0.05) parts.push(`costs ${Math.abs(more).toFixed(1)} ${more > 0 ? "more" : "less"}`);
  if (answer.differs !== null) parts.push(`${Math.round(100 * answer.differs)} % from elsewhere`);
  return parts.join(", ") || "as good in another way";
}

/** The terms of a cost: "Labels 1.0, cuts 2.0". */
export function costsOf(answer: T.Answer): string {
  const terms = Object.entries(answer.costs).map(([name, cost]) => `${name} ${cost.toFixed(1)}`);
  const text = terms.join(", ");
  return text === "" ? "" : text[0].toUpperCase() + text.slice(1);
}
