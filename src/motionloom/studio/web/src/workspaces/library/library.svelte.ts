/** The state of the library: the takes, the filter, the selection. */

import * as api from "../../api/client";
import { unpack } from "../../api/packing";
import type * as T from "../../api/types";
import { chooseTake } from "../../commands/choose_take";
import { loadSteps } from "../../motion/loading";
import { labelColour } from "../../palette";
import { stage } from "../../stage.svelte";
import { sketches } from "../../sketches.svelte";
import { studio } from "../../state.svelte";
import type { Track } from "../../widgets/timeline/types";
import { type Comparison, comparisonAfter, keepThose, NOTHING, only, type Selection } from "./selecting";
import { choose, type Filter, type Limits, NO_FILTER, prepare, type SortKey, type Take, withBadges } from "./takes";
import { type Curves, curveTracks, labelTracks, readCurves } from "./tracks";

const BADGE_PAUSE = 1000; // milliseconds between two requests for new badges
const PATIENCE = 120; // milliseconds that a take must be shown before its curves are requested

class Library {
  takes = $state.raw<Take[]>([]);
  skeletons = $state.raw<T.SkeletonRow[]>([]);
  reference = $state.raw<T.ReferenceSkeleton | null>(null);
  leftOut = $state.raw<string[]>([]); // sentences: which takes cannot be shown on the reference, and why
  labels = $state.raw<string[]>([]);
  limits = $state.raw<Limits>({});
  state = $state<"loading" | "ready" | "failed">("loading");
  problem = $state("");

  filter = $state.raw<Filter>(NO_FILTER);
  sort = $state<SortKey>("name");
  selection = $state.raw<Selection>(NOTHING);
  private comparison = $state.raw<Comparison | null>(null);
  cleaned = $state.raw<{ of: string; made: string; before: T.BadgeValues; after: T.BadgeValues } | null>(null);
  renaming = $state<string | null>(null); // the take whose name is being edited

  curves = $state.raw<{ take: string; curves: Curves; steps: T.Footprints; labels: T.TakeLabel[] } | null>(null);
  curvesProblem = $state("");

  readonly byName = $derived(new Map(this.takes.map((take) => [take.name, take])));
  private readonly joints = $derived(new Map(this.skeletons.map((skeleton) => [skeleton.digest, skeleton.joints])));
  readonly shown = $derived(choose(this.takes, this.filter, this.sort));
  readonly order = $derived(this.shown.map((take) => take.name));
  readonly current = $derived.by((): Take | null => {
    const name = this.selection.current;
    return name === null || studio.leaving.has(name) ? null : (this.byName.get(name) ?? null);
  });
  /** The name of a second take, beside the current one. */
  readonly compared = $derived(this.comparison?.main === this.current?.name ? (this.comparison?.beside ?? null) : null);
  readonly isFiltered = $derived(
    this.filter.text.trim() !== "" || this.filter.labels.length > 0 || this.filter.skeleton !== null || this.filter.wanting,
  );

  /** The takes that actions apply to; takes that the filter hides are left out, unless nothing else is selected. */
  readonly selected = $derived.by((): Take[] => {
    const all = [...this.selection.names].flatMap((name) => this.byName.get(name) ?? []);
    if (all.length < 2 || !this.isFiltered) return all;
    const shown = new Set(this.shown);
    const seen = all.filter((take) => shown.has(take));
    return seen.length > 0 ? seen : all.filter((take) => take.name === this.selection.current);
  });

  private nextBadges = 0;
  private isAsking = false;
  private isAskedAgain = false; // while a request was under way
  private turn = 0;
  private wanted: string | null = null; // to be selected as soon as it is in the list

  /** Load the list; what is selected stays selected if it still exists. */
  async load(): Promise<void> {
    const turn = ++this.turn;
    try {
      const list = await api.takes();
      if (turn !== this.turn) return;
      if (studio.leaving.size > 0) {
        const listed = new Set(list.takes.map((row) => row.name));
        studio.leaving = new Set([...studio.leaving].filter((name) => listed.has(name)));
      }
      const before = this.takes.map((take) => take.name);
      this.nextBadges = list.next_badges;
      this.limits = list.limits;
      this.takes = list.takes.map((row) => prepare(row, list.limits));
      this.skeletons = list.skeletons;
      this.reference = list.reference;
      this.leftOut = list.left_out;
      this.labels = list.labels;
      this.state = "ready";
      this.problem = "";
      this.settle(before);
    } catch (error) {
      if (turn !== this.turn) return;
      this.problem = (error as Error).message;
      if (this.takes.length === 0) this.state = "failed";
    }
  }

