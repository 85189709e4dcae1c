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
  subject?: string; // of the workspace's own: what to select when the line is clicked
}

/** Never 100 % where something is missing. */
export function floorPercent(share: number): string {
  return `${Math.floor(100 * share + 1e-9)} %`;
}

/** A line for every part of the report. */
export function partLines(answer: T.Answer): ReportLine[] {
  return answer.parts.map(partLine);
}

export function partLine(part: T.ReportPart, index: number): ReportLine {
  return {
    key: `part ${index}`,
    what: capital(part.name),
    value: `${shown(part.value)} ${part.unit}`.trim(),
    met: part.met,
    why: part.met ? "" : capital(part.why_not),
    advice: "",
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
