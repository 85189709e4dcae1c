/** The searches of one method: what is asked, the answers as they come, which of them plays. */

import * as api from "../../api/client";
import type * as T from "../../api/types";
import { type CastMember, studio } from "../../state.svelte";
import { allOf, castOf, type Found, withAnswer } from "./answers";
import { Asker } from "./asking";

const TAKEN_OVER = "another window of this studio searches now; change something here to search again";

export class MethodSearch {
  /** What was found for the last question that was answered; it stays until there is something newer. */
  found = $state.raw<Found | null>(null);
  isSearching = $state(false);
  problem = $state(""); // why nothing was searched
  job = $state.raw<T.Job | null>(null); // the search, as the server tells of it
  /** Id of the answer that plays instead of the best; null: the best. */
  chosen = $state<string | null>(null);
  compared = $state<string | null>(null); // id of an answer that is shown beside it
  wantsPlay = $state(false); // the first motion plays as soon as it is there; after that people decide
  answered = $state(""); // the request that `found` answers, as text

  /** The answer that plays. */
  readonly answer = $derived(allOf(this.found).find((one) => one.id === this.chosen) ?? this.found?.best ?? null);

  private readonly asker = new Asker<object>({
    send: (request, tag) => this.send(request, tag),
    failed: (error) => this.fail(error.message),
  });
  private jobTag = ""; // of the question that the job answers
  private stopped = ""; // tag of a question that was given up before its job was known
  private wasLost = false;
  private asked = ""; // what was asked last, and of which labels
  private askedRequest = "";
  private askedTakes = 0; // and of which takes
  private ownSaves = 0; // takes that were saved from here and not heard of yet: no reason to search anew

  constructor(readonly method: string) {}

  /** Getting ready for a search, as a job of its own; null where nothing is. */
  get warming(): T.Job | null {
    return studio.jobs.find((job) => job.kind === "warm-up" && job.for_method === this.method && job.state === "running") ?? null;
  }

  /** The job that says how far things are: the search, or what it waits for. */
  get progress(): T.Job | null {
    return this.job?.state === "running" && this.job.note ? this.job : this.warming;
  }

  get cast(): CastMember[] {
    return castOf(this.answer, allOf(this.found).find((one) => one.id === this.compared) ?? null);
  }

  /** Ask for the answers to a request, again too. */
  ask(request: object): void {
    this.begin(request, false);
  }

  /** Ask for the answers to a request as it is edited, unless that was asked already of the same labels and takes. */
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

  /** Give up the search that runs; what it has found stays. */
  cancel(): void {
    if (!this.isSearching) return;
    const { tag } = this.asker;
    if (this.job !== null && this.jobTag === tag) void api.cancelJob(this.job.id).catch(() => undefined);
    else this.stopped = tag;
    this.asker.stop();
    this.asked = "";
    this.isSearching = false;
  }

  /** The server is away; what was found plays on. */
  loseServer(): void {
    this.wasLost = true;
  }

  /** A server is there again: it may be another one, which knows none of the answers. */
  findServer(): void {
    if (this.wasLost) this.forget();
  }

  hear(message: T.FromServer): void {
    if (message.type === "answer") this.hearAnswer(message.answer);
    else if (message.type === "job" && message.job.id === this.job?.id) this.hearJob(message.job);
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

  /** A take was saved from here: what is asked need not be searched again for it. */
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
    const job = await api.searchMethod(this.method, { tag, request: request as Record<string, unknown>, others: null });
    if (tag === this.stopped) void api.cancelJob(job.id).catch(() => undefined);
    if (tag !== this.asker.tag) return;
    [this.job, this.jobTag] = [job, tag];
    const heard = studio.jobs.find((one) => one.id === job.id); // it may have ended before this answer was here
    if (heard !== undefined) this.hearJob(heard);
  }

  private hearAnswer(answer: T.Answer): void {
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

  private hearJob(job: T.Job): void {
    this.job = job;
    if (this.jobTag !== this.asker.tag) return; // a newer question is on its way
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
