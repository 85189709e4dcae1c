/**
 * The length of a timeline. What lies beyond the end of one that was made shorter is kept in the document, but not
 * asked for; it comes back when the timeline is made longer.
 */

import type * as T from "../../api/types";
import { strokesOf, withStrokes } from "./paint";
import { clipRange, LONGEST, placeFrame } from "./request";
import { framesOf, textOf } from "./times";

interface Parted<Thing> {
  inside: Thing[];
  beyond: Thing[];
}

/** Make the motion longer or shorter. `rates`: frames per second of takes that are forced, or were. */
export function withLength(part: T.TimelinePart, frames: number, rates: Record<string, number> = {}): T.TimelinePart {
  const { request, beyond } = part;
  const { fps } = request;
  const length = Math.max(1, Math.min(frames, Math.round(LONGEST * fps)));
  const next = { ...request, length: textOf(length, fps) };
  const labels = partLabels([...request.labels, ...beyond.labels], fps, length);
  const clips = partClips([...request.frames, ...beyond.frames], next, length, rates);
  const places = partPlaces([...request.places, ...beyond.places], next, length);
  const back = new Set(beyond.labels.map((paint) => paint.label));
  return {
    ...part,
    request: merged({ ...next, labels: labels.inside, frames: clips.inside, places: places.inside }, back),
    beyond: { labels: labels.beyond, frames: clips.beyond, places: places.beyond },
  };
}

/** "1 stretch and 2 places lie beyond the end; a longer timeline brings them back"; "" where nothing does. */
export function describeBeyond({ beyond }: T.TimelinePart): string {
  const numbers = { stretch: beyond.labels.length, clip: beyond.frames.length, place: beyond.places.length };
  const sum = Object.values(numbers).reduce((all, number) => all + number, 0);
  const named = Object.entries(numbers).filter(([, number]) => number > 0);
  const words = named.map(([word, number]) => `${number} ${word}${number === 1 ? "" : word === "stretch" ? "es" : "s"}`);
  if (sum === 0) return "";
  const list = [words.slice(0, -1).join(", "), ...words.slice(-1)].filter(Boolean).join(" and ");
  return sum === 1 ? `${list} lies beyond the end; a longer timeline brings it back` : `${list} lie beyond the end; a longer timeline brings them back`;
}

/** Paint on both sides of the end is cut in two; what is painted up to "end" goes along with it. */
function partLabels(all: readonly T.Paint[], fps: number, length: number): Parted<T.Paint> {
  const parted: Parted<T.Paint> = { inside: [], beyond: [] };
  for (const paint of all) {
    const [start, stop] = [framesOf(paint.from, fps, length), framesOf(paint.to, fps, length)];
    const end = textOf(length, fps);
    if (start < length) parted.inside.push(stop > length ? { ...paint, to: end } : paint);
    if (start >= length) parted.beyond.push(paint);
    else if (stop > length) parted.beyond.push({ ...paint, from: end });
  }
  return parted;
}

/** A clip is inside as a whole, unless another one was put in its place. */
function partClips(all: readonly T.ForcedFrames[], request: T.Request, length: number, rates: Record<string, number>): Parted<T.ForcedFrames> {
  const taken: [number, number][] = [];
  return partBy(all, (clip) => {
    const [start, stop] = clipRange(clip, request, rates[clip.take] ?? request.fps);
    const isFree = taken.every(([from, to]) => stop <= from || start >= to);
    if (start < 0 || stop > length || !isFree) return false;
    taken.push([start, stop]);
    return true;
  });
}

/** A place is inside unless another one is there at the same time; the one at the end stays there. */
function partPlaces(all: readonly T.Place[], request: T.Request, length: number): Parted<T.Place> {
  const taken = new Set(all.some((place) => place.at === "end") ? [length - 1] : []);
  return partBy(all, (place) => {
    if (place.at === "end") return true;
    const frame = placeFrame(place, request);
    if (framesOf(place.at, request.fps, length) >= length || taken.has(frame)) return false;
    taken.add(frame);
    return true;
  });
}

function partBy<Thing>(all: readonly Thing[], isInside: (thing: Thing) => boolean): Parted<Thing> {
  const parted: Parted<Thing> = { inside: [], beyond: [] };
  for (const thing of all) parted[isInside(thing) ? "inside" : "beyond"].push(thing);
  return parted;
}

/** The request with the stretches of some labels joined where they touch, as they were before the end cut them in two. */
function merged(request: T.Request, labels: ReadonlySet<string>): T.Request {
  let next = request;
  for (const label of labels) {
    if (request.labels.some((paint) => paint.label === label)) next = withStrokes(next, label, strokesOf(next, label));
  }
  return next;
}
