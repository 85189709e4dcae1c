/** Saving: the document goes to the server after every step; what the server cannot take now the browser stores. */

import * as api from "./api/client";
import { Refusal } from "./api/asking";
import type * as T from "./api/types";
import { bringBack } from "./commands/bring_back";
import { type Change, findChanges, isSame } from "./commands/patch";
import { isSameWork, merge, type Version, withLooksOf } from "./merging";
import { notify, studio } from "./state.svelte";

interface Kept extends Version {
  base: Version; // as the server had it
}

const RETRY = 2_000; // milliseconds
const CHANGED_ON_DISK = 412; // statuses: another program has changed the files of the document,
const GONE_FROM_DISK = 410; // or has deleted or renamed them

let revision = 0;
let onServer: Version | null = null;
let corpus = ""; // whose document it is
let openings = 0; // counted up with every document that is taken over
let isWanted = false;
let isOver = false; // the next save is made over what another program has written
let isRunning = false;
let hasKept = false; // this page has stored something in the browser
let running: Promise<void> = Promise.resolve();

const keyOf = (name: string): string => `motionloom.unsaved.${corpus}.${name}`;
const versionOf = ({ content, past, future }: Version): Version => ({ content, past, future });
const versionNow = (): Version => ({ content: studio.document, past: studio.past, future: studio.future });

/** Take over the document that the server has. */
export function takeOver(state: T.DocumentState): void {
  openings += 1;
  corpus = studio.session?.corpus?.name ?? "";
  revision = state.revision;
  onServer = versionOf(state);
  show(onServer);
  studio.draft = null;
  studio.documentName = state.name;
  studio.documentNames = state.names;
  studio.isLoaded = true;
  studio.saving = "saved";
  studio.savingProblem = "";
  studio.onDisk = null;
  if (state.problem) notify("error", state.problem);
  bringKept(state);
}

/** Ask the server for its document and take it over. */
export async function loadDocument(): Promise<void> {
  takeOver(await api.document());
}

/** Load what others have saved; changes that are still being saved here are merged when their save is answered. */
export async function refresh(): Promise<void> {
  const before = studio.document;
  const isQuiet = (): boolean =>
    !isRunning && studio.saving === "saved" && !studio.isBusy && studio.draft === null && studio.document === before;
  if (!studio.isLoaded || !isQuiet()) return;
  const asOf = openings;
  const state = await api.document();
  if (!isQuiet() || asOf !== openings) return;
  const isOther = state.name !== studio.documentName;
  if (!isOther && state.revision === revision) {
    studio.documentNames = state.names;
    if (state.is_gone) studio.onDisk = { sentence: state.changed, isGone: true };
    return;
  }
  takeOver(state);
  if (!isOther) studio.document = withLooksOf(before, studio.document);
  showChanged(state);
}

/** Save what is here over what another program has written; that is kept aside. */
export async function saveOverDisk(): Promise<void> {
  studio.onDisk = null;
  isOver = true;
  saveSoon();
  await running;
}

/** Load what another program has written; what was done here and not saved can be brought back. */
export async function reloadFromDisk(): Promise<void> {
  const [base, mine] = [onServer, versionNow()];
  const state = await api.document();
  forget(true);
  takeOver(state);
  const lost = base === null ? [] : findChanges(base.content, withLooksOf(base.content, mine.content));
  studio.document = withLooksOf(mine.content, studio.document);
  if (lost.length > 0) offer("What was done here and not saved was left out", lost);
}

/** Open another document instead of one that is gone from disk. */
export async function leaveDocument(other: string): Promise<void> {
  const state = await api.openDocument({ name: other });
  forget(true);
  takeOver(state);
}

/** Save now, or as soon as the save in progress has ended. */
export function saveSoon(): void {
  if (!studio.isLoaded || studio.session?.corpus?.name !== corpus) return; // another corpus is being opened
  if (!studio.canWrite) return keepOnly();
  isWanted = true;
  if (!isRunning) running = saveAll();
}

/** Wait until no save is in progress. */
export function whenSaved(): Promise<void> {
  return running;
}

/** The page is closed: store what the server may not receive any more in the browser. */
export function keepUnsaved(): void {
  if (isRunning || studio.saving === "unsaved") keep(studio.documentName, versionNow());
}

async function saveAll(): Promise<void> {
  isRunning = true;
  try {
    while (isWanted) {
      isWanted = false;
      studio.saving = "saving";
      await saveOnce();
    }
  } finally {
    isRunning = false;
  }
}

