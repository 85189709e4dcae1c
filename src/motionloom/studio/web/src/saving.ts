/** Saving: the document goes to the server after every step; what the server cannot take now is kept by the browser. */

import * as api from "./api/client";
import { Refusal } from "./api/asking";
import type * as T from "./api/types";
import { isSame } from "./commands/patch";
import { notify, studio } from "./state.svelte";

interface Kept {
  base: T.Document; // as the server had it
  content: T.Document;
  past: T.CommandRecord[];
  future: T.CommandRecord[];
}

const RETRY = 2_000; // milliseconds

let revision = 0;
let onServer: T.Document | null = null;
let isWanted = false;
let isRunning = false;

const keyOf = (): string => `motionloom.unsaved.${studio.session?.corpus?.name ?? ""}.${studio.documentName}`;

/** Take over the document that the server has. */
export function takeOver(state: T.DocumentState): void {
  revision = state.revision;
  onServer = state.content;
  studio.document = state.content;
  studio.draft = null;
  studio.documentName = state.name;
  studio.documentNames = state.names;
  studio.past = state.past;
  studio.future = state.future;
  studio.isLoaded = true;
  studio.saving = "saved";
  studio.savingProblem = "";
  if (state.problem) notify("error", `${state.problem}; what could be read is shown`);
  bringBack(state);
}

/** Ask the server for its document and take it over. */
export async function loadDocument(): Promise<void> {
  takeOver(await api.document());
}

/** Save now, or as soon as what is being saved is there. */
export function saveSoon(): void {
  if (!studio.isLoaded || !studio.session?.corpus) return;
  isWanted = true;
  if (!isRunning) void saveAll();
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
  const content = studio.document;
  const wanted = { name: studio.documentName, revision, content, past: studio.past, future: studio.future };
  try {
    const saved = await api.saveDocument(wanted);
    revision = saved.revision;
    onServer = content;
    forget();
    if (!isWanted) studio.saving = "saved";
    studio.savingProblem = "";
  } catch (error) {
    const refusal = error as Refusal;
    studio.saving = "unsaved";
    studio.savingProblem = refusal.message;
    if (refusal.status === 409) {
      notify("warning", refusal.message);
      await loadDocument();
    } else {
      keep(wanted);
      if (refusal.status === 0) setTimeout(saveSoon, RETRY);
      else notify("error", refusal.message);
    }
  }
}

function keep(wanted: Omit<Kept, "base">): void {
  try {
    const kept = { base: onServer, content: wanted.content, past: wanted.past, future: wanted.future };
    localStorage.setItem(keyOf(), JSON.stringify(kept));
  } catch {
    // nothing more can be done; the page still has it
  }
}

function forget(): void {
  try {
    localStorage.removeItem(keyOf());
  } catch {
    // a browser that keeps nothing has nothing to forget
  }
}

/** What an earlier page could not save any more, where the server still has what it was made from. */
function bringBack(state: T.DocumentState): void {
  let kept: Kept;
  try {
    const text = localStorage.getItem(keyOf());
    if (text === null) return;
    kept = JSON.parse(text) as Kept;
  } catch {
    return;
  }
  const take = (): void => {
    studio.document = kept.content;
    studio.past = kept.past;
    studio.future = kept.future;
    saveSoon();
  };
  if (isSame(kept.content, state.content)) forget();
  else if (isSame(kept.base, state.content)) {
    take();
    notify("good", "Brought back what was not saved when the server went away");
  } else {
    notify("warning", "This browser has changes that were never saved", { text: "Bring them back", run: take });
    forget();
  }
}