  /** Forget everything, such as when another corpus was opened. */
  forget(): void {
    sketches.forget();
    this.takes = [];
    this.filter = NO_FILTER;
    this.selection = NOTHING;
    this.comparison = null;
    this.cleaned = null;
    this.curves = null;
    this.state = "loading";
  }

  /** Select takes; the current one is shown, and plays if `play` is true. */
  select(selection: Selection, play = false): void {
    this.change(selection);
    if (selection.current !== null) chooseTake(selection.current);
    if (play) stage.player.play();
  }

  /** Show a take beside another one, the current one by default, until a take is chosen; or none (null). */
  compare(beside: string | null, main: string | null = this.selection.current): void {
    this.comparison = beside === null || main === null || beside === main ? null : { main, beside };
  }

  /** Show a take as soon as the list has it. */
  show(name: string): void {
    this.wanted = name;
    if (this.byName.has(name)) this.settle(this.order);
  }

  /** The document names another take than the one in view. */
  follow(name: string | null): void {
    if (name !== null && name !== this.selection.current && this.byName.has(name)) this.change(only(name));
  }

  /** Badges are measured in the background; ask for what is new. */
  async askBadges(): Promise<void> {
    this.isAskedAgain = this.isAsking;
    if (this.isAsking || this.state !== "ready") return;
    this.isAsking = true;
    try {
      await new Promise((done) => setTimeout(done, BADGE_PAUSE)); // the job reports more often than the list needs to change
      this.isAskedAgain = false;
      const measured = await api.newBadges(this.nextBadges);
      this.nextBadges = measured.next;
      if (Object.keys(measured.badges).length > 0) this.takes = withBadges(this.takes, measured.badges, this.limits);
    } catch {
      // the next message about the job tries again
    } finally {
      this.isAsking = false;
      if (this.isAskedAgain) void this.askBadges();
    }
  }

  /** Load what the timeline shows of a take, unless another one is chosen at once. */
  askCurves(take: string): () => void {
    let isOver = false;
    const wait = setTimeout(async () => {
      try {
        const [plots, steps, labels] = await Promise.all([api.takePlots(take), loadSteps(`take:${take}`), api.takeLabels(take)]);
        if (isOver) return;
        this.curves = { take, curves: readCurves(unpack(plots)), steps, labels };
        this.curvesProblem = "";
      } catch (error) {
        if (!isOver) this.curvesProblem = (error as Error).message;
      }
    }, PATIENCE);
    return () => {
      isOver = true;
      clearTimeout(wait);
    };
  }

  jointsOf(skeleton: string | null): number {
    return this.joints.get(skeleton ?? "") ?? 0;
  }

  colourOf = labelColour;

  readonly tracks = $derived.by((): Track[] => {
    const take = this.current;
    if (take === null || this.curves?.take !== take.name) return [];
    const { curves, steps, labels } = this.curves;
    return [...labelTracks(labels, take.fps, this.colourOf), ...curveTracks(curves, steps.contacts, take.fps)];
  });

  private change(selection: Selection): void {
    this.comparison = comparisonAfter(this.comparison, this.selection.current, selection.current);
    this.selection = selection;
  }

  private settle(before: readonly string[]): void {
    const now = new Set(this.takes.map((take) => take.name));
    if (this.wanted !== null && now.has(this.wanted)) {
      this.change(only(this.wanted));
      this.wanted = null;
    } else if (this.selection.current === null || !now.has(this.selection.current)) {
      const last = studio.document.library.take; // that was shown before, or that an undone step was applied to
      if (last !== null && now.has(last)) this.change(only(last));
      else if (this.selection.current !== null) this.change(keepThose(this.selection, before, now));
      else this.change(this.order.length > 0 ? only(this.order[0]) : NOTHING);
    } else this.change(keepThose(this.selection, before, now));
    if (this.comparison !== null && !now.has(this.comparison.beside)) this.comparison = null;
    if (this.cleaned !== null && !now.has(this.cleaned.made)) this.cleaned = null;
    chooseTake(this.selection.current);
  }
}

export const library = new Library();
