/** Distances between two markers, or joints: set by a slider at the playhead, or over the loop range. */

import type * as T from "../../api/types";
import { editDirect, editDirectChange } from "../../commands/edit_direct";
import { stage } from "../../stage.svelte";
import { studio } from "../../state.svelte";
import { distanceName, idOf, newEntry } from "./demands";
import { directState } from "./direct.svelte";
import { isSamePair } from "./pair_names.svelte";
import { atFrame, isMoment, spanOf } from "./times";

export type Pair = Pick<T.NamedDistance, "joint" | "other">;
type Span = [number, number]; // first and last frame

const round = (metres: number): number => Number(metres.toFixed(5));

/** How far two markers are apart in the motion that is shown, metres; null where one is not seen. */
export function distanceNow({ joint, other }: Pair): number | null {
  const [a, b] = [stage.placeOf(joint), stage.placeOf(other)];
  return a === null || b === null ? null : Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** The frames that a slider is for: the loop range, or the one at the playhead. */
export function spanNow(): Span {
  const { frame, frames, fps } = directState;
  if (studio.loop === null) return [frame, frame];
  const [start, stop] = studio.loop.map((seconds) => Math.round(seconds * fps));
  return [Math.min(start, frames - 1), Math.max(start, Math.min(stop, frames - 1))];
}

/** What is asked of a pair in some frames: its number among the distances; -1 where nothing is. */
export function askedAt(distances: readonly T.Distance[], pair: Pair, [first, last]: Span, fps: number, frames: number): number {
  return distances.findIndex((each) => {
    if (!isSamePair(pair, each)) return false;
    const [start, stop] = spanOf(each, fps, frames);
    return start === first && stop === last && isMoment(each) === (first === last);
  });
}

/** The distances after that of a pair was set in some frames; and the number of the one that was set. */
export function withDistance(distances: readonly T.Distance[], pair: Pair, metres: number, span: Span, fps: number, frames: number): [T.Distance[], number] {
  const known = askedAt(distances, pair, span, fps, frames);
  if (known >= 0) return [distances.map((each, n) => (n === known ? { ...each, metres: round(metres), path: null, like: null } : each)), known];
  const [first, last] = span;
  const when = first === last ? { at: atFrame(first) } : { from: atFrame(first), to: atFrame(last) };
  const { joint, other } = pair;
  return [[...distances, newEntry("distances", { joint, other, metres: round(metres), hard: true, ...when })], distances.length];
}

let held: Span | null = null; // of the slider that is dragged: the playhead may not slip away under it

/** A slider is dragged, or let go. */
export function setDistance(pair: Pair, metres: number, phase: "move" | "end"): void {
  const { request, fps, frames } = directState;
  if (held === null) {
    held = spanNow();
    stage.player.pause();
    directState.search.cancel();
    directState.keepGhost();
  }
  const [distances, index] = withDistance(studio.document.direct.request.distances, pair, metres, held, fps, frames);
  const args = { changes: { distances }, what: `Set ${distanceName(pair)}` };
  directState.selected = idOf({ list: "distances", index });
  if (phase === "move") {
    studio.draft = editDirectChange(studio.document, args);
    return;
  }
  held = null;
  if (JSON.stringify(distances) === JSON.stringify(request.distances) && studio.draft === null) return letGo();
  void editDirect(args).finally(letGo);
}

function letGo(): void {
  directState.before = null;
}

/** Nothing is asked of a pair in these frames any more. */
export function releaseDistance(index: number): void {
  const { distances } = studio.document.direct.request;
  directState.selected = null;
  void editDirect({ changes: { distances: distances.filter((_, n) => n !== index) }, what: `Let ${distanceName(distances[index])} go` });
}
