// Made by `python -m motionloom.studio.server.client` from the server's messages and routes; do not edit.

/** What was chosen for labelling. */
export interface AnnotatePart {
  vocabulary: string[];
  take: string | null;
  classifier: "usual" | "paper";
  kernel: "laplace" | "gauss" | "both" | null;
  gamma: number | null;
}

/** The page wants frames [start, stop) of a motion. */
export interface AskFrames {
  type: "frames";
  motion: string;
  start: number;
  stop: number;
}

/** The page wants a job to stop. */
export interface CancelJob {
  type: "cancel";
  job: number;
}

/** Something was changed, here or by another page. */
export interface ChangeTold {
  type: "changed";
  what: "takes" | "labels" | "proposals" | "document" | "session";
  revision: number;
}

/** One step of the history: plain values that undo and redo need. */
export interface CommandRecord {
  kind: string;
  title: string;
  args: unknown;
  memory: unknown;
}

/** A corpus that can be opened. */
export interface CorpusEntry {
  name: string;
  takes: number;
  seconds: number;
}

/** Which corpus to open or make. */
export interface CorpusName {
  name: string;
}

/** All that a person authored. */
export interface Document {
  workspace: "library" | "annotate" | "timeline";
  library: LibraryPart;
  annotate: AnnotatePart;
  timeline: TimelinePart;
}

/** Which document to open, make or rename to. */
export interface DocumentName {
  name: string;
}

/** The document as it is saved: what was authored, and how it came about. */
export interface DocumentState {
  name: string;
  revision: number;
  content: Document;
  past: CommandRecord[];
  future: CommandRecord[];
  problem: string;
  names: string[];
}

/** Nothing to tell but that it was done. */
export interface Done {
  ok: boolean;
}

/** Where one foot rested. */
export interface Footprint {
  side: "left" | "right";
  frame: number;
  outline: ([number, number])[];
}

/** A frame, or a clip, of a take that has to be played at a time. */
export interface ForcedFrames {
  at: string;
  take: string;
  frame: number | null;
  start: number | null;
  stop: number | null;
}

export type FromPage = AskFrames | CancelJob | Ping;

export type FromServer = JobTold | ChangeTold | Refused | Pong;

/** Work that takes longer than a moment. */
export interface Job {
  id: number;
  kind: string;
  title: string;
  state: "waiting" | "running" | "done" | "failed" | "cancelled";
  done: number;
  total: number;
  note: string;
  error: string;
  can_cancel: boolean;
  quiet: boolean;
}

/** How far a job is. */
export interface JobTold {
  type: "job";
  job: Job;
}

/** What was chosen in the library. */
export interface LibraryPart {
  take: string | null;
}

/** What there is to know about a motion before its frames come. */
export interface Motion {
  id: string;
  name: string;
  kind: "body" | "points";
  fps: number;
  frames: number;
  floor: number;
  skeleton: string | null;
  points: string[] | null;
}

/** The corpus that is open. */
export interface OpenCorpus {
  name: string;
  takes: number;
  seconds: number;
  can_write: boolean;
  reason: string;
}

/** A stretch of one label track: there the label must hold, or must not. */
export interface Paint {
  label: string;
  from: string;
  to: string;
  value: "must" | "must_not";
}

/** The page asks whether anybody is there. */
export interface Ping {
  type: "ping";
}

/** Where on the ground to be at a time, and facing which way. */
export interface Place {
  at: string;
  position: [number, number] | null;
  heading: number | null;
  weight: number;
}

/** Somebody is there. */
export interface Pong {
  type: "pong";
}

/** What every refused request gets. */
export interface Problem {
  error: string;
}

/** Something that a page asked for over the socket could not be done. */
export interface Refused {
  type: "refused";
  error: string;
  motion: string;
}

/** Everything that is asked of one motion. */
export interface Request {
  length: string;
  labels: Paint[];
  frames: ForcedFrames[];
  places: Place[];
  alpha: number;
  fps: number;
  takes: string[] | null;
  start_from: string | null;
}

/** What a page wants to be saved. */
export interface SaveDocument {
  name: string;
  revision: number;
  content: Document;
  past: CommandRecord[];
  future: CommandRecord[];
}

/** A document is on the disk. */
export interface Saved {
  revision: number;
}

/** How things stand when a page opens. */
export interface Session {
  version: string;
  corpus: OpenCorpus | null;
  can_choose: boolean;
  home: string;
  endings: string[];
  upload_limit: number;
}

/** A skeleton for drawing. */
export interface Skeleton {
  digest: string;
  names: string[];
  parents: number[];
  offsets: ([number, number, number])[];
  roles: Record<string, number>;
  ends: SkeletonEnd[];
}

/** The tip of a last bone. */
export interface SkeletonEnd {
  parent: number;
  offset: [number, number, number];
}

/** Where the feet of a motion rest. */
export interface Steps {
  footprints: Footprint[];
  contacts: Record<string, ([number, number])[]>;
}

/** What was painted and placed. */
export interface TimelinePart {
  tracks: string[];
  request: Request;
}
