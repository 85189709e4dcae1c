/** Feet that rest: painted on a row for each foot, as labels are. */

import type * as T from "../../api/types";
import { framesOf } from "../timeline/times";
import { atFrame } from "./times";

export const SIDES = ["left", "right"] as const;
export type Side = (typeof SIDES)[number];

/** The foot that a contact is about; null for hands and all else. */
export function sideOf({ joint }: Pick<T.Contact, "joint">): Side | null {
  return SIDES.find((side) => joint === `${side}_foot` || joint === `${side}_heel` || joint === `${side}_ball`) ?? null;
}

export const rangeOf = ({ from, to }: Pick<T.Contact, "from" | "to">, fps: number, length: number): [number, number] => [
  framesOf(from, fps, length),
  Math.min(framesOf(to, fps, length), length),
];

interface Clock {
  fps: number;
  length: number; // frames
}

/** Contacts after frames [start, stop) of a foot were painted or erased; places of what stays are kept. */
export function paintContact(contacts: readonly T.Contact[], side: Side, [start, stop]: [number, number], rests: boolean, { fps, length }: Clock): T.Contact[] {
  const left = contacts.flatMap((contact): T.Contact[] => {
    if (sideOf(contact) !== side) return [contact];
    const [from, to] = rangeOf(contact, fps, length);
    if (to <= start || from >= stop) return [contact];
    const before = from < start ? [{ ...contact, from: atFrame(from), to: atFrame(start) }] : [];
    const after = to > stop ? [{ ...contact, from: atFrame(stop), to: atFrame(to) }] : [];
    return [...before, ...after];
  });
  return rests && stop > start ? grownTogether(left, side, [start, stop], { fps, length }) : left;
}

/** A new contact, together with those of the same foot that it touches. */
function grownTogether(contacts: T.Contact[], side: Side, [start, stop]: [number, number], { fps, length }: Clock): T.Contact[] {
  const joint = `${side}_foot`;
  const isBeside = (contact: T.Contact): boolean => {
    const [from, to] = rangeOf(contact, fps, length);
    return contact.joint === joint && contact.place == null && contact.height == null && (to === start || from === stop);
  };
  const beside = contacts.filter(isBeside).map((contact) => rangeOf(contact, fps, length));
  const from = Math.min(start, ...beside.map(([first]) => first));
  const to = Math.max(stop, ...beside.map(([, last]) => last));
  return [...contacts.filter((contact) => !isBeside(contact)), { joint, from: atFrame(from), to: atFrame(to), place: null, height: null, hard: false }];
}
