/** The state of the Direct workspace: the search, the motion that follows the hand, and what is selected. */

import * as api from "../../api/client";
import type { Unpacked } from "../../api/packing";
import type * as T from "../../api/types";
import { sendMessage } from "../../session";
import { stage } from "../../stage.svelte";
import { type CastMember, studio } from "../../state.svelte";
import type { Tool } from "../../widgets/timeline/types";
import { Asker } from "../method/asking";
import { MethodSearch } from "../method/search.svelte";
import { takeLines } from "../method/take_list.svelte";
import { PosePalette } from "../poses/palette.svelte";
import { type Entry, entryOf, hasChanged, type Outcome, outcomeOf } from "./demands";
import { type Kind, kindOf } from "./kinds";
import { keepLive, type Live, showLive } from "./live";
import { pairNames } from "./pair_names.svelte";
import type { Picture } from "./pictures";
import { Questions } from "./questions";
import { lengthAsked } from "./times";

/** What a drag in the view does. */
export type Mode = "drag" | "ground" | "air";

/** What is seen of a motion that is edited: as it was, as it is, or both. */
export type Comparing = "after" | "before" | "both";

const PAUSE = 40; // milliseconds without a drag event until it does
const MORE = 4; // times that a motion that misses something goes on towards it, while nothing else is asked

class DirectState {
  readonly search = new MethodSearch("dynamics", 0);
  readonly poses = new PosePalette();

  director = $state.raw<T.Director | null>(null); // the model that answers drags
  job = $state.raw<T.Job | null>(null); // its preparation
  problem = $state(""); // why there is no model
  live = $state.raw<Live | null>(null); // the motion that follows the hand, until a search has settled
  liveFor = $state(""); // the request that it answers, as text
  why = $state(""); // why the hand is not followed
  before = $state.raw<string | null>(null); // id of the motion that stays as a ghost
  held = $state.raw<{ id: string; index: number } | null>(null); // the pin that is dragged, and its name in the view

  carried = $state.raw<{ card: T.PoseCard; place: [number, number] } | null>(null); // a pose over the floor
  pictures = $state.raw<Readonly<Record<string, Picture>>>({}); // that were loaded, by the names of their cameras
  picture = $state<string | null>(null); // the one that is shown

  mode = $state<Mode>("drag");
  joint = $state<string | null>(null); // that is pinned, or drawn with, by keyboard
  selected = $state<string | null>(null); // id of an entry
  track = $state<string | null>(null);
  tool = $state<Tool>("select");
  comparing = $state<Comparing>("after");
  wantedKind = $state<Kind>("body"); // of a new motion
  resting = $state.raw<T.Footprints["contacts"]>({}); // frames in which points of feet rest in the motion of the search

  readonly request = $derived(studio.shown.direct.request);
  readonly isBlank = $derived(isBlank(this.request));
  private readonly kindAsked = $derived(kindOf(this.request, { bodies: takeLines.all.map(({ name }) => name), points: takeLines.points.map(({ name }) => name) }));
  readonly chosen = $derived(entryIn(this.request, this.selected));
  readonly fps = $derived(this.request.fps);
  readonly takes = $derived([...takeLines.all, ...takeLines.points]);
  readonly kind = $derived(this.kindAsked ?? this.wantedKind);
  readonly isPoints = $derived(this.kind === "points");
  readonly parts = $derived<readonly T.ReportPart[]>(this.live?.header.parts ?? this.search.answer?.parts ?? []);
  private readonly reportedFor = $derived(this.live === null ? this.search.answered : this.liveFor); // that `parts` tell about, as text
  private readonly reported = $derived(this.reportedFor === "" ? null : (JSON.parse(this.reportedFor) as T.DirectRequest));
  /** Frames of the motion: those that play, else those that are asked for. */
  readonly frames = $derived(this.live?.header.frames ?? this.search.answer?.frames ?? lengthAsked(this.request, this.takes));
  readonly frame = $derived(Math.max(0, Math.min(this.frames - 1, Math.round(studio.time * this.fps))));

  private readonly asker = new Asker<T.DirectRequest>({
    send: (request, tag) => {
      this.questions.ask(tag, JSON.stringify(request));
      sendMessage({ type: "drag", tag, request });
      return Promise.resolve();
    },
    failed: (error) => (this.why = error.message),
  });
  private readonly questions = new Questions();
  private pause: ReturnType<typeof setTimeout> | undefined;
  private more = MORE; // times that the same may be asked again
  private tag = "";
  private count = 0;

