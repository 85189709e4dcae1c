/** The timeline widget: one for all workspaces. Times are seconds; the page gives tracks and handles the events. */

export type StretchKind = "must" | "must_not" | "holds" | "proposed" | "verified" | "clip" | "piece" | "plain";

/** A stretch of a track, [start, stop) in seconds. */
export interface Stretch {
  id: string;
  start: number;
  stop: number;
  kind: StretchKind;
  text?: string; // written inside where it fits
  title?: string; // on hover
  colour?: string; // CSS; else by kind and track
  confidence?: number; // 0 to 1, drawn as opacity and pattern
  selected?: boolean;
  isMoment?: boolean; // it stands for its middle: a diamond of the same size however far the timeline is zoomed out
  fixed?: boolean; // stays where it is, though others of its track can be moved
  picture?: ImageBitmap; // drawn at its left where it fits
}

/** What is laid over a track: where its paint is met and missed. */
export interface Mark {
  start: number;
  stop: number; // equal to start for a moment
  kind: "met" | "missed" | "unknown" | "join" | "hard_join" | "contact" | "event";
  title?: string;
  isMoment?: boolean; // of a stretch that is one
}

export interface Track {
  id: string;
  name: string;
  colour: string;
  stretches: Stretch[];
  marks?: Mark[];
  paintable: boolean;
  movable?: boolean; // stretches can be dragged along and their edges moved
  /** Drawn as a curve instead of stretches; a value per frame. Angles wrap: they go on at the other end of the range. */
  plot?: { values: Float32Array; low: number; high: number; unit: string; wraps?: boolean };
  takesDrops?: boolean; // what is dropped anywhere on the timeline is meant for this one
  exchange?: string; // tracks with the same value exchange stretches
  height?: number; // pixels
  note?: string; // small, under the name
}

export type Tool = "must" | "must_not" | "erase" | "select";

export interface PaintGesture {
  track: string;
  start: number;
  stop: number;
  tool: Exclude<Tool, "select">;
  phase: "move" | "end" | "cancel";
}

export interface EdgeGesture {
  track: string;
  stretch: string;
  start: number;
  stop: number; // where the stretch would be
  to?: string; // the track that it would go to, where that is another one
  phase: "move" | "end" | "cancel";
}

export interface TimelineEvents {
  onpaint?: (gesture: PaintGesture) => void;
  onedge?: (gesture: EdgeGesture) => void;
  onselect?: (track: string | null, stretch: string | null) => void;
  /** Scrubbing; called for every pointer event. While it moves, playback should hold still until the end or cancel. */
  onseek?: (time: number, phase?: "move" | "end" | "cancel") => void;
  onloop?: (range: [number, number] | null) => void;
  ontrack?: (track: string) => void; // a track was chosen
  ondrop?: (track: string, time: number, data: DataTransfer) => void; // something was dropped onto it
  onlength?: (seconds: number, phase: "move" | "end" | "cancel") => void; // the end of the timeline was dragged
}

export interface TimelineData {
  length: number; // seconds
  fps: number;
  tracks: Track[];
  time: number; // the playhead
  loop: [number, number] | null;
  tool: Tool;
  chosen: string | null; // track
  snapping?: boolean; // true by default; Shift turns it off for a moment
  words?: Partial<Record<Tool, string>>; // names of the tools, if they are not must, must not and erase
}
