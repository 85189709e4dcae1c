/** Painting: what a stroke does to the stretches of a track. Stretches never overlap and are in order. */

import type { PaintGesture, Stretch, StretchKind } from "./types";

/** Seconds under which nothing is left of a stretch. */
export const SLIVER = 1e-6;

/** Lay a stretch over what was there; it grows together with its like. */
export function paint(stretches: Stretch[], start: number, stop: number, kind: StretchKind, like?: Partial<Stretch>): Stretch[] {
  if (stop - start <= SLIVER) return inOrder(stretches);
  const stroke: Stretch = { ...like, id: nameAt(kind, start), start, stop, kind };
  const rest = erase(stretches, start, stop);
  const before = rest.filter((stretch) => stretch.start < start);
  const after = rest.filter((stretch) => stretch.start >= start);
  return withOwnNames(before.concat(stroke, after).reduce<Stretch[]>(growTogether, []));
}

/** Cut a range out of a track. */
export function erase(stretches: Stretch[], start: number, stop: number): Stretch[] {
  if (stop - start <= SLIVER) return inOrder(stretches);
  const left: Stretch[] = [];
  for (const stretch of inOrder(stretches)) {
    if (stretch.stop <= start || stretch.start >= stop) {
      left.push(stretch);
      continue;
    }
    if (start - stretch.start > SLIVER) left.push({ ...stretch, stop: start });
    if (stretch.stop - stop > SLIVER) {
      const isWhole = start - stretch.start <= SLIVER;
      left.push({ ...stretch, start: stop, id: isWhole ? stretch.id : nameAt(stretch.kind, stop) });
    }
  }
  return withOwnNames(left);
}

/** What a track looks like after a gesture. */
export function painted(stretches: Stretch[], gesture: Pick<PaintGesture, "start" | "stop" | "tool">): Stretch[] {
  if (gesture.tool === "erase") return erase(stretches, gesture.start, gesture.stop);
  return paint(stretches, gesture.start, gesture.stop, gesture.tool);
}

/** Put one stretch elsewhere; what it would cover is cut. */
export function moved(stretches: Stretch[], id: string, start: number, stop: number): Stretch[] {
  const stretch = stretches.find((each) => each.id === id);
  if (!stretch) return inOrder(stretches);
  const others = erase(
    stretches.filter((each) => each.id !== id),
    start,
    stop,
  );
  return inOrder([...others, { ...stretch, start, stop }]);
}

export function inOrder(stretches: Stretch[]): Stretch[] {
  for (let index = 1; index < stretches.length; index++) {
    if (stretches[index].start < stretches[index - 1].start) return [...stretches].sort((a, b) => a.start - b.start);
  }
  return stretches;
}

function growTogether(done: Stretch[], next: Stretch): Stretch[] {
  const last = done[done.length - 1];
  if (!last || next.start - last.stop > SLIVER || !isLike(last, next)) return [...done, next];
  return [...done.slice(0, -1), { ...last, stop: next.stop }];
}

function isLike(a: Stretch, b: Stretch): boolean {
  return a.kind === b.kind && a.text === b.text && a.colour === b.colour && a.confidence === b.confidence;
}

function nameAt(kind: StretchKind, start: number): string {
  return `${kind}@${start.toFixed(4)}`;
}

/** A stretch that was cut in two may meet a name that is in use. */
function withOwnNames(stretches: Stretch[]): Stretch[] {
  const names = new Set<string>();
  return stretches.map((stretch) => {
    let id = stretch.id;
    while (names.has(id)) id += "'";
    names.add(id);
    return id === stretch.id ? stretch : { ...stretch, id };
  });
}
