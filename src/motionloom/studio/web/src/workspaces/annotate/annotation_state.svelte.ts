/** The state of the annotation workspace: progress of labelling, labels of the take in view, selection. */

import * as api from "../../api/client";
import type * as T from "../../api/types";
import { labelColour } from "../../palette";
import { saveSoon } from "../../saving";
import { stage } from "../../stage.svelte";
import { notify, studio } from "../../state.svelte";
import type { Tool, Track } from "../../widgets/timeline/types";
import { asShown, type Draft, draftOf, isEmpty } from "./drafts";
import { labelTracks, type Selected } from "./label_tracks";
import { firstOffer, isDone, nextOffer, type Order, type Place } from "./queue";
import type { Range } from "./ranges";

/** The vocabulary and settings that the server learns with. */
export const choiceOf = ({ vocabulary, classifier, kernel, gamma }: T.AnnotatePart): T.LearningChoice => ({
  vocabulary,
  classifier,
  kernel: kernel ?? null,
  gamma: gamma ?? null,
});

class AnnotationState {
  state = $state.raw<T.AnnotateState | null>(null);
  problem = $state(""); // why there is no state
  tracks = $state.raw<T.TakeTracks | null>(null);
  chosen = $state<string | null>(null); // track
  selected = $state.raw<Selected | null>(null);
  tool = $state<Tool>("must");
  order = $state<Order>("teaches");
  search = $state("");
  gammaDraft = $state<number | null>(null); // while the slider is dragged

  private goal: Place | null = null; // to be shown as soon as its take is there
  private accepted: string | null = null; // the take that was accepted last, until something new is offered
  private waitsForOffer = false;
  private proposalsBefore = 0; // revision of the proposals when something was accepted
  private turn = 0;
  private corpora = 0; // that were opened
  private isAsking = false;
  private isAskedAgain = false; // while an answer was under way

  get vocabulary(): string[] {
    return studio.shown.annotate.vocabulary;
  }

  /** The take in view: the one that was chosen, or else what teaches most. */
  get take(): string | null {
    const { take } = studio.shown.annotate;
    const known = this.state?.takes;
    if (take != null && (known === undefined || known.some((standing) => standing.name === take))) return take;
    return this.state?.offers[0]?.take ?? known?.[0]?.name ?? null;
  }

  get offer(): T.TeachingOffer | null {
    return this.state === null ? null : firstOffer(this.state);
  }

  get draft(): Draft {
    return this.take === null ? {} : draftOf(studio.shown, this.take);
  }

  get hasDraft(): boolean {
    return !isEmpty(this.draft);
  }

  get job(): T.Job | null {
    return studio.jobs.find((job) => job.kind === "learn" && (job.state === "running" || job.state === "waiting")) ?? null;
  }

  get isDone(): boolean {
    return this.state !== null && isDone(this.state);
  }

  /** Something was accepted, and what teaches most next is being computed. */
  get isLeaving(): boolean {
    return this.waitsForOffer && this.take === this.accepted && this.job !== null && !this.hasDraft;
  }

  /** Why nothing is offered though nothing is being learnt; empty if there is no error. */
  get stopped(): string {
    const last = studio.jobs.filter((job) => job.kind === "learn").at(-1);
    if (this.offer !== null || this.isDone || last === undefined) return "";
    return last.state === "failed" ? last.error : last.state === "cancelled" ? "Learning was stopped." : "";
  }

  get rows(): Track[] {
    if (this.tracks === null || this.tracks.take !== this.take) return [];
    return labelTracks({
      tracks: this.tracks,
      vocabulary: this.vocabulary,
      draft: this.draft,
      selected: this.selected,
      colourOf: this.colourOf,
      canPaint: studio.canWrite,
    });
  }

  /** Frames that Enter would accept: what loops, or the whole take. */
  get window(): Range | null {
    if (this.tracks === null || this.tracks.take !== this.take) return null;
    const { fps, frames } = this.tracks;
    if (studio.loop === null) return [0, frames];
    const [start, stop] = studio.loop.map((time) => Math.round(time * fps));
    return [Math.max(0, start), Math.min(frames, Math.max(stop, start + 1))];
  }

  readonly colourOf = labelColour;

