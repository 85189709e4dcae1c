/** What a motion has to meet, one thing at a time: how it is named, and how well it is met. */

import type * as T from "../../api/types";
import { requestField } from "../method/limits";
import { pairNames } from "./pair_names.svelte";
import { inPlainWords } from "./words";

/** The lists of a request whose entries the page shows and changes. */
export type ListName = "poses" | "points" | "root" | "projections" | "distances" | "contacts";

export interface Entry {
  list: ListName;
  index: number;
}

export const idOf = ({ list, index }: Entry): string => `${list}@${index}`;

export function entryOf(id: string | null): Entry | null {
  const found = /^(poses|points|root|projections|distances|contacts)@(\d+)$/.exec(id ?? "");
  return found === null ? null : { list: found[1] as ListName, index: Number(found[2]) };
}

/** "right hand". */
export const words = (joint: string): string => joint.replaceAll("_", " ");

export function nameOf(request: T.DirectRequest, { list, index }: Entry): string {
  if (list === "contacts") return `${words(request.contacts[index].joint)} rests`;
  const { name } = request[list][index];
  if (name) return name;
  if (list === "points") return words(request.points[index].joint);
  if (list === "projections") return `${words(request.projections[index].joint)} on ${request.projections[index].camera}`;
  if (list === "distances") return distanceName(request.distances[index]);
  return list === "poses" ? `pose ${index + 1}` : `path ${index + 1}`;
}

/** "mouth width", or "left hand to right hand". */
export function distanceName(distance: Pick<T.Distance, "joint" | "other">): string {
  return pairNames.find(distance) ?? `${words(distance.joint)} to ${distance.other == null ? "a point" : words(distance.other)}`;
}

/** How well one thing is met. */
export interface Outcome {
  isMet: boolean;
  text: string; // "off by 3.2 cm"
  why: string;
  frame: number | null; // where to look
}

/** The outcome of an entry in a report; null while that is not known. */
export function outcomeOf(request: T.DirectRequest, entry: Entry, parts: readonly T.ReportPart[]): Outcome | null {
  const own = partsOf(request, entry, parts);
  if (own.length === 0) return null;
  const worst = own.find((part) => !part.met) ?? own.reduce((one, other) => (other.value > one.value ? other : one));
  return { isMet: own.every((part) => part.met), text: `off by ${amountText(worst)}`, why: inPlainWords(own.find((part) => !part.met)?.why_not ?? ""), frame: worst.frame ?? null };
}

/** Whether an entry is asked otherwise than in the request that was answered: how well it is met is not known yet. */
export function hasChanged(request: T.DirectRequest, answered: T.DirectRequest | null, { list, index }: Entry): boolean {
  if (answered === null) return true;
  const whole = ({ start_from, fps, length }: T.DirectRequest): unknown => [start_from ?? null, fps, length ?? null];
  return JSON.stringify([whole(request), request[list][index]]) !== JSON.stringify([whole(answered), answered[list][index]]);
}

/** The parts of a report that are about an entry; the method names them by what was asked and its number. */
export function partsOf(request: T.DirectRequest, { list, index }: Entry, parts: readonly T.ReportPart[]): T.ReportPart[] {
  const names = reportNames(request, { list, index });
  return parts.filter(({ name }) => names.some((start) => name === start || name.startsWith(`${start}:`) || name.startsWith(`${start} `)));
}

/** The points of the body that rest when a joint does: of a foot, its heel and its ball too. */
function restingPoints(joint: string): string[] {
  const side = /^(left|right)_foot$/.exec(joint)?.[1];
  return side === undefined ? [joint] : [joint, `${side}_heel`, `${side}_ball`];
}

/** What the parts of a report that are about an entry begin with; a test holds the method to it. */
function reportNames(request: T.DirectRequest, { list, index }: Entry): string[] {
  if (list === "contacts") return restingPoints(request.contacts[index].joint).map((joint) => `contact ${index + 1}, ${joint}`);
  const { name } = request[list][index];
  if (name) return [name];
  if (list === "points") return [`point ${index + 1}, ${request.points[index].joint}`];
  if (list === "projections") return [`projection ${index + 1}, ${request.projections[index].joint}`];
  if (list === "distances") return [`distance ${index + 1}, ${request.distances[index].joint}`];
  return [`${list === "poses" ? "pose" : "root"} ${index + 1}`];
}

/** "3.2 cm", "0.4 mm", "2.1°", "12 px". */
export function amountText({ value, unit }: Pick<T.ReportPart, "value" | "unit">): string {
  if (unit === "deg") return `${value.toFixed(1)}°`;
  if (unit === "px") return `${Math.round(value)} px`;
  if (unit !== "m") return `${Number(value.toPrecision(2))} ${unit}`.trim();
  return value < 0.01 ? `${(1000 * value).toFixed(1)} mm` : value < 1 ? `${(100 * value).toFixed(1)} cm` : `${value.toFixed(2)} m`;
}

/** The usual deviation from which on something counts as met, for the field of its weight. */
export const UNITS: Record<ListName, string> = { poses: "°", points: "m", root: "m", projections: "px", distances: "m", contacts: "" };

/** A new entry, with nothing asked yet: its fields as the schema has them. */
export function newEntry<List extends Exclude<ListName, "contacts">>(list: List, asked: Partial<T.DirectRequest[List][number]>): T.DirectRequest[List][number] {
  return { ...(requestField("dynamics", list, 0)?.initial() as T.DirectRequest[List][number]), ...asked };
}
