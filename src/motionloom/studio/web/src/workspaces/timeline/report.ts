/** The report as lines that people read: what, how well, why not, and what would help. */

import type * as T from "../../api/types";

export interface ReportLine {
  key: string;
  what: string;
  value: string;
  met: boolean;
  why: string;
  advice: string;
  frame: number | null; // of the answer, where to look
  label: string | null;
}

const SHORT_MISS = "paint a little less there, or raise alpha so that labels count more";
const ALLOWED = 0.05; // share of a painted stretch that may be wrong, as the report has it

/** Never 100 % where something is missing. */
export function floorPercent(share: number): string {
  return `${Math.floor(100 * share + 1e-9)} %`;
}

/** Painted stretches first, then clips, places and the rest, in the order of time. */
export function linesOf(answer: T.TimelineAnswer): ReportLine[] {
  const painted = answer.labels.map((one, index) => paintedLine(answer, one, index));
  const rest = answer.parts.filter((one) => !/^must (not )?.*: frames that miss it$/.test(one.name));
  return [...painted, ...rest.map((one, index) => partLine(one, index, answer.fps))];
}

/** Cuts that had to be very hard for what was painted, with the reason and a way out. */
export function hardCutsOf(answer: T.TimelineAnswer): ReportLine[] {
  return answer.reasons
    .filter((one) => one.at_cut)
    .map((one, index) => ({
      key: `cut ${index}`,
      what: `Very hard cut at ${seconds(one.start + 1, answer.fps)} s`,
      value: "",
      met: true,
      why: capital(withoutTime(one.sentence)),
      advice: capital(one.advice),
      frame: one.start + 1,
      label: null,
    }));
}

function paintedLine(answer: T.TimelineAnswer, one: T.PaintedStretch, index: number): ReportLine {
  const { fps } = answer;
  const met = 1 - one.right <= ALLOWED + 1e-9;
  const reasons = answer.reasons.filter(
    (reason) => !reason.at_cut && reason.labels[0] === one.label && reason.start < one.stop && reason.stop > one.start,
  );
  const first = one.runs.find((run) => run.word !== "right");
  const sentences = [...new Set(reasons.map((reason) => withoutTime(reason.sentence)))];
  const advice = [...new Set(reasons.map((reason) => reason.advice))];
  return {
    key: `painted ${index}`,
    what: `${one.value === "must" ? one.label : `not ${one.label}`}, ${seconds(one.start, fps)} to ${seconds(one.stop, fps)} s`,
    value: floorPercent(one.right),
    met,
    why: met ? "" : capital(sentences.join("; ") || missedTimes(one, fps)),
    advice: met ? "" : capital(advice.join("; or ") || SHORT_MISS),
    frame: met || first === undefined ? one.start : first.start,
    label: one.label,
  };
}

/** "Missed from 4 to 4.08 s and from 4.92 to 5 s". */
function missedTimes(one: T.PaintedStretch, fps: number): string {
  const missed = one.runs.filter((run) => run.word !== "right");
  const told = missed.slice(0, 3).map((run) => `from ${seconds(run.start, fps)} to ${seconds(run.stop, fps)} s`);
  return `missed ${told.join(" and ")}${missed.length > 3 ? " and more" : ""}`;
}

function partLine(one: T.ReportPart, index: number, fps: number): ReportLine {
  const time = / at ([0-9.]+) s/.exec(one.name);
  const value = `${shown(one.value)} ${one.unit}`.trim();
  return {
    key: `part ${index}`,
    what: one.name.endsWith(": pose off by") ? one.name.replace(/: pose off by$/, "") : capital(one.name),
    value: one.name.endsWith(": pose off by") ? `off by ${value}` : value,
    met: one.met,
    why: one.met ? "" : capital(one.why_not),
    advice: "",
    frame: time === null ? null : Math.round(Number(time[1]) * fps),
    label: null,
  };
}

/** Two digits are enough, and of what is next to nothing none. */
function shown(value: number): string {
  return String(Math.abs(value) < 0.01 ? 0 : Number(value.toPrecision(2)));
}

/** "1.0 to 2.0 s: walk is absent" -> "walk is absent"; the line says when already. */
function withoutTime(sentence: string): string {
  return sentence.replace(/^[0-9.]+( to [0-9.]+)? s: /, "");
}

function seconds(frame: number, fps: number): string {
  return String(Number((frame / fps).toFixed(2)));
}

function capital(text: string): string {
  return text === "" ? "" : text[0].toUpperCase() + text.slice(1);
}
