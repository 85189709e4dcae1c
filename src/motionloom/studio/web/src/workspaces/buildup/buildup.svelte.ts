/** The state of the build-up workspace: the palette, where characters stand, and the pose that is tried. */

import * as api from "../../api/client";
import type { Unpacked } from "../../api/packing";
import type * as T from "../../api/types";
import { castOf } from "../../commands/edit_buildup";
import { NO_EXTRAS } from "../../extras";
import { sendMessage } from "../../session";
import { studio } from "../../state.svelte";
import type { Reach } from "../../view3d/types";
import { MethodSearch } from "../method/search.svelte";
import { PosePalette } from "../poses/palette.svelte";
import { poseOf } from "../poses/poses";
import { Browsing } from "./browsing";
import { extrasOf } from "./ghost";
import type { Near } from "./nearness";

const GROWING = 150; // milliseconds that a tree may need to grow

/** A pose that is tried out: where it should be and which way it should look; null: wherever it is soonest. */
export interface Wish {
  card: T.PoseCard;
  place: [number, number] | null;
  heading: number | null; // degrees
  seconds: number | null; // about how long it should take
}

/** A way as it was found, with what is drawn of it. */
export interface ShownWay extends T.FoundWay {
  path: Float32Array; // (N * 2) metres
  root: Float32Array;
  rotations: Float32Array;
}

/** A joint of another character that is aimed at, where it is now. */
export interface ShownJointHit {
  index: number; // of the hit
  position: [number, number, number]; // metres
  metres: number; // from the hand or foot that shall hit it
}

/** Joints of a body, and the roles that some of them have. */
export interface Joints {
  names: readonly string[];
  roles: Readonly<Record<string, number>>;
}

class BuildupState {
  readonly search = new MethodSearch("buildup");

  readonly poses = new PosePalette();
  problem = $state(""); // why nothing can be reached

  character = $state(0); // that is built up
  standings = $state.raw<readonly (T.Standing | null)[]>([]); // of each character; null: not known yet
  wish = $state.raw<Wish | null>(null);
  isDragged = $state(false); // the wish follows a pointer
  ways = $state.raw<readonly ShownWay[]>([]); // to the wish, the best first
  choice = $state(0); // the one that is shown
  whyNot = $state("");
  isChoosing = $state(false); // the way of a step is being chosen for a hit
  selected = $state<string | null>(null); // id of a stretch, or of a prop
  distances = $state.raw<readonly (Near | null)[]>([]); // of each prop, in the pose that is shown
  jointHits = $state.raw<readonly ShownJointHit[]>([]); // joints of others that are aimed at, in the poses that are shown
  joints = $state.raw<Joints>({ names: [], roles: {} }); // of the body
  reach = $state.raw<Reach | null>(null);
  /** Seconds from which on the motion plays as soon as it is there; null: it plays on as it does. */
  playFrom = $state<number | null>(null);

  readonly request = $derived(studio.shown.buildup.request);
  readonly props = $derived(studio.shown.buildup.props);
  readonly cast = $derived(castOf(this.request));
  readonly built = $derived(this.cast[this.character] ?? this.cast[0]);
  readonly standing = $derived(this.standings[this.character] ?? null);
  readonly shownWay = $derived(this.ways[this.choice] ?? this.ways[0] ?? null);
  readonly isBlank = $derived(this.cast.every((built) => built.steps.length === 0 && built.start_from === null));

  /** What is drawn of the pose that is tried. */
  readonly extras = $derived(this.wish === null ? NO_EXTRAS : extrasOf(this.ways, this.shownWay, this.reach, this.poses.looks));

  get palette(): T.PosePalette | null {
    return this.poses.value;
  }
  get cards(): T.PoseCard[] {
    return this.poses.cards;
  }

  /** Called when it is known again where the characters stand. */
  arrived: () => void = () => {};

  private readonly browsing = new Browsing({ send: (message) => sendMessage(message) });
  private asked = 0;

  /** Try a pose; the ways there come as soon as they are found. */
  aim(wish: Wish): void {
    const isOther = this.wish?.card !== wish.card;
    this.wish = wish;
    if (isOther) {
      this.reach = null;
      this.ways = [];
    }
    this.browse();
  }

  /** Try nothing any more. */
  drop(): void {
    this.browsing.stop();
    this.wish = this.reach = null;
    this.ways = [];
    this.choice = 0;
    this.whyNot = "";
    this.isDragged = false;
  }

  /** Learn where the characters stand; a pose that is tried is tried from there. */
  async askStandings(): Promise<void> {
    const number = ++this.asked;
    const request = studio.document.buildup.request;
    try {
      const found = await Promise.all(castOf(request).map((_, character) => api.findStanding({ request, character })));
      if (number !== this.asked) return;
      this.standings = found;
      this.character = Math.min(this.character, found.length - 1);
      this.problem = "";
      this.arrived();
      if (this.wish !== null) this.browse();
      if (!found.every((standing) => standing.is_whole)) setTimeout(() => number === this.asked && void this.askStandings(), GROWING);
    } catch (error) {
      if (number !== this.asked) return;
      this.standings = [];
      this.problem = (error as Error).message;
    }
  }

  receive(message: T.FromServer): void {
    this.search.receive(message);
    if (this.poses.receive(message)) {
      this.problem = "";
      void this.askStandings();
    } else if (message.type === "not_browsed" && this.browsing.answered(message.tag)) {
      this.ways = [];
      this.whyNot = message.error;
    }
  }

  receiveWays(unpacked: Unpacked): void {
    const { header, arrays, shapes } = unpacked;
    const found = header as unknown as T.Browsed;
    if (found.type !== "browsed" || !this.browsing.answered(found.tag) || this.wish === null) return;
    if (!found.is_known) return void this.askStandings();
    const ways = waysOf(unpacked);
    const isSame = isSameWay(ways[0], this.ways[0]);
    if (!isSame) this.choice = 0;
    this.ways = isSame && ways.length < this.ways.length ? this.ways : ways;
    this.whyNot = found.why_not;
    if (found.reach) this.reach = { ...found.reach, rows: shapes.reach[0], columns: shapes.reach[1], seconds: arrays.reach as Float32Array };
  }

  forget(): void {
    this.drop();
    this.search.forget();
    this.poses.forget();
    this.standings = [];
    this.character = 0;
    this.problem = "";
    this.selected = null;
  }

  private browse(): void {
    const { wish, standing } = this;
    if (wish === null || standing === null) return;
    this.browsing.ask({ key: standing.key, pose: poseOf(wish.card), place: wish.place, heading: wish.heading, seconds: wish.seconds, edits: [] });
  }
}

/** The ways of an answer, with what is drawn of them. */
export function waysOf({ header, arrays }: Unpacked): ShownWay[] {
  return (header as unknown as T.Browsed).ways.map((way, n) => ({
    ...way,
    path: arrays[`path${n}`] as Float32Array,
    root: arrays[`root${n}`] as Float32Array,
    rotations: arrays[`rotations${n}`] as Float32Array,
  }));
}

function isSameWay(one?: T.FoundWay, other?: T.FoundWay): boolean {
  return one !== undefined && other !== undefined && JSON.stringify(one.clips) === JSON.stringify(other.clips);
}

export const buildupState = new BuildupState();
