/**
 * Commands: every change of the document or the corpus is one, and can be undone.
 *
 * A command's arguments (`args`) and its undo data (`memory`) are plain values, so that the history is saved with the
 * document and survives a reload. Commands run one after another, in the order of the calls.
 */

import { HISTORY_STEPS } from "../api/constants";
import type * as T from "../api/types";
import { notify, studio } from "../state.svelte";
import { applyChanges, type Change, findChanges, isSame } from "./patch";

export interface Command<Args, Memory> {
  kind: string;
  /** For people: "Paint walk". */
  describe(args: Args): string;
  execute(args: Args): Promise<Memory> | Memory;
  undo(args: Args, memory: Memory): Promise<void> | void;
  /** How to do it again with the undo data of the first time; by default it is executed again. */
  redo?(args: Args, memory: Memory): Promise<Memory> | Memory;
}

const KINDS = new Map<string, Command<unknown, unknown>>();
let queue: Promise<unknown> = Promise.resolve();
let afterwards: () => void = () => {};

/** Register a kind of command; returns the function that runs it. */
export function defineCommand<Args, Memory>(command: Command<Args, Memory>): (args: Args) => Promise<boolean> {
  if (KINDS.has(command.kind)) throw new Error(`there are two commands '${command.kind}'`);
  KINDS.set(command.kind, command as Command<unknown, unknown>);
  return (args: Args) => run(command.kind, args);
}

/** Register a kind of command that changes the document alone: a pure function from one document to the next. */
export function defineDocumentCommand<Args>(command: {
  kind: string;
  describe(args: Args): string;
  change(document: T.Document, args: Args): T.Document;
}): (args: Args) => Promise<boolean> {
  return defineCommand<Args, Change[]>({
    kind: command.kind,
    describe: command.describe,
    execute(args) {
      const before = studio.document;
      const after = command.change(before, args);
      studio.document = after;
      studio.draft = null;
      return findChanges(before, after);
    },
    undo(_args, changes) {
      studio.document = applyChanges(studio.document, changes, "back");
    },
    redo(_args, changes) {
      studio.document = applyChanges(studio.document, changes, "forward");
      return changes;
    },
  });
}

/** Let the document be saved after every command. */
export function onEveryCommand(run: () => void): void {
  afterwards = run;
}

/** Run a command, once those before it are done. False if it failed; the user was notified of the reason. */
export function run(kind: string, args: unknown): Promise<boolean> {
  return inTurn(async () => {
    const command = find(kind);
    const memory = await command.execute(args);
    if (Array.isArray(memory) && memory.length === 0) return; // nothing was changed
    const step = { kind, title: command.describe(args), args, memory: memory ?? null };
    studio.past = [...studio.past, step].slice(-HISTORY_STEPS);
    studio.future = [];
  });
}

/** Undo the last step. */
export function undo(): Promise<boolean> {
  return inTurn(async () => {
    const step = studio.past.at(-1);
    if (step === undefined) return;
    await find(step.kind).undo(step.args, step.memory);
    studio.past = studio.past.slice(0, -1);
    studio.future = [...studio.future, step];
  });
}

/** A function that undoes the last step, as long as it is still the last. */
export function undoThis(): () => void {
  const step = studio.past.at(-1);
  return () => {
    if (isSame(studio.past.at(-1), step)) void undo();
    else notify("info", `Other steps came after “${step?.title ?? ""}”; undo those first`);
  };
}

/** Redo the step that was undone last. */
export function redo(): Promise<boolean> {
  return inTurn(async () => {
    const step = studio.future.at(-1);
    if (step === undefined) return;
    const command = find(step.kind);
    const memory = command.redo ? await command.redo(step.args, step.memory) : await command.execute(step.args);
    studio.future = studio.future.slice(0, -1);
    studio.past = [...studio.past, { ...step, memory: memory ?? null }];
  });
}

/** Wait until all commands are done. */
export function settled(): Promise<unknown> {
  return queue;
}

function find(kind: string): Command<unknown, unknown> {
  const command = KINDS.get(kind);
  if (command === undefined) throw new Error(`this step ('${kind}') comes from another version of the studio`);
  return command;
}

function inTurn(work: () => Promise<void>): Promise<boolean> {
  const turn = queue.then(async () => {
    studio.isBusy = true;
    try {
      await work();
      return true;
    } catch (error) {
      notify("error", error instanceof Error ? error.message : String(error));
      return false;
    } finally {
      studio.isBusy = false;
      studio.draft = null;
      afterwards();
    }
  });
  queue = turn;
  return turn;
}
