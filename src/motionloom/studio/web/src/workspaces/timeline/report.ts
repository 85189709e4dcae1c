/** The report of a timeline as lines that people read: painted stretches, then clips, places and the rest. */

import type * as T from "../../api/types";
import { capital, partLine, type ReportLine } from "../method/report";
import { detailsOf } from "./details";

/** Painted stretches first, then clips, places and the rest, in the order of time. */
export function linesOf(answer: T.Answer): ReportLine[] {
  const details = detailsOf(answer);
  const painted = details.labels.map((stretch, index) => paintedLine(answer, stretch, index));
  const rest = answer.parts.filter((part) => !/^must (not )?.*: frames that miss it$/.test(part.name));
  return [...painted, ...rest.map((part, index) => timelineLine(part, index, answer.is_whole))];
}

/** A forced clip begins with the name of its take: "kick at 4 s: pose off by", "2.3 cm" -> "kick at 4 s", "off by 2.3 cm". */
function timelineLine(part: T.ReportPart, index: number, isWhole: boolean): ReportLine {
  const line = partLine(part, index, isWhole);
  const pose = /^(.*): pose off by$/.exec(part.name);
  return pose === null ? line : { ...line, what: pose[1], value: `off by ${line.value}` };
}

/** Cuts that had to be very hard for what was painted, with the reason and advice. */
export function hardCutsOf(answer: T.Answer): ReportLine[] {
  return detailsOf(answer)
    .reasons.filter((reason) => reason.at_cut)
    .map((reason, index) => ({
      key: `cut ${index}`,
      what: `Very hard cut at ${seconds(reason.start + 1, answer.fps)} s`,
      value: "",
      met: true,
      why: capital(withoutTime(reason.sentence)),
      advice: capital(reason.advice),
      awaitsReason: false,
      frame: reason.start + 1,
    }));
}

/** How another motion differs from the best: "2 joins more, 12 wrong frames more, 64 % from elsewhere". */
export function differenceOf(answer: T.Answer, best: T.Answer): string {
  const parts: string[] = [];
  const joins = detailsOf(answer).joins.length - detailsOf(best).joins.length;
  if (joins !== 0) parts.push(`${Math.abs(joins)} ${Math.abs(joins) === 1 ? "join" : "joins"} ${joins > 0 ? "more" : "fewer"}`);
  const wrong = Math.round(answer.costs.labels - best.costs.labels);
  if (wrong !== 0) parts.push(`${Math.abs(wrong)} wrong ${Math.abs(wrong) === 1 ? "frame" : "frames"} ${wrong > 0 ? "more" : "fewer"}`);
  if (answer.differs !== null) parts.push(`${Math.round(100 * answer.differs)} % from elsewhere`);
  return parts.join(", ") || "other frames of the same kind";
}

/** Reasons come with the whole report; until then there is no advice, which may prove wrong. */
function paintedLine(answer: T.Answer, stretch: T.PaintedStretch, index: number): ReportLine {
  const { met } = stretch;
  const { fps } = answer;
  const reasons = detailsOf(answer).reasons.filter(
    (reason) => !reason.at_cut && reason.labels[0] === stretch.label && reason.start < stretch.stop && reason.stop > stretch.start,
  );
  const first = stretch.runs.find(([, , word]) => word !== "right");
  const sentences = [...new Set(reasons.map((reason) => withoutTime(reason.sentence)))];
  const advice = [...new Set(reasons.map((reason) => reason.advice))];
  return {
    key: `painted ${index}`,
    what: `${stretch.value === "must" ? stretch.label : `not ${stretch.label}`}, ${seconds(stretch.start, fps)} to ${seconds(stretch.stop, fps)} s`,
    value: `${stretch.percent} %`,
    met,
    why: met ? "" : capital(sentences.join("; ") || missedTimes(stretch, fps)),
    advice: met ? "" : capital(advice.join("; or ")),
    awaitsReason: !met && !answer.is_whole,
    frame: met || first === undefined ? stretch.start : first[0],
    subject: stretch.label,
  };
}

/** "Missed from 4 to 4.08 s and from 4.92 to 5 s". */
function missedTimes(stretch: T.PaintedStretch, fps: number): string {
  const missed = stretch.runs.filter(([, , word]) => word !== "right");
  const times = missed.slice(0, 3).map(([start, stop]) => `from ${seconds(start, fps)} to ${seconds(stop, fps)} s`);
  return `missed ${times.join(" and ")}${missed.length > 3 ? " and more" : ""}`;
}

/** "1.0 to 2.0 s: walk is absent" -> "walk is absent"; the line has the time already. */
function withoutTime(sentence: string): string {
  return sentence.replace(/^[0-9.]+( to [0-9.]+)? s: /, "");
}

function seconds(frame: number, fps: number): string {
  return String(Number((frame / fps).toFixed(2)));
}
