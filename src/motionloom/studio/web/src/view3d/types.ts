/** What the 3D view shows, and its events. It knows nothing of workspaces: the page gives it what to draw. */

import type { BodyData, Footprint, Pose, SkeletonData, Support, Terrain } from "../motion/types";
import type { Subject } from "./camera";

export type { Subject };

export type CharacterStyle = "body" | "stick";

export const ACCENT = -1; // hue of a ghost of what is wished for

export interface CharacterSpec {
  id: string;
  skeleton: SkeletonData;
  body: BodyData | null; // null: a stick figure until it is there
  hue: number; // 0 for the first character, 1, 2 ... for the others; ACCENT for one that is only wished for
  style: CharacterStyle;
  floor: number; // metres; the character is drawn lower by this
  opacity: number; // 1, or less for ghosts and fading
}

/** How points are drawn: neighbours that are joined, the outlines of a face, and the azimuth of its front, radians. */
export interface PointLooks {
  links: [number, number][];
  triangles: [number, number, number][]; // of a face: its skin
  outlines: number[][]; // one point after another
  front: number | null; // null: no face
}

/** A cloud of named points, for takes without a skeleton. */
export interface PointsSpec {
  id: string;
  names: string[];
  looks: PointLooks | null; // null: points alone
  hue: number;
  floor: number;
  opacity: number;
}

/** A disc on the ground that can be dragged, with an arrow where it has a heading. */
export interface Waypoint {
  id: string;
  x: number;
  z: number;
  heading: number | null; // radians, 0 looks along +z, positive turns left (towards +x)
  aim?: number; // radians; without a heading, the selected one offers a pale arrow this way, which gives it one
  label: string; // such as "4.0 s"
  selected: boolean;
  met: boolean | null; // null: not known yet
}

/** A point in space that can be dragged, such as a hand's target. */
export interface Target {
  id: string;
  position: [number, number, number];
  label: string;
  selected: boolean;
  colour?: string; // CSS; the accent if left out
  isReached?: boolean; // grey: something is near it
  isFixed?: boolean; // it can be selected, not dragged
}

/** Where on the ground something can be had, and how soon: cells from a corner on, rows along z. */
export interface Reach {
  x: number; // metres, of the corner
  z: number;
  cell: number; // metres
  rows: number;
  columns: number;
  seconds: Float32Array; // (rows * columns); -1 for never
}

export interface Trail {
  id: string;
  joint: string; // shown name
  points: Float32Array; // (N * 3) metres, world, along the whole motion
  current: number; // index that is now
  colour: string;
}

/** What strokes are drawn on: the ground, or the plane through a point that faces the camera. */
export type Pen = { on: "ground" } | { on: "air"; through: [number, number, number] };

/** Where the camera of the view stands, and how it sees. */
export interface Lens {
  position: [number, number, number];
  look_at: [number, number, number];
  field_of_view: number; // degrees from the top to the bottom
}

export interface PickedJoint {
  character: string;
  joint: number;
}

const JOINT = "joint:";
export const jointTarget = (joint: string): string => JOINT + joint;
/** The joint that is dragged by itself, without a marker; null for a target. */
export const jointOfTarget = (id: string): string | null => (id.startsWith(JOINT) ? id.slice(JOINT.length) : null);

export type DragPhase = "start" | "move" | "end" | "cancel";

export interface ViewEvents {
  pick: (picked: PickedJoint | null) => void; // a click on a joint, or beside all
  hover: (picked: PickedJoint | null) => void;
  waypoint: (id: string, x: number, z: number, heading: number | null, phase: DragPhase) => void;
  target: (id: string, position: [number, number, number], phase: DragPhase) => void;
  stroke: (points: [number, number, number][], seconds: number[], phase: DragPhase) => void; // drawn with the pen
  select: (id: string | null) => void; // a click on a waypoint or target
  ground: (x: number, z: number) => void; // a double click on the ground
  posed: (id: string, stamp: number) => void; // a pose was handed to the renderer, for measuring
}

export interface ViewOptions {
  theme: "light" | "dark";
  subject: Subject; // a face has no ground under it, and a camera of its own
  grid: boolean;
  shadows: boolean;
  follow: string | null; // id of a character
  footprints: boolean;
}

export interface StudioView {
  setOptions(options: Partial<ViewOptions>): void;
  setCharacters(specs: CharacterSpec[]): void;
  setPoints(specs: PointsSpec[]): void;
  pose(id: string, pose: Pose): void;
  posePoints(id: string, positions: Float32Array): void;
  setGhosts(id: string, poses: Pose[]): void; // onion skins of a character
  setTrails(trails: Trail[]): void;
  setFootprints(id: string, prints: Footprint[], currentFrame: number): void;
  setSupports(id: string, supports: Support[], currentFrame: number, fps: number): void;
  setTerrain(id: string, terrain: Terrain | null): void; // uneven ground under a character
  setWaypoints(waypoints: Waypoint[]): void;
  setPath(points: [number, number][]): void; // a line on the ground through what is asked or played
  setTargets(targets: Target[]): void;
  setGrip(character: string | null): void; // whose joints can be dragged, as targets called `jointTarget(NAME)`
  setPen(pen: Pen | null): void; // with a pen, a drag draws
  lens(): Lens;
  pixelAt(place: [number, number, number]): [number, number] | null; // in the picture; null behind the camera
  lookThrough(lens: Lens): void; // stand there; the field of view stays
  setReach(reach: Reach | null): void; // shading on the ground
  groundAt(clientX: number, clientY: number): [number, number] | null; // metres; null beside the view, or above the horizon
  highlight(picked: PickedJoint | null): void;
  frameCharacter(id: string): void; // bring it into view, a face from the front
  azimuth(): number; // radians: from where the camera looks, 0 is from +z, a quarter turn from +x
  chase(heading: number | null): void; // the camera swings round behind a character with this heading; null: it stays where it is
  resize(): void;
  on<Name extends keyof ViewEvents>(name: Name, handler: ViewEvents[Name]): () => void;
  /**
   * For measuring: milliseconds of script that the last frames took, milliseconds from one frame to the next while it
   * kept drawing (which includes the renderer's own time), how many were drawn, and whether the picture is as it will
   * stay: nothing waits to be drawn, or to be drawn finer.
   */
  statistics(): { frameMilliseconds: number[]; betweenMilliseconds: number[]; drawn: number; rests: boolean };
  dispose(): void;
}
