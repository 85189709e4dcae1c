/** The hub graph of the document: built by the server when it changes, held here, played by the workspaces. */

import * as api from "./api/client";
import type * as T from "./api/types";
import { readHubs } from "./player";
import { studio } from "./state.svelte";

const PAUSE = 450; // milliseconds after a change until a build begins: the next change may come at once

export type BuildLook = "none" | "waiting" | "building" | "built" | "failed";

class Building {
  look = $state<BuildLook>("none");
  problem = $state(""); // why it could not be built
  job = $state.raw<T.Job | null>(null);
  /** The report of the build of `studio.hubs`. */
  built = $state.raw<T.BuiltGraph | null>(null);
  private wanted = ""; // digest of what is being built, or was built last
  private tag = "";
  private count = 0;
  private readonly page = Math.random().toString(36).slice(2, 8); // other windows have other tags
  private timer: ReturnType<typeof setTimeout> | null = null;
  private waiting: (() => void)[] = [];

  /** Build a graph, soon or now, unless it is the one that is there or under way. */
  want(request: T.GraphRequest, isUrgent = false): void {
    const digest = digestOf(request);
    const isStarted = digest === this.wanted && this.look !== "waiting";
    if (isStarted || (digest === this.wanted && !isUrgent)) return;
    this.wanted = digest;
    this.problem = "";
    this.job = null;
    this.look = "waiting";
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.start(request, digest), isUrgent ? 0 : PAUSE);
  }

  /** Stop building: there are no hubs, or some cannot be built. The last graph stays playable. */
  rest(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.wanted = "";
    this.tag = "";
    this.job = null;
    this.problem = "";
    this.look = studio.hubs === null ? "none" : "built";
    this.settle();
  }

  /** Forget the graph when another document or another corpus is opened. */
  forget(): void {
    studio.hubs = null;
    this.built = null;
    this.rest();
  }

  receive(message: T.FromServer): void {
    if (message.type === "built" && message.tag === this.tag) void this.take(message.built);
    else if (message.type === "job" && message.job.id === this.job?.id) this.receiveJob(message.job);
  }

  /** Resolves when nothing is being built any more. */
  settled(): Promise<void> {
    return this.look === "waiting" || this.look === "building"
      ? new Promise((resolve) => this.waiting.push(resolve))
      : Promise.resolve();
  }

  private async start(request: T.GraphRequest, digest: string): Promise<void> {
    this.timer = null;
    this.count += 1;
    const tag = `${this.page}-${this.count}`;
    this.tag = tag;
    this.look = "building";
    try {
      const job = await api.snapBuild({ tag, request });
      if (tag !== this.tag || this.wanted !== digest) return;
      this.job = job;
      const latest = studio.jobs.find((known) => known.id === job.id); // it may have ended before this answer arrived
      if (latest !== undefined) this.receiveJob(latest);
    } catch (error) {
      if (tag === this.tag) this.fail((error as Error).message);
    }
  }

  private async take(built: T.BuiltGraph): Promise<void> {
    const [tag, requestDigest] = [this.tag, this.wanted];
    try {
      const bytes = await api.snapGraph(built.digest);
      if (tag !== this.tag) return;
      studio.hubs = { bytes, graph: readHubs(bytes), requestDigest };
      this.built = built;
      this.look = "built";
      this.settle();
    } catch (error) {
      if (tag === this.tag) this.fail((error as Error).message);
    }
  }

  private receiveJob(job: T.Job): void {
    this.job = job;
    if (job.state === "failed") this.fail(job.error);
    else if (job.state === "cancelled") this.fail("another window of this studio builds now; change something here to build again");
  }

  private fail(sentence: string): void {
    this.problem = sentence;
    this.look = "failed";
    this.settle();
  }

  private settle(): void {
    const waiting = this.waiting;
    this.waiting = [];
    waiting.forEach((go) => go());
  }
}

export const building = new Building();

/** Whether the graph that is held is the one that the document asks for. */
export function isUpToDate(): boolean {
  return studio.hubs?.requestDigest === digestOf(studio.document.graph.request);
}

/** Have the document's graph built, unless it is there or under way; resolves when the build has ended. */
export async function ensureBuilt(): Promise<void> {
  const { request } = studio.document.graph;
  if (request.hubs.length === 0 || isUpToDate()) return;
  building.want(request, true);
  await building.settled();
}

/** A digest of what a graph is built from. */
export function digestOf(request: T.GraphRequest): string {
  const text = JSON.stringify(request);
  let a = 0x811c9dc5;
  let b = 0x1000193;
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
    b = Math.imul(b + text.charCodeAt(i), 0x85ebca6b) ^ (b >>> 13);
  }
  return (a >>> 0).toString(16).padStart(8, "0") + (b >>> 0).toString(16).padStart(8, "0");
}
