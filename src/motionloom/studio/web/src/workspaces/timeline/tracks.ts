/** The rows of the timeline: painted labels and what was met of them, forced clips, places, pieces of the motion. */

import type * as T from "../../api/types";
import type { Mark, Stretch, Track } from "../../widgets/timeline/types";
import { clock } from "../../words";
import { detailsOf } from "./details";
import { strokesOf } from "./paint";
import { clipRange, placeFrame, rowsOf } from "./request";
import { lengthOf } from "./times";

export const CLIPS = "clips";
export const PLACES = "places";
export const RESULT = "result";
const LABEL = "label:";
const THIN = 24; // pixels: rows that cannot be painted
const PIN = 0.12; // seconds that a place is wide on its row

export interface Look {
  colourOf: (label: string) => string;
  takeColour: (take: string) => string;
  rateOf: (take: string) => number; // frames per second
  secondsOf: (label: string) => number | null; // that the takes have of a label
}

export const labelOf = (track: string): string | null => (track.startsWith(LABEL) ? track.slice(LABEL.length) : null);
export const trackOf = (label: string): string => LABEL + label;

export const indexOf = (stretch: string): number => Number(stretch.slice(stretch.indexOf("@") + 1));

/** The id of the forced clip or the place at a frame. */
export function askedAt(request: T.Request, frame: number, rateOf: Look["rateOf"]): string | null {
  const clip = request.frames.findIndex((forced) => clipRange(forced, request, rateOf(forced.take))[0] === frame);
  if (clip >= 0) return `${CLIPS}@${clip}`;
  const place = request.places.findIndex((other) => placeFrame(other, request) === frame);
  return place < 0 ? null : `${PLACES}@${place}`;
}

export function makeTracks(
  part: T.TimelinePart,
  answer: T.Answer | null,
  selected: string | null,
  look: Look,
): Track[] {
  const rows = rowsOf(part).map((label) => labelTrack(part.request, label, answer, selected, look));
  const tracks = [...rows, clipsTrack(part.request, answer, selected, look), placesTrack(part.request, answer, selected)];
  // What plays stands under the ruler: with many labels it would be out of sight at the end.
  return answer === null ? tracks : [resultTrack(answer, selected, look), ...tracks];
}

function labelTrack(
  request: T.Request,
  label: string,
  answer: T.Answer | null,
  selected: string | null,
  look: Look,
): Track {
  const { fps } = request;
  const seconds = look.secondsOf(label);
  return {
    id: trackOf(label),
    name: label,
    colour: look.colourOf(label),
    note: seconds === null ? undefined : clock(seconds),
    paintable: true,
    movable: true,
    exchange: "labels",
    stretches: strokesOf(request, label).map((stroke) => {
      const id = `${trackOf(label)}@${stroke.start}`;
      return {
        id,
        start: stroke.start / fps,
        stop: stroke.stop / fps,
        kind: stroke.value,
        text: stroke.value === "must" ? "must" : "must not",
        selected: selected === id,
      };
    }),
    marks: answer === null ? [] : labelMarks(answer, label),
  };
}

/** Where the paint of a label is missed or not known, with the reason. */
export function labelMarks(answer: T.Answer, label: string): Mark[] {
  const { fps } = answer;
  const details = detailsOf(answer);
  return details.labels
    .filter((stretch) => stretch.label === label)
    .flatMap((stretch) =>
      stretch.runs
        .filter(([, , word]) => word !== "right")
        .map(([start, stop, word]) => ({
          start: start / fps,
          stop: stop / fps,
          kind: word === "wrong" ? ("missed" as const) : ("unknown" as const),
          title: whyAt(details, label, start, stop) ?? `${word === "wrong" ? "missed" : "these frames are not labelled"}${answer.is_whole ? "" : "; finding the reason"}`,
        })),
    );
}

/** The reason for a miss, if there is one: a sentence with advice. */
export function whyAt(details: T.TimelineDetails, label: string, start: number, stop: number): string | null {
  const reason = details.reasons.find(
    (known) => !known.at_cut && known.labels[0] === label && known.start < stop && known.stop > start,
  );
  return reason === undefined ? null : `${reason.sentence}. To help: ${reason.advice}`;
}

