/** The session: what is open, messages of the server, and what to do when the connection is lost. */

import * as api from "./api/client";
import { JOBS_KEPT } from "./api/constants";
import type * as T from "./api/types";
import { onEveryCommand } from "./commands/command";
import { loadLabelColours } from "./palette";
import { keepUnsaved, loadDocument, refresh, saveSoon } from "./saving";
import { Socket, socketAddress } from "./socket";
import { notify, studio } from "./state.svelte";
import type { Unpacked } from "./api/packing";

export interface Handlers {
  arrays: (message: Unpacked) => void; // frames of motions, and what workspaces ask for
  message: (message: T.FromServer) => void;
  opened: () => void; // another corpus is open, or the server is another one
}

let socket: Socket | null = null;

/** Begin: load what is open, listen to the server, save after every command. */
export async function begin(handlers: Handlers): Promise<void> {
  onEveryCommand(saveSoon);
  window.addEventListener("pagehide", keepUnsaved);
  window.addEventListener("focus", freshen); // another window may have saved something
  socket = new Socket(socketAddress(location), {
    arrays: handlers.arrays,
    message: (message) => {
      receive(message, handlers);
      handlers.message(message);
    },
    open: (isFirst) => {
      studio.connection = "open";
      if (!isFirst) void comeBack(handlers);
    },
    lost: () => {
      studio.connection = "lost";
      studio.jobs = [];
    },
  });
  await loadSession(handlers);
}

/** Send a message to the server. */
export function sendMessage(message: T.FromPage): void {
  socket?.send(message);
}

async function loadSession(handlers: Handlers): Promise<void> {
  try {
    const before = studio.session?.corpus?.name;
    studio.session = await api.session();
    studio.failure = "";
    if (studio.session.corpus === null) {
      studio.isLoaded = false;
      return;
    }
    const needed = Promise.all([loadMethods(), loadLabelColours()]);
    if (!studio.isLoaded || before !== studio.session.corpus.name) {
      handlers.opened();
      await needed; // the document may open the workspace of a method
      await loadDocument();
    }
    countUp("takes");
    countUp("labels");
    countUp("proposals");
  } catch (error) {
    studio.failure = (error as Error).message;
  }
}

async function loadMethods(): Promise<void> {
  try {
    studio.methods = await api.methods();
  } catch (error) {
    notify("error", `Methods cannot be listed: ${(error as Error).message}`);
  }
}

async function comeBack(handlers: Handlers): Promise<void> {
  await loadSession(handlers);
  if (studio.saving === "unsaved") saveSoon();
  else freshen();
  handlers.opened();
  notify("good", "The server is back");
}

function receive(message: T.FromServer, handlers: Handlers): void {
  if (message.type === "job") {
    studio.jobs = withJob(studio.jobs, message.job);
    if (message.job.state === "failed" && !message.job.quiet) notify("error", `${message.job.title}: ${message.job.error}`);
  } else if (message.type === "changed") {
    if (message.what === "session") void loadSession(handlers);
    else if (message.what === "document") freshen();
    else {
      countUp(message.what);
      if (message.what === "takes") void api.session().then((session) => (studio.session = session), () => undefined);
    }
  }
}

function freshen(): void {
  if (studio.connection === "open") void refresh().catch(() => undefined); // the next message of the server tries again
}

/** The jobs with one of them updated; of those that have ended, the last ones. */
export function withJob(jobs: readonly T.Job[], latest: T.Job): T.Job[] {
  const all = [...jobs.filter((job) => job.id !== latest.id), latest].sort((a, b) => a.id - b.id);
  const ended = all.filter((job) => job.state !== "running" && job.state !== "waiting");
  const old = new Set(ended.slice(0, -JOBS_KEPT));
  return old.size === 0 ? all : all.filter((job) => !old.has(job));
}

function countUp(what: "takes" | "labels" | "proposals"): void {
  studio.revisions[what] += 1;
}
