/** Frames by number over all takes, and by take as they were recorded. */

import type * as T from "../../api/types";

export interface Place {
  take: T.MaterialTake;
  index: number; // of the take
  frame: number; // of the take, at the rate of the graph
}

/** Where one of all frames is. */
export function placeOf(material: T.MaterialState, frame: number): Place | null {
  const index = material.takes.findIndex((take) => frame >= take.start && frame < take.start + take.frames);
  return index < 0 ? null : { take: material.takes[index], index, frame: frame - material.takes[index].start };
}

/** One of all frames as a frame of a take, as recorded. */
export function toTakeFrame(material: T.MaterialState, frame: number): T.TakeFrame | null {
  const place = placeOf(material, frame);
  return place && { take: place.take.name, frame: round(place.frame * place.take.step) };
}

/** The number of a frame of a take; the take's name may be any end of the whole one. */
export function toNumber(material: T.MaterialState, takeFrame: T.TakeFrame): number | null {
  const take =
    material.takes.find(({ name }) => name === takeFrame.take) ?? material.takes.find(({ name }) => name.endsWith(takeFrame.take));
  if (take === undefined) return null;
  const frame = Math.round(takeFrame.frame / take.step);
  return frame < take.frames ? take.start + frame : null;
}

/** "144_20 at 3.2 s". */
export function describeFrame(material: T.MaterialState, frame: number): string {
  const place = placeOf(material, frame);
  return place ? `${shortName(place.take.name)} at ${(place.frame / material.fps).toFixed(2)} s` : "";
}

/** The last part of a take's name. */
export function shortName(name: string): string {
  return name.split("/").at(-1) ?? name;
}

/** Metres as people read small distances: "3.8 cm". */
export function centimetres(metres: number): string {
  return `${(100 * metres).toFixed(1)} cm`;
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