  get cast(): CastMember[] {
    const { live, before, search, comparing, request } = this;
    const playing: CastMember[] = live === null ? search.cast : [{ motion: live.motion, hue: 0 }];
    const source = this.takes.find(({ name }) => name === request.start_from)?.name;
    if (playing.length === 0) return source === undefined ? [] : [{ motion: `take:${source}`, hue: 0 }]; // until the first answer
    if (before !== null) return [...playing.slice(0, 1), { motion: before, hue: 0, isBeside: true }];
    if (source === undefined || comparing === "after") return playing;
    if (comparing === "before") return [{ motion: `take:${source}`, hue: 1, isVersion: true }];
    return [...playing, { motion: `take:${source}`, hue: 1, isBeside: true }];
  }

  /** How well an entry is met; null while that is not known. */
  outcome(entry: Entry): Outcome | null {
    return this.isPending(entry) ? null : outcomeOf(this.request, entry, this.parts);
  }

  /** Whether an entry was changed and the answer to that has not come; what is dragged keeps the last one meanwhile. */
  isPending(entry: Entry): boolean {
    return studio.draft === null && hasChanged(this.request, this.reported, entry);
  }

  /** Get a model ready for what is asked now. */
  async askDirector(): Promise<void> {
    this.problem = "";
    const tag = `${Math.random().toString(36).slice(2, 8)}-${++this.count}`;
    this.tag = tag;
    try {
      this.job = await api.getDirector({ tag, request: studio.document.direct.request });
    } catch (error) {
      this.problem = (error as Error).message;
    }
  }

  /**
   * Let the motion follow what is asked now. It is sent at once: the server leaves out what it has not begun when a newer
   * question comes, and begins with the newest as soon as it can.
   */
  follow(request: T.DirectRequest): void {
    if (JSON.stringify(request) === this.liveFor) return;
    this.more = MORE;
    clearTimeout(this.pause);
    this.asker.ask(request, false);
  }

  /** Where on the ground the body is now. */
  groundNow(): [number, number] {
    const [x, , z] = stage.placeOf("hips") ?? [0, 0, 0];
    return [Number(x.toFixed(3)), Number(z.toFixed(3))];
  }

  /** The motion as it is now stays as a ghost while something is dragged. */
  keepGhost(): void {
    this.before = this.live === null ? (this.search.answer?.characters[0]?.motion ?? null) : keepLive(this.live).motion;
  }

  /** A search has settled on what is asked: it plays from now on. */
  settle(): void {
    clearTimeout(this.pause);
    this.live = null;
    this.liveFor = "";
  }

  receive(message: T.FromServer): void {
    this.search.receive(message);
    this.poses.receive(message);
    if (message.type === "director" && message.tag === this.tag) {
      this.director = message.director;
      pairNames.known = message.director.distances;
      if (!this.isBlank) this.wantedKind = message.director.kind;
      this.problem = "";
    } else if (message.type === "job" && message.job.id === this.job?.id) {
      this.job = message.job;
      if (message.job.state === "failed") this.problem = message.job.error;
    } else if (message.type === "not_dragged" && message.tag === this.asker.tag) {
      this.why = message.error;
      this.asker.answered(message.tag);
    }
  }

  receiveMotion(message: Unpacked): void {
    const header = message.header as unknown as T.Dragged;
    const answered = header.type === "dragged" ? this.questions.answer(header.tag) : null;
    if (answered === null) return;
    this.asker.answered(header.tag); // the next one is on its way while this one is drawn
    this.live = showLive(message, this.director?.looks ?? null);
    this.liveFor = answered;
    this.why = "";
    clearTimeout(this.pause);
    if (header.parts.every(({ met }) => met)) this.more = MORE;
    else if (this.more-- > 0) this.pause = setTimeout(() => this.asker.ask(studio.shown.direct.request, true), PAUSE);
  }

  forget(): void {
    clearTimeout(this.pause);
    this.asker.stop();
    this.questions.forget();
    this.search.forget();
    this.poses.forget();
    this.director = null;
    this.live = this.before = this.held = this.carried = this.picture = null;
    this.liveFor = this.why = this.problem = "";
    this.selected = this.joint = null;
    this.mode = "drag";
    this.comparing = "after";
  }
}

/** Whether nothing is asked. */
function isBlank(request: T.DirectRequest): boolean {
  const { poses, points, orientations, angles, distances, projections, contacts, root } = request;
  const lists = [poses, points, orientations, angles, distances, projections, contacts, root];
  return request.start_from == null && request.contacts_like == null && lists.every((list) => list.length === 0);
}

function entryIn(request: T.DirectRequest, id: string | null): Entry | null {
  const entry = entryOf(id);
  return entry !== null && entry.index < request[entry.list].length ? entry : null;
}

export const directState = new DirectState();
