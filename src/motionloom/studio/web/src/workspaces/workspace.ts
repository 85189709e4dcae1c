/** The interface of a workspace. All functions read the state, so that what they return follows it. */

import type { Component } from "svelte";
import type { CastMember, WorkspaceName } from "../state.svelte";
import type { Actions } from "../shortcuts";
import type { DragPhase, Pen, Target, Waypoint } from "../view3d/types";
import type { TimelineEvents, Tool, Track } from "../widgets/timeline/types";
import type { Extras } from "../extras";
import type { Unpacked } from "../api/packing";
import type * as T from "../api/types";

/** What a take, or a clip of one, is dragged as. */
export const CLIP = "application/x-motionloom-clip";

/** What the timeline below the view shows. */
export interface TimelineContent extends TimelineEvents {
  length: number; // seconds
  fps: number;
  tracks: Track[];
  chosen: string | null; // track
  tools: Tool[]; // those that make sense here; none: only scrubbing
  tool: Tool;
  toolWords?: Partial<Record<Tool, string>>; // names of the tools here
  ontool?: (tool: Tool) => void;
  empty?: string; // shown if there are no tracks
  most?: number; // pixels: it needs no more height than this
}

/** What the view shows beside the cast. */
export interface SceneContent {
  waypoints?: Waypoint[];
  path?: [number, number][]; // metres on the ground
  targets?: Target[];
  extras?: Extras;
  lead?: number; // of the cast, whom the camera goes with; the main one if left out
  onwaypoint?: (id: string, x: number, z: number, heading: number | null, phase: DragPhase) => void;
  ontarget?: (id: string, position: [number, number, number], phase: DragPhase) => void;
  hasGrips?: boolean; // joints of the main character can be dragged; see `jointTarget`
  pen?: Pen | null;
  onstroke?: (points: [number, number, number][], seconds: number[], phase: DragPhase) => void;
  onselect?: (id: string | null) => void;
  onground?: (x: number, z: number) => void;
}

export interface Workspace {
  name: WorkspaceName;
  method?: string; // whose requests are made here; methods that no workspace is for get a generated one
  title: string;
  about: string; // one line, on hover
  icon: string; // path of an SVG, 24 x 24
  Panel: Component | null; // at the left of the view
  Inspector: Component;
  Overlay: Component | null; // floats over the view
  Below?: Component; // below the view, instead of tracks
  Setup?: Component; // renders nothing: effects that run while a corpus is open, in every workspace
  /** The characters that are shown. */
  cast(): CastMember[];
  timeline(): TimelineContent | null;
  scene(): SceneContent;
  /** What keys do while this workspace is open; see shortcuts.ts. */
  actions?: Actions;
  /** Messages of the server that are for this workspace. */
  onmessage?(message: T.FromServer): void;
  /** Binary messages that are no frames of motions. */
  onarrays?(message: Unpacked): void;
}
