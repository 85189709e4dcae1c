/** The rows of the timeline: key poses, pins of each joint, paths, feet that rest, points on pictures. */

import type * as T from "../../api/types";
import { paletteColour } from "../../palette";
import type { Mark, Stretch, Track } from "../../widgets/timeline/types";
import { capital } from "../method/report";
import { cardOfPose, colourOf, nameOf as nameOfPose } from "../poses/poses";
import { pinOf } from "../timeline/tracks";
import { rangeOf, type Side, sideOf, SIDES } from "./contacts";
import { distanceName, type Entry, entryOf, idOf, nameOf, type Outcome, words } from "./demands";
import { isMoment, spanOf, type When } from "./times";

export const POSES = "poses";
export const ROOT = "root";
export const PICTURES = "projections";
export const OTHERS = "others";
const JOINT = "joint:";
const FOOT = "foot:";
const DISTANCE = "distance:";
const TALL = 46; // pixels
const THIN = 24;
const WIDE = 0.1; // share of the whole that a key pose is wide on its row, where there is room: its picture is seen

type Timed = "poses" | "points" | "root" | "projections" | "distances";

export const jointRow = (joint: string): string => JOINT + joint;
export const footRow = (side: Side): string => FOOT + side;
export const sideOfRow = (track: string | null): Side | null => SIDES.find((side) => track === footRow(side)) ?? null;
export const jointOfRow = (track: string | null): string | null => (track?.startsWith(JOINT) ? track.slice(JOINT.length) : null);

/** The row of a distance, whichever of the two is named first. */
export const distanceRow = ({ joint, other }: Pick<T.Distance, "joint" | "other">): string => DISTANCE + [joint, other ?? ""].sort().join("|");

export interface Looks {
  isOfPoints: boolean; // which have no feet
  frames: number; // of the motion
  selected: string | null;
  cards: readonly T.PoseCard[];
  pictures: ReadonlyMap<number, ImageBitmap>;
  faceOf: (frame: T.Frame) => ImageBitmap | undefined; // the picture of a key face
  resting: Readonly<Record<string, readonly (readonly [number, number])[]>>; // frames in which points of feet rest in the motion that plays
  outcome: (entry: Entry) => Outcome | null;
}

export function makeRows(request: T.DirectRequest, looks: Looks): Track[] {
  const joints = [...new Set(request.points.map(({ joint }) => joint))];
  return [
    posesRow(request, looks),
    ...joints.map((joint, n) => pinsRow(request, joint, n, looks)),
    ...(request.root.length > 0 ? [plainRow(request, "root", ROOT, "Path", looks)] : []),
    ...distanceRows(request, looks, joints.length),
    ...(looks.isOfPoints ? [] : SIDES.map((side) => feetRow(request, side, looks))),
    ...(request.projections.length > 0 ? [plainRow(request, "projections", PICTURES, "On pictures", looks)] : []),
    ...othersRow(request, looks),
  ];
}

function posesRow(request: T.DirectRequest, looks: Looks): Track {
  const length = looks.frames / request.fps;
  return {
    id: POSES,
    name: "Poses",
    colour: "var(--accent)",
    height: TALL,
    note: request.poses.length > 0 ? undefined : "drop poses here",
    paintable: false,
    movable: true,
    stretches: request.poses.map((pose, index) => {
      const { start, stop } = stretchTimes(pose, request, looks.frames);
      const card = cardOfPose(looks.cards, pose.pose == null ? null : { take: pose.pose.take, frame: pose.pose.frame });
      const [first, last] = isMoment(pose) ? pinOf(spanOf(pose, request.fps, looks.frames)[0] / request.fps, length, widthOf(request, looks.frames)) : [start, stop];
      const name = card === null ? (pose.pose?.take ?? pose.file ?? "pose") : nameOfPose(looks.cards, card);
      return {
        ...stretch(request, { list: "poses", index }, looks),
        start: first,
        stop: last,
        text: pose.name || name,
        colour: card === null ? undefined : colourOf(looks.cards, card),
        picture: card !== null ? looks.pictures.get(card.group) : pose.pose == null ? undefined : looks.faceOf(pose.pose),
      };
    }),
    marks: marks(request, "poses", looks),
  };
}

