/** The one state of the page. Everything is drawn from it; commands change the document and the corpus. */

import { EMPTY } from "./api/constants";
import type * as T from "./api/types";
import { loadPreferences, type Preferences, savePreferences } from "./preferences";
import type { HubGraph } from "./player";
import { isDark, likesDark } from "./theme";

export type WorkspaceName = T.Document["workspace"];
export type Connection = "connecting" | "open" | "lost";
export type Saving = "saved" | "saving" | "unsaved";

export interface Notice {
  id: number;
  kind: "info" | "good" | "warning" | "error";
  text: string;
  action?: { text: string; run: () => void };
}

/** One character, or cloud of points, in the view. The first is the main one. */
export interface CastMember {
  motion: string; // id: "take:NAME" or "answer:NUMBER"
  hue: number;
  isBeside?: boolean; // the second of a comparison: translucent
  isVersion?: boolean; // another version of what was shown before: time and view stay as they are
}

/** Whether two casts show the same. */
export function isSameCast(one: readonly CastMember[], other: readonly CastMember[]): boolean {
  const isSame = (a: CastMember, b: CastMember): boolean => a.motion === b.motion && a.hue === b.hue && !a.isBeside === !b.isBeside && !a.isVersion === !b.isVersion;
  return one.length === other.length && one.every((member, i) => isSame(member, other[i]));
}

/** A hub graph that was built: the bytes of its file, and what the player reads from them. */
export interface HeldHubs {
  bytes: ArrayBuffer;
  graph: HubGraph;
  requestDigest: string; // of what it was built from; see hubs.svelte.ts
}

/** Another program has changed the document on disk, and this page has something else to save. */
export interface OnDisk {
  sentence: string;
  isGone: boolean; // its files were deleted or renamed
}

export interface PickedName {
  motion: string;
  joint: string;
}

class Studio {
  session = $state.raw<T.Session | null>(null);
  connection = $state<Connection>("connecting");
  failure = $state(""); // why the page could not load

  /** What was authored; replaced whole, never changed in place. */
  document = $state.raw<T.Document>(EMPTY);
  /** What a gesture in progress would make of the document; null when there is none. */
  draft = $state.raw<T.Document | null>(null);
  documentName = $state("");
  documentNames = $state.raw<string[]>([]);
  isLoaded = $state(false);
  saving = $state<Saving>("saved");
  savingProblem = $state("");
  onDisk = $state.raw<OnDisk | null>(null); // what to decide before anything is saved
  past = $state.raw<T.CommandRecord[]>([]);
  future = $state.raw<T.CommandRecord[]>([]);
  isBusy = $state(false); // a command waits for the server

  /** Colours of labels, by their numbers in the palette; see palette.ts. */
  labelNumbers = $state.raw<Readonly<Record<string, number>>>({});

  /** What the server can make, and what can be asked for it. */
  methods = $state.raw<T.MethodDescription[]>([]);

  jobs = $state.raw<T.Job[]>([]);
  notices = $state.raw<Notice[]>([]);
  /** Counted up whenever the server reports a change. */
  revisions = $state({ takes: 0, labels: 0, proposals: 0 });

  /** Takes that a step is removing now: nothing about them is requested any more. */
  leaving = $state.raw<ReadonlySet<string>>(new Set());

  /** What is shown, and when. The player moves `time`. */
  cast = $state.raw<CastMember[]>([]);
  motions = $state.raw<Record<string, T.Motion>>({}); // of the cast, as soon as they are known
  time = $state(0);
  length = $state(0); // seconds of the main motion
  fps = $state(60);
  playing = $state(false);
  speed = $state(1);
  loop = $state.raw<[number, number] | null>(null); // the range that is played; null: all of it
  looping = $state(true); // from the end back to the start
  isLoading = $state(false); // frames at the playhead have not come yet

  /** The hub graph that is playable; it stays until a newer one is there. */
  hubs = $state.raw<HeldHubs | null>(null);

  preferences = $state<Preferences>(loadPreferences());
  systemIsDark = $state(likesDark());
  picked = $state.raw<PickedName | null>(null);
  trails = $state.raw<PickedName[]>([]); // joints whose trail is drawn
  isHelpOpen = $state(false);

  /** The document as it should be drawn now. */
  get shown(): T.Document {
    return this.draft ?? this.document;
  }

  get workspace(): WorkspaceName {
    return this.shown.workspace;
  }

  get isDark(): boolean {
    return isDark(this.preferences.theme, this.systemIsDark);
  }

  get canWrite(): boolean {
    return this.session?.corpus?.can_write ?? false;
  }

  /** Seconds of the main motion's frame. */
  get frame(): number {
    return Math.round(this.time * this.fps);
  }
}

export const studio = new Studio();

let nextNotice = 1;

/** Show a notice for a while; errors, and warnings with an action, stay until they are dismissed. */
export function notify(kind: Notice["kind"], text: string, action?: Notice["action"]): number {
  const id = nextNotice++;
  const kept = studio.notices.filter((notice) => notice.text !== text).slice(-4);
  studio.notices = [...kept, { id, kind, text, action }];
  const stays = kind === "error" || (kind === "warning" && action !== undefined);
  if (!stays) setTimeout(() => dismiss(id), action ? 12_000 : 5_000);
  return id;
}

export function dismiss(id: number): void {
  studio.notices = studio.notices.filter((notice) => notice.id !== id);
}

/** Change preferences; they are stored in this browser. */
export function prefer(changes: Partial<Preferences>): void {
  Object.assign(studio.preferences, changes);
  savePreferences($state.snapshot(studio.preferences));
}
