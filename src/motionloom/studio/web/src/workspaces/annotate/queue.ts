/** In which order to look at takes and stretches. */

import type * as T from "../../api/types";

export type Order = "teaches" | "unsure" | "name";

export interface Place {
  take: string;
  start: number; // frames
  stop: number;
  fps: number;
}

export function ordered(takes: readonly T.TakeStanding[], order: Order, search = ""): T.TakeStanding[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = takes.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
  const last = Number.POSITIVE_INFINITY;
  const by: Record<Order, (standing: T.TakeStanding) => number> = {
    teaches: (standing) => standing.rank ?? last,
    unsure: (standing) => standing.confidence ?? last,
    name: () => 0,
  };
  const key = by[order];
  return [...found].sort((a, b) => compare(key(a), key(b)) || (a.name < b.name ? -1 : 1));
}

const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

/**
 * The next stretch that is unclear: after this frame of this take, else in the takes after it in order, else what
 * teaches most; null where nothing is unclear and nothing is offered.
 */
export function nextUnclear(state: T.AnnotateState, take: string | null, frame: number): Place | null {
  const rates = new Map(state.takes.map((standing) => [standing.name, standing.fps]));
  const place = (stretch: T.UnsureStretch): Place => ({ ...stretchOf(stretch), fps: rates.get(stretch.take) ?? 60 });
  const here = state.unsure.filter((stretch) => stretch.take === take && stretch.start > frame);
  if (here[0] !== undefined) return place(here[0]);
  const names = ordered(state.takes, "teaches").map((standing) => standing.name);
  const from = names.indexOf(take ?? "") + 1;
  for (const name of [...names.slice(from), ...names.slice(0, from)]) {
    const found = state.unsure.find((stretch) => stretch.take === name);
    if (found !== undefined) return place(found);
  }
  const offer = state.offers[0];
  return offer === undefined ? null : { ...stretchOf(offer), fps: offer.fps };
}

/** The first offer; another one than the take that was just accepted, where there is one. */
export function nextOffer(state: T.AnnotateState, accepted: string | null): T.TeachingOffer | null {
  return state.offers.find((offer) => offer.take !== accepted) ?? state.offers[0] ?? null;
}

/** What teaches most of what is not verified yet; what was just accepted is not offered again. */
export function firstOffer(state: T.AnnotateState): T.TeachingOffer | null {
  const verified = new Set(state.takes.filter((standing) => standing.verified > 0.9999).map((standing) => standing.name));
  return state.offers.find((offer) => !verified.has(offer.take)) ?? null;
}

/** Whether every label is verified in every take. */
export const isDone = (state: T.AnnotateState): boolean =>
  state.choice.vocabulary.length > 0 && state.takes.length > 0 && state.takes.every((standing) => standing.verified > 0.9999);

const stretchOf = ({ take, start, stop }: { take: string; start: number; stop: number }) => ({ take, start, stop });

/** Why a stretch is offered, in a sentence. */
export function reasonFor(offer: T.TeachingOffer): string {
  if (offer.why.startsWith("nothing is verified")) return "Nothing is verified yet, and this take is the most like all others.";
  const about = offer.about.length > 0 ? `about ${offer.about.join(" and ")} here` : "here";
  const sure = offer.unsure > 0.5 ? `is very unsure ${about}` : offer.unsure > 0.2 ? `is unsure ${about}` : "is quite sure here";
  const isNew = offer.new > 0.75;
  if (offer.unsure > 0.2) return `The classifier ${sure}${isNew ? ", and nothing verified looks like it" : ""}.`;
  return `The classifier ${sure}${isNew ? ", but nothing verified looks like it" : "; the rest is as clear or clearer"}.`;
}