/** Seconds that key poses are wide on their row: as their pictures are, but no two lie over each other. */
function widthOf(request: T.DirectRequest, frames: number): number {
  const { fps } = request;
  const moments = request.poses.filter(isMoment).map((pose) => spanOf(pose, fps, frames)[0]).sort((a, b) => a - b);
  const gaps = moments.slice(1).map((frame, n) => frame - moments[n]).filter((gap) => gap > 0);
  return Math.min(WIDE * frames, ...gaps.map((gap) => (2 * gap) / 3)) / fps; // the first and the last stand inside of the row
}

function pinsRow(request: T.DirectRequest, joint: string, number: number, looks: Looks): Track {
  const own = request.points.flatMap((point, index) => (point.joint === joint ? [index] : []));
  return {
    id: jointRow(joint),
    name: capital(words(joint)),
    colour: paletteColour(number),
    height: THIN,
    paintable: false,
    movable: true,
    stretches: own.map((index) => ({ ...stretch(request, { list: "points", index }, looks), colour: paletteColour(number) })),
    marks: marks(request, "points", looks, own),
  };
}

function plainRow(request: T.DirectRequest, list: "root" | "projections", id: string, name: string, looks: Looks): Track {
  return {
    id,
    name,
    colour: "var(--view-accent)",
    height: THIN,
    paintable: false,
    movable: true,
    stretches: request[list].map((_, index) => ({ ...stretch(request, { list, index }, looks), colour: "var(--view-accent)" })),
    marks: marks(request, list, looks),
  };
}

/** One for each two joints, or markers, whose distance is asked for. */
function distanceRows(request: T.DirectRequest, looks: Looks, before: number): Track[] {
  const ids = [...new Set(request.distances.map(distanceRow))];
  return ids.map((id, n): Track => {
    const own = request.distances.flatMap((distance, index) => (distanceRow(distance) === id ? [index] : []));
    const colour = paletteColour(before + n);
    return {
      id,
      name: capital(distanceName(request.distances[own[0]])),
      colour,
      height: THIN,
      paintable: false,
      movable: true,
      stretches: own.map((index) => ({ ...stretch(request, { list: "distances", index }, looks), colour })),
      marks: marks(request, "distances", looks, own),
    };
  });
}

/** What was asked in a file and has no row of its own: joints turned or bent. */
function othersRow(request: T.DirectRequest, { frames }: Looks): Track[] {
  const others: (When & { joint: string; name: string })[] = [...request.orientations, ...request.angles];
  if (others.length === 0) return [];
  const stretches = others.map((each, index): Stretch => {
    const { start, stop } = stretchTimes(each, request, frames);
    return { id: `${OTHERS}@${index}`, start, stop, kind: "plain", text: each.name || words(each.joint), fixed: true };
  });
  return [{ id: OTHERS, name: "Angles", colour: "var(--text-dim)", height: THIN, paintable: false, stretches }];
}

