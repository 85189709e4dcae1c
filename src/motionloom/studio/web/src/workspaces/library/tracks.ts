/** What the timeline shows of a take: its labels, how fast and which way it goes, how high the feet are. */

import type * as T from "../../api/types";
import type { Unpacked } from "../../api/packing";
import type { Mark, Track } from "../../widgets/timeline/types";

export interface Curves {
  frames: number;
  values: Record<string, Float32Array>; // by name, one value per frame
}

const FEET = [
  { point: "left_heel", name: "Left heel", colour: "var(--view-left)" },
  { point: "left_ball", name: "Left ball", colour: "var(--view-left)" },
  { point: "right_heel", name: "Right heel", colour: "var(--view-right)" },
  { point: "right_ball", name: "Right ball", colour: "var(--view-right)" },
] as const;

/** Curves come with every n-th frame only where a take is long; here each frame gets its value. */
export function readCurves({ header, arrays }: Unpacked): Curves {
  const frames = header.frames as number;
  const every = header.every as number;
  const values: Record<string, Float32Array> = {};
  for (const [name, some] of Object.entries(arrays)) values[name] = spread(some as Float32Array, frames, every);
  return { frames, values };
}

export function spread(some: Float32Array, frames: number, every: number): Float32Array {
  if (every === 1) return some;
  const all = new Float32Array(frames);
  for (let frame = 0; frame < frames; frame++) {
    const place = frame / every;
    const before = Math.min(some.length - 1, Math.floor(place));
    const after = Math.min(some.length - 1, before + 1);
    all[frame] = some[before] + (some[after] - some[before]) * (place - before);
  }
  return all;
}

/** A track for each label of a take, from the one that holds longest. */
export function labelTracks(labels: readonly T.TakeLabel[], fps: number, colourOf: (label: string) => string): Track[] {
  const ranges = new Map<string, T.TakeLabel[]>();
  for (const range of labels) ranges.set(range.label, [...(ranges.get(range.label) ?? []), range]);
  const frames = (all: T.TakeLabel[]): number => all.reduce((sum, range) => sum + range.stop - range.start, 0);
  return [...ranges.entries()]
    .sort((a, b) => frames(b[1]) - frames(a[1]) || a[0].localeCompare(b[0]))
    .map(([label, all]) => ({
      id: `label:${label}`,
      name: label,
      colour: colourOf(label),
      paintable: false,
      height: 22,
      stretches: all.map((range, i) => ({
        id: `${label}:${i}`,
        start: range.start / fps,
        stop: range.stop / fps,
        kind: "holds" as const,
        text: label,
        title: `${label}, ${((range.stop - range.start) / fps).toFixed(2)} s${range.source === "user" ? "" : `, from ${range.source}`}`,
        colour: colourOf(label),
      })),
    }));
}

/** Tracks with curves; contacts are marked where the feet are drawn. */
export function curveTracks(curves: Curves, contacts: T.Footprints["contacts"], fps: number): Track[] {
  const { speed, heading } = curves.values;
  const tracks: Track[] = [];
  if (speed) tracks.push(curve("speed", "Speed", "var(--view-accent)", speed, 0, Math.max(1, top(speed)), "m/s", 36));
  if (heading) {
    const [low, high] = range(heading, 30);
    tracks.push(curve("heading", "Heading", "var(--unmet)", heading, low, high, "°", 36));
  }
  const feet = FEET.filter(({ point }) => curves.values[point]);
  const highest = Math.max(10, ...feet.map(({ point }) => top(curves.values[point])));
  const lowest = Math.min(0, ...feet.map(({ point }) => bottom(curves.values[point])));
  for (const { point, name, colour } of feet) {
    const track = curve(point, name, colour, curves.values[point], lowest, highest, "cm", 30);
    tracks.push({ ...track, marks: contactMarks(contacts[point] ?? [], fps, name) });
  }
  return tracks;
}

function contactMarks(ranges: readonly [number, number][], fps: number, name: string): Mark[] {
  return ranges.map(([start, stop]) => ({
    start: start / fps,
    stop: stop / fps,
    kind: "contact",
    title: `${name} rests, ${((stop - start) / fps).toFixed(2)} s`,
  }));
}

function curve(
  id: string,
  name: string,
  colour: string,
  values: Float32Array,
  low: number,
  high: number,
  unit: string,
  height: number,
): Track {
  return { id, name, colour, stretches: [], paintable: false, height, plot: { values, low, high, unit } };
}

function top(values: Float32Array): number {
  let most = -Infinity;
  for (const value of values) if (value > most) most = value;
  return most;
}

function bottom(values: Float32Array): number {
  let least = Infinity;
  for (const value of values) if (value < least) least = value;
  return least;
}

/** From the least to the largest value, but at least so many apart that noise does not fill the track. */
function range(values: Float32Array, least: number): [number, number] {
  const [low, high] = [bottom(values), top(values)];
  const missing = Math.max(0, least - (high - low)) / 2;
  return [low - missing, high + missing];
}
