/** The state of the timeline workspace: what was found for what is painted, what is chosen, what can be painted. */

import * as api from "../../api/client";
import type * as T from "../../api/types";
import { labelColour } from "../../palette";
import { studio } from "../../state.svelte";
import type { Tool } from "../../widgets/timeline/types";
import { allOf, type Found, withAnswer } from "./answers";
import { Asker } from "./asking";
import { isBlank } from "./request";
import { makeTracks } from "./tracks";

export interface TakeLine {
  name: string;
  fps: number;
  frames: number;
}

/** Feet on the ground: every frame has it, so nobody labels it. */
export const isContact = (one: T.PaintableLabel): boolean => one.label.startsWith("contacts.");

const TAKEN_OVER = "another window of this studio searches now; change something here to search again";

class TimelineState {
  /** What was found for the last question that was answered; it stays until there is something newer. */
  found = $state.raw<Found | null>(null);
  isSearching = $state(false);
  problem = $state(""); // why nothing was searched
  job = $state.raw<T.Job | null>(null); // the search, as the server tells of it
  /** Id of the motion that plays instead of the best; null: the best. */
  chosen = $state<string | null>(null);
  compared = $state<string | null>(null); // id of a motion that is shown beside it

  tool = $state<Tool>("must");
  track = $state<string | null>(null);
  selected = $state<string | null>(null); // id of a stretch, clip, place or piece

  labels = $state.raw<T.PaintableLabel[] | null>(null); // null: not known yet
  labelsProblem = $state("");
  takes = $state.raw<TakeLine[]>([]);

  wantsPlay = $state(false); // the first motion plays as soon as it is there; after that people decide

  private readonly asker = new Asker({
    send: async (request, tag) => {
      const job = await api.searchTimeline({ tag, request, others: 3 });
      if (tag !== this.asker.tag) return;
      [this.job, this.jobTag] = [job, tag];
      const heard = studio.jobs.find((one) => one.id === job.id); // it may have ended before this answer was here
      if (heard !== undefined) this.hearJob(heard);
    },
    failed: (error) => this.fail(error.message),
  });
  private jobTag = ""; // of the question that the job answers
  private wasLost = false;
  private asked = ""; // what was asked last, and of which labels
  private askedTakes = 0; // and of which takes
  private ownSaves = 0; // takes that were saved from here and not heard of yet: no reason to search anew

  readonly part = $derived(studio.shown.timeline);
  readonly request = $derived(studio.shown.timeline.request);
  /** The motion that plays. */
  readonly answer = $derived(allOf(this.found).find((one) => one.id === this.chosen) ?? this.found?.best ?? null);
  private readonly known = $derived((this.labels ?? []).filter((one) => !isContact(one)).map((one) => one.label));

  readonly tracks = $derived(
    makeTracks(this.part, this.answer, this.selected, {
      colourOf: this.colourOf,
      takeColour: labelColour,
      rateOf: this.rateOf,
      secondsOf: (label) => this.labels?.find((one) => one.label === label)?.seconds ?? null,
    }),
  );

  get colourOf(): (label: string) => string {
    return (label) => labelColour(label, this.known);
  }

  /** Frames per second of a take; its name may be any end of the whole one. */
  get rateOf(): (take: string) => number {
    return (take) => this.takeCalled(take)?.fps ?? studio.shown.timeline.request.fps;
  }

  takeCalled(name: string): TakeLine | null {
    return this.takes.find((one) => one.name === name) ?? this.takes.find((one) => one.name.endsWith(name)) ?? null;
  }

  get rates(): Record<string, number> {
    return Object.fromEntries(this.request.frames.map((one) => [one.take, this.rateOf(one.take)]));
  }

  /** Ask for the motion of what is painted, unless that was asked already. */
  search(request: T.Request, isDragged: boolean, labels: number, takes: number): void {
    if (isBlank(request)) {
      this.forget();
      return;
    }
    if (this.wasLost) this.forget();
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
    this.isSearching = true;
    this.problem = "";
    this.asker.ask(request, isDragged);
  }

  /** The server was away: it may be another one now, which knows none of the answers. */
  loseAnswers(): void {
    this.wasLost = true;
  }

  hear(message: T.FromServer): void {
    if (message.type === "answer") this.hearAnswer(message.answer);
    else if (message.type === "job" && message.job.id === this.job?.id) this.hearJob(message.job);
  }

  forget(): void {
    this.wasLost = false;
    this.asker.stop();
    this.asked = "";
    this.found = null;
    this.chosen = this.compared = null;
    this.isSearching = false;
    this.problem = "";
    this.job = null;
  }

  async askLabels(takes: string[] | null): Promise<void> {
    try {
      this.labels = await api.paintableLabels({ takes });
      this.labelsProblem = "";
    } catch (error) {
      this.labelsProblem = (error as Error).message;
      this.labels ??= [];
    }
  }

  async askTakes(): Promise<void> {
    try {
      const list = await api.takes();
      this.takes = list.takes.filter((one) => one.kind === "body").map(({ name, fps, frames }) => ({ name, fps, frames }));
    } catch {
      // the list of before stays
    }
  }

  /** A take was saved from here: what is painted need not be searched again for it. */
  savedOne(): void {
    this.ownSaves += 1;
  }

  savedNone(): void {
    this.ownSaves -= 1;
  }

  private hearAnswer(answer: T.TimelineAnswer): void {
    if (answer.tag !== this.asker.tag) return;
    const isNew = this.found?.tag !== answer.tag;
    if (this.found === null) this.wantsPlay = true;
    this.found = withAnswer(this.found, answer);
    if (isNew) this.chosen = this.compared = null;
    if (this.found.isFinal) this.isSearching = false;
    this.problem = "";
    this.asker.answered(answer.tag);
  }

  private hearJob(job: T.Job): void {
    this.job = job;
    if (job.state === "failed") this.fail(job.error);
    else if (job.state === "done") this.isSearching = false;
    else if (job.state === "cancelled" && this.jobTag === this.asker.tag && !this.found?.isFinal) this.fail(TAKEN_OVER);
    else if (job.state === "cancelled" && this.jobTag === this.asker.tag) this.isSearching = false;
  }

  private fail(sentence: string): void {
    this.problem = sentence;
    this.isSearching = false;
    this.asker.answered(this.asker.tag);
  }
}

export const timelineState = new TimelineState();
