/** Motions as the page holds them: metres, seconds, y up, quaternions wxyz, as everywhere in motionloom. */

export interface SkeletonData {
  digest: string;
  names: string[];
  parents: number[]; // -1 for the root; parents come before children
  offsets: Float32Array; // (J * 3) metres, in the parent's frame
  roles: Record<string, number>; // "left_foot" -> joint
  ends: { parent: number; offset: [number, number, number] }[]; // tips of the last bones
}

/** The skinned body of a skeleton; see motionloom.body. */
export interface BodyData {
  digest: string; // of the skeleton
  vertices: Float32Array; // (V * 3) metres, bind pose
  normals: Float32Array; // (V * 3)
  triangles: Uint32Array; // (T * 3)
  joints: Uint16Array; // (V * 4)
  weights: Float32Array; // (V * 4)
  bindPositions: Float32Array; // (J * 3)
  bindRotations: Float32Array; // (J * 4) joint to world
}

/** One frame, or what lies between two. */
export interface Pose {
  root: Float32Array; // (3) metres, world
  rotations: Float32Array; // (J * 4) joint to parent
}

/** Something that can be played: a take of the corpus or an answer of a search. */
export interface MotionInfo {
  id: string; // "take:walk/normal_1", "answer:3"
  name: string; // for people
  kind: "body" | "points";
  fps: number;
  frames: number;
  floor: number; // metres: height of the floor under it
  skeleton: string | null; // digest
  points: string[] | null; // names, of a motion of points
}

export interface Footprint {
  side: "left" | "right";
  frame: number;
  outline: [number, number][]; // metres, x and z, once around
  height?: number; // metres above the floor of what it rests on, at the mean of its corners
  slope?: [number, number]; // of what it rests on, along x and z
}

/** Uneven ground: heights above the floor on a grid, a row for each step along its own x. */
export interface Terrain {
  origin: [number, number]; // metres, x and z
  spacing: [number, number]; // metres between heights along its own x and z
  turn: number; // radians about y
  heights: number[][];
}

/** A box that feet stand on in the frames [start, stop); heights are above the floor. */
export interface Support {
  centre: [number, number]; // metres, x and z
  half: [number, number]; // metres: half extents along its own x and z
  turn: number; // radians about y
  top: number;
  bottom: number;
  start: number;
  stop: number;
}
