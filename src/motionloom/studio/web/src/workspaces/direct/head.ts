/** How the head of a face moves: as it comes, still as at a moment, or as in the take of the first key. */

import type * as T from "../../api/types";

export type HeadChoice = "usual" | "still" | "like";

/** What is chosen; a file may ask for more than the page has names for. */
export function choiceOf({ head }: T.DirectRequest): HeadChoice | "other" {
  if (head == null) return "usual";
  if (head.like != null) return "like";
  return head.still != null ? "still" : "other";
}

/** What can be chosen, with words for people. */
export function choicesFor(request: T.DirectRequest): Partial<Record<HeadChoice, string>> {
  if (request.start_from != null) return { usual: "as it was", still: "still, as at the playhead" };
  const first = firstKey(request);
  return first === null ? { usual: "still" } : { usual: "still", like: `as in ${first.take}` };
}

/** The head of a request after a choice; seconds: of the playhead, fps: of the take that is edited. */
export function chosenHead(request: T.DirectRequest, choice: HeadChoice, seconds: number, fps: number): T.Head | null {
  const blank = { like: null, still: null, position: null, turns: null };
  if (choice === "still" && request.start_from != null) return { ...blank, still: { take: request.start_from, frame: Math.round(seconds * fps) } };
  const first = firstKey(request);
  return choice === "like" && first !== null ? { ...blank, like: first } : null;
}

/** The face that a new motion begins with. */
function firstKey({ poses }: T.DirectRequest): T.Frame | null {
  return poses.find(({ pose }) => pose != null)?.pose ?? null;
}
