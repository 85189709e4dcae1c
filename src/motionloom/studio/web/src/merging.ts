/** Three-way merge of two windows, or of a page and a server: what both changed since the last save they share. */

import { HISTORY_STEPS } from "./api/constants";
import type * as T from "./api/types";
import { applyChanges, type Change, findChanges, isSame } from "./commands/patch";

/** A document with its steps. */
export interface Version {
  content: T.Document;
  past: T.CommandRecord[];
  future: T.CommandRecord[];
}

export interface Merged extends Version {
  lost: Change[]; // conflicts: what I changed and others changed too; theirs wins
}

/** My changes since the base, on top of those of others since then. Take and workspace in view stay mine. */
export function merge(base: Version, mine: Version, theirs: Version): Merged {
  const others = findChanges(base.content, theirs.content);
  const changes = findChanges(base.content, withLooksOf(base.content, mine.content));
  const lost = changes.filter((change) => isTaken(change, others, theirs.content));
  const kept = changes.filter((change) => !lost.includes(change));
  const content = withLooksOf(mine.content, applyChanges(theirs.content, kept, "forward"));
  return { content, lost, ...mergeSteps(base, mine, theirs, lost) };
}

/** The document with take and workspace in view of another document. */
export function withLooksOf(looking: T.Document, document: T.Document): T.Document {
  return {
    ...document,
    workspace: looking.workspace,
    library: { ...document.library, take: looking.library.take },
    annotate: { ...document.annotate, take: looking.annotate.take },
  };
}

/** Whether two documents have the same content, apart from take and workspace in view. */
export function isSameWork(a: T.Document, b: T.Document): boolean {
  return isSame(a, withLooksOf(a, b));
}

function isTaken(change: Change, others: readonly Change[], theirs: T.Document): boolean {
  return others.some((other) => touches(change.path, other.path)) && !isSame(valueAt(theirs, change.path), change.after);
}

function touches(a: readonly string[], b: readonly string[]): boolean {
  return a.slice(0, b.length).every((name, i) => name === b[i]);
}

function valueAt(thing: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], thing);
}

function mergeSteps(base: Version, mine: Version, theirs: Version, lost: readonly Change[]): Pick<Version, "past" | "future"> {
  const [ours, other] = [compare(base.past, mine.past), compare(base.past, theirs.past)];
  const isIdle = ours.added.length === 0 && ours.shared === base.past.length;
  if (isIdle) return { past: theirs.past, future: theirs.future };
  const shared = Math.min(other.shared, lost.length > 0 ? base.past.length : ours.shared);
  const known = commonLength(other.added, ours.added); // saved already, but the answer was lost
  const added = ours.added.slice(known).filter((step) => !isLost(step, lost));
  const past = [...base.past.slice(0, shared), ...other.added, ...added];
  return { past: past.slice(-HISTORY_STEPS), future: mine.future };
}

/** How many steps of the base are still there, and which are new. */
function compare(base: readonly T.CommandRecord[], now: readonly T.CommandRecord[]): { shared: number; added: T.CommandRecord[] } {
  const mostForgotten = now.length < HISTORY_STEPS ? 0 : base.length - 1; // a full history forgets its first steps
  for (let from = 0; from <= mostForgotten; from++) {
    const left = base.slice(from);
    if (commonLength(left, now) === left.length) return { shared: base.length, added: now.slice(left.length) };
  }
  const shared = commonLength(base, now);
  return { shared, added: now.slice(shared) };
}

function commonLength(a: readonly unknown[], b: readonly unknown[]): number {
  const differs = a.findIndex((value, i) => i >= b.length || !isSame(value, b[i]));
  return differs < 0 ? a.length : differs;
}

/** Steps that changed the corpus were done in any case, and can be undone. */
function isLost(step: T.CommandRecord, lost: readonly Change[]): boolean {
  const changes = Array.isArray(step.memory) ? (step.memory as Partial<Change>[]) : [];
  return changes.some(({ path }) => path !== undefined && lost.some((change) => touches(change.path, path) || touches(path, change.path)));
}