async function saveOnce(): Promise<void> {
  const [asOf, name, version, over] = [openings, studio.documentName, versionNow(), isOver];
  isOver = false;
  try {
    const saved = await api.saveDocument({ name, revision, ...version, over });
    if (asOf !== openings) return; // another document is open now
    revision = saved.revision;
    onServer = version;
    forget();
    if (!isWanted) studio.saving = "saved";
    studio.savingProblem = "";
    if (saved.kept.length > 0) notify("info", `What was on disk is kept as ${saved.kept.join(", ")}`);
  } catch (error) {
    const refusal = error as Refusal;
    const merging = refusal.status === 409 ? meet : refusal.status === CHANGED_ON_DISK ? takeWhatIsOnDisk : null;
    const isMet = merging !== null && asOf === openings && (await merging(name).catch(() => false));
    if (!isMet) giveUp(refusal, name, version, asOf === openings);
  }
}

/** After another program has changed the document: load it if nothing but the view was changed here. */
async function takeWhatIsOnDisk(name: string): Promise<boolean> {
  const mine = versionNow();
  if (onServer === null || !isSameWork(onServer.content, mine.content) || !isSame(onServer.past, mine.past)) return false;
  const state = await api.document();
  if (state.is_gone || state.name !== name) return false;
  takeOver(state);
  studio.document = withLooksOf(mine.content, studio.document);
  isWanted = true;
  showChanged(state);
  return true;
}

/**
 * Merge after a conflict: another window was first, or a server that was killed had saved more than it had confirmed.
 * False if a conflict is not the reason why the save was rejected.
 */
async function meet(name: string): Promise<boolean> {
  const state = await api.document();
  if (state.name !== name) {
    keep(name, versionNow()); // it comes back with its document
    takeOver(state);
    return true;
  }
  if (state.revision === revision || onServer === null) return false;
  const merged = merge(onServer, versionNow(), versionOf(state));
  revision = state.revision;
  onServer = versionOf(state);
  studio.documentNames = state.names;
  show(merged);
  isWanted = true;
  if (merged.lost.length > 0) offer("Another window changed the same; what was done here was left out", merged.lost);
  return true;
}

function giveUp(refusal: Refusal, name: string, version: Version, isOpen: boolean): void {
  if (!isOpen) return;
  studio.saving = "unsaved";
  studio.savingProblem = refusal.message;
  keep(name, version);
  if (refusal.status === 0) setTimeout(saveSoon, RETRY);
  else if (refusal.status === CHANGED_ON_DISK || refusal.status === GONE_FROM_DISK)
    studio.onDisk = { sentence: refusal.message, isGone: refusal.status === GONE_FROM_DISK };
  else notify("error", refusal.message);
}

/** A read-only corpus: the browser stores changes until it can be written. */
function keepOnly(): void {
  studio.saving = "unsaved";
  studio.savingProblem = "The corpus is read-only; this browser stores your changes";
  keep(studio.documentName, versionNow());
}

function show({ content, past, future }: Version): void {
  studio.document = content;
  studio.past = past;
  studio.future = future;
}

function showChanged(state: T.DocumentState): void {
  if (state.changed && !state.problem) notify("info", `${state.changed}; this is what it says now`);
}

function offer(sentence: string, changes: Change[]): void {
  notify("warning", sentence, { text: "Bring it back", run: () => void bringBack({ changes }) });
}

function keep(name: string, version: Version): void {
  if (onServer === null) return;
  try {
    const kept: Kept = { base: onServer, ...version };
    localStorage.setItem(keyOf(name), JSON.stringify(kept));
    hasKept = true;
  } catch {
    // storage is full or off; the page still has it
  }
}

/** Remove what this page has stored, once it is saved; what other pages have stored stays. */
function forget(isOurs = hasKept): void {
  if (!isOurs) return;
  hasKept = false;
  try {
    localStorage.removeItem(keyOf(studio.documentName));
  } catch {
    // without storage there is nothing to remove
  }
}

/** Merge what an earlier page could not save into what the server has. */
function bringKept(state: T.DocumentState): void {
  const kept = readKept(state.name);
  if (kept === null) return;
  const merged = merge(kept.base, versionOf(kept), versionOf(state));
  const isNew = !isSame(merged.content, state.content) || !isSame(merged.past, state.past);
  if (isNew) {
    hasKept = true; // until it is saved
    show(merged);
    saveSoon();
  } else forget(true);
  if (!isSameWork(merged.content, state.content)) notify("good", "Brought back what was not saved when the server went away");
  if (merged.lost.length > 0) offer("This browser has changes that were never saved, and others changed the same since", merged.lost);
}

function readKept(name: string): Kept | null {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(name)) ?? "null") as Kept | null;
    return kept?.base?.content ? kept : null;
  } catch {
    return null;
  }
}
