/** Takes as the list needs them: prepared once, so that ten thousand are searched while a person types. */

import type * as T from "../../api/types";

export interface Take extends T.TakeRow {
  seconds: number;
  words: string; // the text that is searched, in lower case
  folder: string; // "walk/" of "walk/normal_1"
  short: string; // "normal_1"
  shownLabels: string[]; // those that hold longest
  wanting: BadgeName[]; // badges that should be checked
}

export type BadgeName = "skate" | "floor" | "spikes";
export type BadgeState = "ok" | "warn" | "unknown" | "none";
export type SortKey = "name" | "long" | "short" | BadgeName;
export type Limits = Record<string, T.BadgeLimit>;

export const BADGES: readonly BadgeName[] = ["skate", "floor", "spikes"];

export interface Filter {
  text: string;
  labels: readonly string[]; // all of them hold somewhere in the take
  skeleton: string | null; // digest; "" for takes of points
  wanting: boolean; // only takes with a badge that should be checked
}

export const NO_FILTER: Filter = { text: "", labels: [], skeleton: null, wanting: false };

const FEW = 4; // labels in one line

export function prepare(row: T.TakeRow, limits: Limits): Take {
  const cut = row.name.lastIndexOf("/") + 1;
  const labels = Object.keys(row.labels);
  return {
    ...row,
    seconds: row.frames / row.fps,
    words: `${row.name} ${labels.join(" ")} ${row.source}`.toLowerCase(),
    folder: row.name.slice(0, cut),
    short: row.name.slice(cut),
    shownLabels: labels.sort((a, b) => row.labels[b] - row.labels[a]).slice(0, FEW),
    wanting: wanting(row, limits),
  };
}

/** Put newly measured badges into prepared takes; those that got none stay the same objects. */
export function withBadges(takes: readonly Take[], badges: T.NewBadges["badges"], limits: Limits): Take[] {
  return takes.map((take) => {
    const values = badges[take.name];
    if (values === undefined) return take;
    const measured = { ...take, measured: true, skate: values[0], floor: values[1], spikes: values[2] };
    return { ...measured, wanting: wanting(measured, limits) };
  });
}

function wanting(take: T.TakeRow, limits: Limits): BadgeName[] {
  return BADGES.filter((badge) => badgeState(take, badge, limits) === "warn");
}

export function badgeState(take: T.TakeRow, badge: BadgeName, limits: Limits): BadgeState {
  if (take.kind !== "body") return "none";
  if (!take.measured) return "unknown";
  const value = take[badge];
  if (value === null) return "none";
  return Math.abs(value) > (limits[badge]?.most ?? Infinity) ? "warn" : "ok";
}

export function wantsLook(take: Take): boolean {
  return take.flags.length > 0 || take.wanting.length > 0;
}

/** The takes that a filter lets through, in the order of a sort key. */
export function choose(takes: readonly Take[], filter: Filter, sort: SortKey): Take[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = takes.filter((take) => passes(take, filter, words));
  return sort === "name" ? found : found.sort((a, b) => compare(a, b, sort));
}

function passes(take: Take, filter: Filter, words: readonly string[]): boolean {
  for (const word of words) if (!take.words.includes(word)) return false;
  for (const label of filter.labels) if (take.labels[label] === undefined) return false;
  if (filter.skeleton !== null && (take.skeleton ?? "") !== filter.skeleton) return false;
  return !filter.wanting || wantsLook(take);
}

/** Takes come by name from the server, and sorting keeps that order among equals. */
function compare(a: Take, b: Take, key: Exclude<SortKey, "name">): number {
  if (key === "long") return b.seconds - a.seconds;
  if (key === "short") return a.seconds - b.seconds;
  return size(b, key) - size(a, key);
}

function size(take: Take, badge: BadgeName): number {
  const value = take[badge];
  return value === null ? -1 : Math.abs(value);
}

/** A badge's value with its unit: "17 cm/s", "4.2 cm below the floor", "3 spikes". */
export function badgeText(badge: BadgeName, value: number | null): string {
  if (value === null) return badge === "spikes" ? "not known" : "no feet rest";
  if (badge === "skate") return `${round(value)} cm/s`;
  if (badge === "spikes") return value === 0 ? "none" : `${value} ${value === 1 ? "spike" : "spikes"}`;
  if (Math.abs(value) < 0.05) return "on it";
  return `${round(Math.abs(value))} cm ${value < 0 ? "below" : "above"}`;
}

/** The measurement of a badge, in a sentence. */
export function badgeSentence(take: Take, badge: BadgeName, limits: Limits): string {
  const state = badgeState(take, badge, limits);
  const value = take[badge];
  if (state === "unknown") return "Not measured yet; it is done in the background.";
  if (state === "none" || value === null) return badge === "spikes" ? "" : "This take has no feet that rest on a floor.";
  const most = limits[badge]?.most ?? 0;
  if (badge === "skate") return `Resting feet slide ${round(value)} cm in a second; good recordings stay below ${most}.`;
  if (badge === "spikes") {
    return value === 0 ? "No joint jumps away and back." : `A joint jumps away for a frame or two, ${value === 1 ? "once" : `${value} times`}.`;
  }
  const way = value < 0 ? "sink below the floor" : "rest above the floor";
  return Math.abs(value) < 0.05 ? "Feet are on the floor." : `Feet ${way} by ${round(Math.abs(value))} cm; up to ${most} are usual.`;
}

function round(value: number): string {
  return value >= 10 ? value.toFixed(0) : value.toFixed(1);
}
