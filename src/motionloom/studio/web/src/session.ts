/** The line to the server: what is open, what happens, and what to do when the line breaks. */

import * as api from "./api/client";
import type * as T from "./api/types";
import { onEveryCommand } from "./commands/command";
import { loadDocument, saveSoon } from "./saving";
import { Socket, socketAddress } from "./socket";
import { notify, studio } from "./state.svelte";
import type { Unpacked } from "./api/packing";

export interface Hearers {
  frames: (message: Unpacked) => void;
  message: (message: T.FromServer) => void;
  opened: () => void; // another corpus is open, or the server is another one
}

let socket: Socket | null = null;

/** Begin: load what is open, listen to the server, save after every command. */
export async function begin(hearers: Hearers): Promise<void> {
  onEveryCommand(saveSoon);
  socket = new Socket(socketAddress(location), {
    frames: hearers.frames,
    message: (message) => {
      hear(message, hearers);
      hearers.message(message);
    },
    open: (isFirst) => {
      studio.connection = "open";
      if (!isFirst) void comeBack(hearers);
    },
    lost: () => {
      studio.connection = "lost";
      studio.jobs = [];
    },
  });
  await loadSession(hearers);
}

/** Tell the server something. */
export function tell(message: T.FromPage): void {
  socket?.send(message);
}

async function loadSession(hearers: Hearers): Promise<void> {
  try {
    const before = studio.session?.corpus?.name;
    studio.session = await api.session();
    studio.failure = "";
    if (studio.session.corpus === null) {
      studio.isLoaded = false;
      return;
    }
    if (!studio.isLoaded || before !== studio.session.corpus.name) {
      hearers.opened();
      await loadDocument();
    }
    countUp("takes");
    countUp("labels");
    countUp("proposals");
  } catch (error) {
    studio.failure = (error as Error).message;
  }
}

async function comeBack(hearers: Hearers): Promise<void> {
  await loadSession(hearers);
  if (studio.saving === "unsaved") saveSoon();
  else if (studio.isLoaded) await loadDocument().catch(() => undefined);
  hearers.opened();
  notify("good", "The server is back");
}

function hear(message: T.FromServer, hearers: Hearers): void {
  if (message.type === "job") {
    const others = studio.jobs.filter((job) => job.id !== message.job.id);
    studio.jobs = [...others, message.job].sort((a, b) => a.id - b.id);
    if (message.job.state === "failed" && !message.job.quiet) notify("error", `${message.job.title}: ${message.job.error}`);
  } else if (message.type === "changed") {
    if (message.what === "session") void loadSession(hearers);
    else if (message.what === "document") void loadDocument().catch(() => undefined);
    else {
      countUp(message.what);
      if (message.what === "takes") void api.session().then((session) => (studio.session = session));
    }
  }
}

function countUp(what: "takes" | "labels" | "proposals"): void {
  studio.revisions[what] += 1;
}
