/** The searches of one method: requests, the answers as they come, which of them plays. */

import * as api from "../../api/client";
import type * as T from "../../api/types";
import { type CastMember, studio } from "../../state.svelte";
import { allOf, castOf, type Found, withAnswer } from "./answers";
import { Asker } from "./asking";

const TAKEN_OVER = "another window of this studio searches now; change something here to search again";

export class MethodSearch {
  /** The answers to the last request that has any; they stay until there are newer ones. */
  found = $state.raw<Found | null>(null);
  isSearching = $state(false);
  problem = $state(""); // why nothing was searched
  job = $state.raw<T.Job | null>(null); // the search, as reported by the server
  /** Id of the answer that plays instead of the best; null: the best. */
  chosen = $state<string | null>(null);
  compared = $state<string | null>(null); // id of an answer that is shown beside it
  wantsPlay = $state(false); // the first motion plays as soon as it is there; after that people decide
  answered = $state(""); // the request that `found` answers, as text

  /** The answer that plays. */
  readonly answer = $derived(allOf(this.found).find((answer) => answer.id === this.chosen) ?? this.found?.best ?? null);

  private readonly asker = new Asker<object>({
    send: (request, tag) => this.send(request, tag),
    failed: (error) => this.fail(error.message),
  });
  private jobTag = ""; // of the request that the job answers
  private stopped = ""; // tag of a request that was cancelled before its job was known
  private wasLost = false;
  private asked = ""; // the last request, and the revision of the labels
  private askedRequest = "";
  private askedTakes = 0; // and the revision of the takes
  private ownSaves = 0; // takes that were saved from here and not reported by the server yet: no reason to search again

  constructor(
    readonly method: string,
    private readonly others: number | null = null, // good motions beside the best; null: as many as is usual
  ) {}

  /** The preparation of a search, which is a job of its own; null if there is none. */
  get warming(): T.Job | null {
    return studio.jobs.find((job) => job.kind === "warm-up" && job.for_method === this.method && job.state === "running") ?? null;
  }

  /** The job that reports progress: the search, or the preparation that it waits for. */
  get progress(): T.Job | null {
    return this.job?.state === "running" && this.job.note ? this.job : this.warming;
  }

  /** Whether more may come: better motions, other ones, or reasons for what is missed. */
  get isUnderWay(): boolean {
    return this.isSearching || this.job?.state === "running" || this.job?.state === "waiting";
  }

  get cast(): CastMember[] {
    return castOf(this.answer, allOf(this.found).find((answer) => answer.id === this.compared) ?? null);
  }

  /** Search the answers to a request, even if it was searched before. */
  ask(request: object): void {
    this.begin(request, false);
  }

  /** Search the answers to a request as it is edited, unless it was searched already with the same labels and takes. */
  follow(request: object, isDragged: boolean, labels: number, takes: number): void {
    const asked = `${JSON.stringify(request)} ${labels}`;
    const isSame = asked === this.asked;
    const isOwnSave = isSame && takes !== this.askedTakes && this.ownSaves > 0;
    if (isOwnSave) this.ownSaves -= 1;
    if (isOwnSave) this.askedTakes = takes;
    if (isSame && takes === this.askedTakes) {
      if (!isDragged) this.asker.hurry();
      return;
    }
    this.asked = asked;
    this.askedTakes = takes;
    this.begin(request, isDragged);
  }

  /** Cancel the search that runs; what it has found stays. */
  cancel(): void {
    if (!this.isSearching) return;
    const { tag } = this.asker;
    if (this.job !== null && this.jobTag === tag) void api.cancelJob(this.job.id).catch(() => undefined);
    else this.stopped = tag;
    this.asker.stop();
    this.asked = "";
    this.isSearching = false;
  }

  /** The connection is lost; what was found plays on. */
  loseServer(): void {
    this.wasLost = true;
  }

  /** Connected again: it may be another server, which knows none of the answers. */
  findServer(): void {
    if (this.wasLost) this.forget();
  }

  receive(message: T.FromServer): void {
    if (message.type === "answer") this.receiveAnswer(message.answer);
    else if (message.type === "job" && message.job.id === this.job?.id) this.receiveJob(message.job);
  }

  forget(): void {
    this.wasLost = false;
    this.asker.stop();
    this.asked = this.answered = "";
    this.found = null;
    this.chosen = this.compared = null;
    this.isSearching = false;
    this.problem = "";
    this.job = null;
  }

  /** A take was saved from here: the request need not be searched again for it. */
  savedOne(): void {
    this.ownSaves += 1;
  }

  savedNone(): void {
    this.ownSaves -= 1;
  }

  private begin(request: object, isDragged: boolean): void {
    this.isSearching = true;
    this.problem = "";
    this.asker.ask(request, isDragged);
  }

  private async send(request: object, tag: string): Promise<void> {
    this.askedRequest = JSON.stringify(request);
    const job = await api.searchMethod(this.method, { tag, request: request as Record<string, unknown>, others: this.others });
    if (tag === this.stopped) void api.cancelJob(job.id).catch(() => undefined);
    if (tag !== this.asker.tag) return;
    [this.job, this.jobTag] = [job, tag];
    const latest = studio.jobs.find((known) => known.id === job.id); // it may have ended before this answer arrived
    if (latest !== undefined) this.receiveJob(latest);
  }

  private receiveAnswer(answer: T.Answer): void {
    if (answer.method !== this.method || answer.tag !== this.asker.tag) return;
    const isNew = this.found?.tag !== answer.tag;
    if (this.found === null) this.wantsPlay = true;
    this.found = withAnswer(this.found, answer);
    this.answered = this.askedRequest;
    if (isNew) this.chosen = this.compared = null;
    if (this.found.isFinal) this.isSearching = false;
    this.problem = "";
    this.asker.answered(answer.tag);
  }

  private receiveJob(job: T.Job): void {
    this.job = job;
    if (this.jobTag !== this.asker.tag) return; // a newer request is on its way
    if (job.state === "failed") this.fail(job.error);
    else if (job.state === "cancelled" && !this.found?.isFinal) this.fail(TAKEN_OVER);
    else if (job.state === "done" || job.state === "cancelled") this.isSearching = false;
  }

  private fail(sentence: string): void {
    this.problem = sentence;
    this.isSearching = false;
    this.asker.answered(this.asker.tag);
  }
}
