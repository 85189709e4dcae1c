/** The report of a directed motion as lines: what was asked first, then how feet rest that nobody asked for. */

import type * as T from "../../api/types";
import { capital, partLine, type ReportLine } from "../method/report";
import { amountText, type Entry, idOf, type ListName, nameOf, partsOf } from "./demands";
import { inPlainWords } from "./words";

const LISTS: ListName[] = ["poses", "points", "root", "projections", "distances", "contacts"];
const RESTS = /rests from .* moves per frame$/;

export function linesOf(request: T.DirectRequest, answer: T.Answer): ReportLine[] {
  const subjects = subjectsOf(request, answer.parts);
  const lines = answer.parts.map((part, index) => {
    const entry = subjects.get(part) ?? null;
    const line = { ...partLine(part, index, answer.is_whole), value: amountText(part) };
    const what = entry === null ? line.what : line.what.replace(/^(pose|root) \d+|^(point|projection|distance) \d+, [^:]+|^contact \d+, \S+ rests/i, nameOf(request, entry));
    return { ...line, what: capital(what.replaceAll("_", " ")), why: inPlainWords(line.why), isAsked: entry !== null, rests: RESTS.test(part.name), ...(entry === null ? {} : { subject: idOf(entry) }) };
  });
  const found = lines.filter(({ isAsked, rests }) => rests && !isAsked);
  const held = found.filter(({ met }) => met);
  const others = lines.filter((line) => !held.includes(line)).map(({ isAsked: _, rests: __, ...line }) => line);
  return held.length === 0 ? others : [...others, summary(held.length, found.length)];
}

/** How many of these lines are missed: feet that rest as found are one thing, however often they do. */
export function verdictOf(request: T.DirectRequest, answer: T.Answer): T.Verdict {
  const lines = linesOf(request, answer);
  const missed = lines.filter(({ met }) => !met).length;
  const sentence = missed > 0 ? `${missed} of ${lines.length} missed` : answer.verdict.sentence;
  return { ...answer.verdict, missed, of: lines.length, sentence };
}

/** Which entry every part of a report is about. */
function subjectsOf(request: T.DirectRequest, parts: readonly T.ReportPart[]): Map<T.ReportPart, Entry> {
  const found = new Map<T.ReportPart, Entry>();
  for (const list of LISTS) {
    request[list].forEach((_, index) => {
      for (const part of partsOf(request, { list, index }, parts)) found.set(part, { list, index });
    });
  }
  return found;
}

function summary(held: number, all: number): ReportLine {
  return { key: "feet", what: "Feet rest as found in the motion", value: held === all ? `all ${all} times` : `${held} of ${all} times`, met: true, why: "", advice: "", awaitsReason: false, frame: null };
}
