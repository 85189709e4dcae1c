/** What keys and gestures do in this workspace. */

import { acceptLabels } from "../../commands/accept_labels";
import { paintLabels } from "../../commands/paint_labels";
import type { Actions } from "../../shortcuts";
import { notify, studio } from "../../state.svelte";
import type { EdgeGesture, PaintGesture, Track } from "../../widgets/timeline/types";
import { framesOf, stretchAt } from "./label_tracks";
import { annotationState } from "./annotation_state.svelte";
import { nextUnclear } from "./queue";
import type { Range } from "./ranges";

/** Remove the focus after a click: a button that was clicked needs neither Tab nor Enter any more. */
export function letGo(): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && !activeElement.matches(":focus-visible")) activeElement.blur();
}

let isAccepting = false;

/** Accept what is shown as verified; then what teaches most comes next. */
export async function accept(): Promise<void> {
  letGo();
  if (isAccepting || annotationState.isLeaving) return; // the next stretch is not shown yet: it must not be accepted unseen
  if (!studio.canWrite) return void notify("warning", "This corpus is read-only; nothing can be accepted");
  const wanted = annotationState.wanted();
  if (wanted === null) return;
  annotationState.followAfter(wanted.take);
  isAccepting = true;
  const isDone = await acceptLabels(wanted);
  isAccepting = false;
  if (!isDone) annotationState.choose(wanted.take);
}

/** Reject the proposal: the selected stretch, or the one under the playhead. */
export function reject(): void {
  letGo();
  const track = annotationState.rows.find((row) => row.stretches.some((stretch) => stretch.selected)) ?? trackHere();
  const stretch = track && stretchAt(track, frameNow());
  if (!track || !stretch || annotationState.take === null) {
    return void notify("info", "Nothing is proposed here; move the playhead to a proposal, or select one");
  }
  void paintLabels({ take: annotationState.take, label: track.id, range: framesOf(stretch.id), sign: -1 });
}

/** Go to the next stretch that is unclear. */
export function goToUnclear(): void {
  letGo();
  if (annotationState.state === null) return;
  const place = nextUnclear(annotationState.state, annotationState.take, frameNow());
  if (place === null) return void notify("good", "Nothing is unclear; everything that is left is proposed with confidence");
  annotationState.look(place);
}

export function goToOffer(): void {
  letGo();
  if (annotationState.offer !== null) annotationState.look(annotationState.offer);
}

export const actions: Actions = {
  // a key that is held down must not accept or reject what was not seen yet
  accept: (_, { repeat }) => (annotationState.vocabulary.length === 0 ? false : repeat ? undefined : void accept()),
  reject: (_, { repeat }) => (annotationState.vocabulary.length === 0 ? false : repeat ? undefined : reject()),
  nextUncertain: () => (annotationState.vocabulary.length > 0 ? goToUnclear() : false),
};

export function painted({ track, start, stop, tool, phase }: PaintGesture): void {
  annotationState.stay();
  if (phase !== "end" || annotationState.take === null) return;
  const range = framesBetween(start, stop);
  if (range[1] > range[0]) void paintLabels({ take: annotationState.take, label: track, range, sign: tool === "must" ? 1 : -1 });
}

export function moved({ track, stretch, start, stop, phase }: EdgeGesture): void {
  annotationState.stay();
  if (phase !== "end" || annotationState.take === null) return;
  const [range, from] = [framesBetween(start, stop), framesOf(stretch)];
  if (range[0] === from[0] && range[1] === from[1]) return;
  const sign = stretch.startsWith("4:") ? -1 : 1; // a negative stroke stays negative
  if (sign > 0) void paintLabels({ take: annotationState.take, label: track, range, sign, from });
  else void paintLabels({ take: annotationState.take, label: track, range, sign });
}

export function selected(track: string | null, stretch: string | null): void {
  annotationState.selected = track === null || stretch === null ? null : { label: track, start: framesOf(stretch)[0] };
  if (track !== null) annotationState.chosen = track;
}

/** The chosen track if something holds there now; else the one whose proposal here is least sure. */
function trackHere(): Track | undefined {
  const frame = frameNow();
  const there = annotationState.rows.filter((row) => stretchAt(row, frame) !== null);
  const sureness = (row: Track): number => stretchAt(row, frame)?.confidence ?? 1;
  return there.find((row) => row.id === annotationState.chosen) ?? there.sort((a, b) => sureness(a) - sureness(b))[0];
}

const frameNow = (): number => Math.floor(studio.time * (annotationState.tracks?.fps ?? 60) + 1e-4);

function framesBetween(start: number, stop: number): Range {
  const { fps, frames } = annotationState.tracks ?? { fps: 60, frames: 0 };
  return [Math.max(0, Math.round(start * fps)), Math.min(frames, Math.round(stop * fps))];
}