  /** Labels that are shown to hold at the playhead. */
  get labelsNow(): { label: string; isSure: boolean }[] {
    const { time } = studio;
    return this.rows.flatMap((row) => {
      const here = row.stretches.find((stretch) => stretch.kind !== "must_not" && stretch.start <= time && time < stretch.stop);
      return here ? [{ label: row.id, isSure: here.kind !== "proposed" }] : [];
    });
  }

  /** The labels that accepting would write. */
  wanted(): T.AcceptLabels | null {
    const { window, tracks, vocabulary, draft } = this;
    if (window === null || tracks === null || vocabulary.length === 0) return null;
    const [start, stop] = window;
    return { take: tracks.take, labels: vocabulary, start, stop, ranges: asShown(tracks, vocabulary, draft, window) };
  }

  /** Load the progress of labelling; calls while a request is under way cause one more request afterwards. */
  async loadState(): Promise<void> {
    this.isAskedAgain = true;
    if (this.isAsking) return;
    this.isAsking = true;
    while (this.isAskedAgain) {
      this.isAskedAgain = false;
      await this.askState();
    }
    this.isAsking = false;
  }

  private async askState(): Promise<void> {
    const { corpora } = this;
    try {
      const state = await api.annotateState();
      if (corpora !== this.corpora) return;
      this.state = state;
      this.problem = "";
      if (this.waitsForOffer) this.follow();
    } catch (error) {
      if (corpora === this.corpora) this.problem = (error as Error).message;
    }
  }

  /** Forget everything when another corpus is opened. */
  forget(): void {
    this.corpora += 1;
    this.turn += 1;
    this.state = this.tracks = this.selected = this.goal = this.accepted = null;
    this.chosen = null;
    this.problem = this.search = "";
    this.waitsForOffer = false;
  }

  async loadTracks(take: string | null): Promise<void> {
    const turn = ++this.turn;
    if (take === null) {
      this.tracks = null;
      return;
    }
    try {
      const tracks = await api.takeTracks(take);
      if (turn === this.turn) this.tracks = tracks;
    } catch (error) {
      if (turn === this.turn) notify("error", (error as Error).message);
    }
  }

  async learn(choice: T.LearningChoice): Promise<void> {
    try {
      await api.learnLabels(choice);
    } catch (error) {
      notify("error", (error as Error).message);
    }
  }

  /** Show a take; it is saved with the document but is no step of the history. */
  choose(take: string): void {
    this.waitsForOffer = false;
    this.goal = null;
    this.show(take);
  }

  /** Keep the take in view that is being painted on, even if another one is offered meanwhile. */
  stay(): void {
    if (this.take !== null && studio.document.annotate.take !== this.take) this.choose(this.take);
  }

  /** Show a stretch and loop it. */
  look(place: Place): void {
    this.waitsForOffer = false;
    this.goal = place;
    this.show(place.take);
    this.reachGoal();
  }

  /** After an acceptance: go to what teaches most as soon as that is known. */
  followAfter(take: string): void {
    this.accepted = take;
    this.waitsForOffer = true;
    this.proposalsBefore = studio.revisions.proposals;
  }

  /** The motion of a take has come into view. */
  reachGoal(): void {
    const { goal } = this;
    const motion = goal && studio.motions[`take:${goal.take}`];
    if (!goal || !motion || studio.cast[0]?.motion !== motion.id) return;
    this.goal = null;
    const isWhole = goal.start <= 0 && goal.stop >= motion.frames;
    const start = goal.start / goal.fps;
    studio.loop = isWhole ? null : [start, goal.stop / goal.fps];
    stage.seek(start);
    stage.player.play();
  }

  private show(take: string): void {
    if (studio.document.annotate.take === take) return;
    this.selected = null;
    studio.document = { ...studio.document, annotate: { ...studio.document.annotate, take } };
    saveSoon();
  }

  private follow(): void {
    if (this.state === null || studio.revisions.proposals === this.proposalsBefore) return;
    this.waitsForOffer = false;
    const offer = nextOffer(this.state, this.accepted);
    this.accepted = null;
    const isUndone = studio.future.at(-1)?.kind === "accept labels"; // the acceptance was undone: stay on its take
    if (offer !== null && !isUndone) this.look(offer);
  }
}

export const annotationState = new AnnotationState();
