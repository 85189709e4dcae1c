/** The report as lines that people read: what, how well, why not, and what would help. */

import type * as T from "../../api/types";

export interface ReportLine {
  key: string;
  what: string;
  value: string;
  met: boolean;
  why: string;
  advice: string;
  awaitsReason: boolean; // it is missed, and why is not known yet
  frame: number | null; // of the answer, where to look
  subject?: string; // of the workspace's own: what to select when the line is clicked
}

/** A line for every part of the report. */
export function partLines(answer: T.Answer): ReportLine[] {
  return answer.parts.map((part, index) => partLine(part, index, answer.is_whole));
}

/** `isWhole`: the report is complete, no more reasons will come. */
export function partLine(part: T.ReportPart, index: number, isWhole: boolean): ReportLine {
  return {
    key: `part ${index}`,
    what: capital(part.name),
    value: `${shown(part.value)} ${part.unit}`.trim(),
    met: part.met,
    why: part.met ? "" : capital(part.why_not),
    advice: "",
    awaitsReason: !part.met && !isWhole && part.why_not === "",
    frame: part.frame ?? null,
  };
}

export function capital(text: string): string {
  return text === "" ? "" : text[0].toUpperCase() + text.slice(1);
}

/** Two digits are enough, and of what is next to nothing none. */
function shown(value: number): string {
  return String(Math.abs(value) < 0.01 ? 0 : Number(value.toPrecision(2)));
}