function feetRow(request: T.DirectRequest, side: Side, looks: Looks): Track {
  const { fps } = request;
  const own = request.contacts.flatMap((contact, index) => (sideOf(contact) === side ? [index] : []));
  const found = [...(looks.resting[`${side}_heel`] ?? []), ...(looks.resting[`${side}_ball`] ?? [])];
  return {
    id: footRow(side),
    name: capital(`${side} foot`),
    colour: `var(--view-${side})`,
    paintable: true,
    movable: true,
    note: own.length > 0 ? undefined : feetNote(request),
    stretches: own.map((index) => {
      const contact = request.contacts[index];
      const [start, stop] = rangeOf(contact, fps, looks.frames);
      const id = idOf({ list: "contacts", index });
      const at = contact.place == null ? "" : ` at ${contact.place.map((metres) => metres.toFixed(2)).join(", ")} m`;
      const text = contact.joint === `${side}_foot` ? `rests${at}` : `${words(contact.joint)} rests${at}`;
      return { id, start: start / fps, stop: stop / fps, kind: "must", text, title: titleOf(request, { list: "contacts", index }, looks), selected: looks.selected === id };
    }),
    marks: [
      ...found.map(([start, stop]): Mark => ({ start: start / fps, stop: stop / fps, kind: "contact", title: "rests in the motion that plays" })),
      ...own.flatMap((index) => {
        const [start, stop] = rangeOf(request.contacts[index], fps, looks.frames);
        return missedMark(request, { list: "contacts", index }, { start: start / fps, stop: stop / fps }, looks);
      }),
    ],
  };
}

/** How a foot rests on whose row nothing is painted; where anything is given, feet rest nowhere else. */
function feetNote(request: T.DirectRequest): string {
  if (request.feet === "free") return "free";
  if (request.contacts_like != null) return `as in ${request.contacts_like.take}`;
  return request.feet === "given" || request.contacts.length > 0 ? "let go" : "as found";
}

/** What is drawn as a diamond: pins and places at one moment; key poses are their pictures. */
const isDiamond = (request: T.DirectRequest, { list, index }: Entry): boolean => list !== "poses" && list !== "contacts" && isMoment(request[list][index]);

function stretch(request: T.DirectRequest, entry: Entry & { list: Timed }, looks: Looks): Stretch {
  const id = idOf(entry);
  const thing = request[entry.list][entry.index];
  const isSoft = !("hard" in thing) || !thing.hard;
  return {
    id,
    ...stretchTimes(thing, request, looks.frames),
    kind: isSoft ? "holds" : "clip",
    text: nameOf(request, entry),
    title: titleOf(request, entry, looks),
    selected: looks.selected === id,
    ...(isDiamond(request, entry) ? { isMoment: true } : {}),
  };
}

function titleOf(request: T.DirectRequest, entry: Entry, { outcome }: Looks): string {
  const found = outcome(entry);
  const name = nameOf(request, entry);
  if (found === null) return name;
  return found.isMet ? `${name}: met, ${found.text}` : `${name}: missed, ${found.text}. ${found.why}`;
}

/** Seconds of a stretch; a moment is a pin around its frame. */
function stretchTimes(when: When, { fps }: T.DirectRequest, frames: number): { start: number; stop: number } {
  const [first, last] = spanOf(when, fps, frames);
  if (!isMoment(when)) return { start: first / fps, stop: (last + 1) / fps };
  const [start, stop] = pinOf(first / fps, Math.max(frames / fps, 1 / fps));
  return { start, stop };
}

function marks(request: T.DirectRequest, list: Timed, looks: Looks, own = request[list].map((_, index) => index)): Mark[] {
  return own.flatMap((index) => missedMark(request, { list, index }, stretchTimes(request[list][index], request, looks.frames), looks));
}

function missedMark(request: T.DirectRequest, entry: Entry, times: { start: number; stop: number }, looks: Looks): Mark[] {
  const outcome = looks.outcome(entry);
  return outcome === null || outcome.isMet ? [] : [{ ...times, kind: "missed", title: titleOf(request, entry, looks), ...(isDiamond(request, entry) ? { isMoment: true } : {}) }];
}

/** The row that an entry stands on. */
export function rowOf(request: T.DirectRequest, id: string | null): string | null {
  const entry = entryOf(id);
  if (entry === null) return null;
  if (entry.list === "points") return jointRow(request.points[entry.index]?.joint ?? "");
  if (entry.list === "distances") return distanceRow(request.distances[entry.index] ?? { joint: "", other: null });
  if (entry.list !== "contacts") return entry.list;
  const side = sideOf(request.contacts[entry.index] ?? { joint: "" });
  return side === null ? null : footRow(side);
}