function clipsTrack(request: T.Request, answer: T.Answer | null, selected: string | null, look: Look): Track {
  return {
    id: CLIPS,
    height: THIN,
    name: "Clips",
    takesDrops: true,
    colour: "var(--accent)",
    note: request.frames.length > 0 ? undefined : "drop a take here",
    paintable: false,
    movable: true,
    stretches: request.frames.map((clip, index): Stretch => {
      const [start, stop] = clipRange(clip, request, look.rateOf(clip.take));
      const id = `${CLIPS}@${index}`;
      const frames = clip.frame !== null ? `frame ${clip.frame}` : `frames ${clip.start} to ${(clip.stop ?? 1) - 1}`;
      return {
        id,
        start: start / request.fps,
        stop: clip.frame === null ? stop / request.fps : start / request.fps + PIN,
        kind: "clip",
        text: clip.take,
        title: `${clip.take}, ${frames}`,
        colour: look.takeColour(clip.take),
        selected: selected === id,
      };
    }),
    marks: answer === null ? [] : clipMarks(answer),
  };
}

function clipMarks(answer: T.Answer): Mark[] {
  return detailsOf(answer)
    .forced.filter((forced) => !forced.in_time)
    .map((forced) => ({
      start: forced.start / answer.fps,
      stop: forced.stop / answer.fps,
      kind: "missed",
      title: "other frames are played here",
    }));
}

function placesTrack(request: T.Request, answer: T.Answer | null, selected: string | null): Track {
  const length = lengthOf(request) / request.fps;
  const reached = answer === null ? [] : detailsOf(answer).places;
  return {
    id: PLACES,
    height: THIN,
    name: "Places",
    colour: "var(--view-accent)",
    note: request.places.length > 0 ? undefined : "double click on the ground",
    paintable: false,
    movable: true,
    stretches: request.places.map((place, index): Stretch => {
      const [start, stop] = pinOf(placeFrame(place, request) / request.fps, length);
      const id = `${PLACES}@${index}`;
      const miss = reached.find((result) => result.frame === placeFrame(place, request));
      const where = place.position === null ? "any place" : `${place.position.map((metres) => metres.toFixed(2)).join(", ")} m`;
      const missed = miss === undefined ? "" : `; missed by ${(100 * miss.position_miss).toFixed(1)} cm`;
      return {
        id,
        start,
        stop,
        kind: "clip",
        text: place.at === "end" ? "end" : "",
        title: `${where}${place.heading === null ? "" : `, looks ${Math.round(place.heading)}°`}${missed}`,
        colour: "var(--view-accent)",
        selected: selected === id,
      };
    }),
    marks: [],
  };
}

/** Where the pin of a place is on its row. */
export function pinOf(time: number, length: number, wide = PIN): [number, number] {
  const width = Math.min(wide, length);
  const start = Math.max(0, Math.min(length - width, time - width / 2));
  return [start, start + width];
}

/** When a place is after its pin was moved from one range to another, in seconds. */
export function pinTime(start: number, stop: number, length: number): number {
  if (start <= 1e-6) return 0;
  if (stop >= length - 1e-6) return length;
  return (start + stop) / 2;
}

function resultTrack(answer: T.Answer, selected: string | null, look: Look): Track {
  const { fps } = answer;
  const { joins, pieces, reasons } = detailsOf(answer);
  return {
    id: RESULT,
    height: THIN,
    name: "Result",
    colour: "var(--holds)",
    note: `${joins.length} ${joins.length === 1 ? "join" : "joins"}`,
    paintable: false,
    movable: false,
    stretches: pieces.map((piece, index) => {
      const id = `${RESULT}@${index}`;
      return {
        id,
        start: piece.start / fps,
        stop: piece.stop / fps,
        kind: "piece",
        text: piece.take,
        title: `${piece.take}, frames ${Math.round(piece.take_start)} to ${Math.round(piece.take_stop) - 1}`,
        colour: look.takeColour(piece.take),
        selected: selected === id,
      };
    }),
    marks: joins.map((join) => ({
      start: join.frame / fps,
      stop: join.frame / fps,
      kind: join.is_hard ? "hard_join" : "join",
      title: [joinTitle(join), whyHard(reasons, join)].filter(Boolean).join(". "),
    })),
  };
}

/** Advice for a hard join, if there is any. */
function whyHard(reasons: readonly T.MissReason[], join: T.PlayedJoin): string {
  const reason = reasons.find((known) => known.at_cut && known.start < join.frame && join.frame < known.stop);
  return reason === undefined ? "" : `To help: ${reason.advice}`;
}

export function joinTitle(join: T.PlayedJoin): string {
  const calm = `harder than ${Math.round(100 * join.share_calmer)} % of recorded windows`;
  return `${join.before} ${Math.round(join.leave)} to ${join.after} ${Math.round(join.enter)}: ${join.distance.toFixed(1)} usual distances, ${calm}`;
}
