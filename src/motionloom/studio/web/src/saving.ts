/** Saving: the document goes to the server after every step; what the server cannot take now the browser stores. */

import * as api from "./api/client";
import { Refusal } from "./api/asking";
import type * as T from "./api/types";
import { bringBack } from "./commands/bring_back";
import type { Change } from "./commands/patch";
import { isSame } from "./commands/patch";
import { isSameWork, merge, type Version, withLooksOf } from "./merging";
import { notify, studio } from "./state.svelte";

interface Kept extends Version {
  base: Version; // as the server had it
}

const RETRY = 2_000; // milliseconds

let revision = 0;
let onServer: Version | null = null;
let corpus = ""; // whose document it is
let openings = 0; // counted up with every document that is taken over
let isWanted = false;
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
  if (state.problem) notify("error", `${state.problem}; what could be read is shown`);
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
  const isKnown = state.name === studio.documentName && state.revision === revision;
  if (isKnown || !isQuiet() || asOf !== openings) return;
  const isOther = state.name !== studio.documentName;
  takeOver(state);
  if (!isOther) studio.document = withLooksOf(before, studio.document);
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
  const [asOf, name, version] = [openings, studio.documentName, versionNow()];
  try {
    const saved = await api.saveDocument({ name, revision, ...version });
    if (asOf !== openings) return; // another document is open now
    revision = saved.revision;
    onServer = version;
    forget();
    if (!isWanted) studio.saving = "saved";
    studio.savingProblem = "";
  } catch (error) {
    const refusal = error as Refusal;
    const isMet = refusal.status === 409 && asOf === openings && (await meet(name).catch(() => false));
    if (!isMet) giveUp(refusal, name, version, asOf === openings);
  }
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
