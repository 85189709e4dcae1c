import type * as T from "../api/types";

const DETAILS: T.TimelineDetails = { labels: [], pieces: [], joins: [], forced: [], places: [], reasons: [] };

/** An answer of a search, with the fields that a test sets. */
export function makeAnswer(changes: Partial<T.Answer> = {}): T.Answer {
  const id = changes.id ?? "answer:1";
  return {
    id,
    method: "medley",
    tag: "t",
    kind: "first",
    is_whole: false,
    seconds: 0.2,
    fps: 60,
    frames: 600,
    cost: 6,
    costs: { labels: 1, cuts: 2, places: 3 },
    differs: null,
    is_met: true,
    verdict: { missed: 0, of: 0, percent: null, sentence: "found a motion" },
    characters: [{ name: "", motion: id, kind: "body", pieces: [] }],
    parts: [],
    quality: [],
    notes: [],
    details: {},
    ...changes,
  };
}

/** An answer of the method timeline. */
export function makeTimelineAnswer(details: Partial<T.TimelineDetails> = {}, changes: Partial<T.Answer> = {}): T.Answer {
  return makeAnswer({ method: "timeline", details: { ...DETAILS, ...details }, ...changes });
}
