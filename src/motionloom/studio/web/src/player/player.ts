/** Plays a hub graph: one placement and one index are all that changes; the same as motionloom.methods.snap.play.player. */

import { MOST_EVENTS } from "./constants";
import { type Control, steers, wrapAngle } from "./controls";
import type { HubGraph, HubSupport } from "./hubs_file";
import type { PlaceWalk, PlaceWishes } from "./place_search";
import { Planner } from "./planner";
import { placeRoot, placeSupport, unitInto, writeBetween } from "./posing";

/** Something happened at a node. */
export interface PlayerEvent {
  kind: "choice" | "clip" | "end"; // a clip can be chosen; one has begun; no clip leaves the node
  node: number;
  clips: readonly number[]; // that can be chosen; or the one that has begun
}

/** Where a character is in its graph and in the world. */
export interface PlayerState {
  node: number; // that the clip leaves, and seen from which its frames are
  clip: number; // being played; -1 while none has begun
  frame: number; // of the clip
  x: number; // metres, world: where the node lies
  z: number;
  heading: number; // radians, world
  route: readonly number[]; // clips that were decided on and come next
}

export interface PlayerOptions {
  start?: number | string | null; // number or name of a node, or name of the clip to begin with; else the first hub
  placement?: readonly number[]; // x, z in metres and heading in radians of that node, world
  onEvent?: ((event: PlayerEvent) => void) | null;
}

const MOST_SECONDS = 1; // that one call advances at most: a suspended page does not catch up

/**
 * One character that goes through a hub graph frame by frame.
 *
 * Steer it with `steer`, which holds until it is called again; `choose` and `goTo` ask for single things, which are
 * done once, as soon as the clip being played is over. Events wait in `takeEvents`, and `onEvent` is called for each at
 * once: what it chooses when a choice is due is done without a frame's delay.
 */
export class Player {
  readonly planner: Planner;
  readonly graph: HubGraph;
  control: Control = {};
  onEvent: ((event: PlayerEvent) => void) | null;
  isEnded = false;
  node = 0;
  clip = -1;
  frame = 0;
  /** Where the node lies in the world: metres, radians. */
  x = 0;
  z = 0;
  heading = 0;
  /** Part of a frame that has passed since the frame, 0 to 1: poses are between it and the next one. */
  phase = 0;
  private route: readonly number[] = [];
  private events: PlayerEvent[] = [];

  constructor(graph: HubGraph | Planner, options: PlayerOptions = {}) {
    this.planner = graph instanceof Planner ? graph : new Planner(graph);
    this.graph = this.planner.graph;
    this.onEvent = options.onEvent ?? null;
    const [x = 0, z = 0, heading = 0] = options.placement ?? [];
    const { node, route } = findStart(this.planner, options.start ?? null);
    this.restore({ node, clip: -1, frame: 0, x, z, heading: wrapAngle(heading), route });
  }

  get state(): PlayerState {
    const { node, clip, frame, x, z, heading, route } = this;
    return { node, clip, frame, x, z, heading, route };
  }

  /** Go back, or elsewhere: to a state that `state` gave. */
  restore(state: PlayerState): void {
    const { nodes, leaving } = this.graph;
    if (!nodes[state.node]) throw new Error(`node ${state.node} of a graph whose nodes are 0 to ${nodes.length - 1}`);
    if (leaving[state.node].length === 0) throw new Error(`no clip leaves node '${nodes[state.node].name}'; begin at another one`);
    this.node = state.node;
    this.clip = state.clip;
    this.frame = state.frame;
    this.x = state.x;
    this.z = state.z;
    this.heading = state.heading;
    this.route = state.route;
    this.phase = 0;
    this.isEnded = false;
  }

  /** The node at which the next choice is due. */
  get nextNode(): number {
    return this.clip < 0 ? this.node : this.graph.clips[this.clip].target;
  }

  /** The clips that can be chosen there. */
  get choices(): readonly number[] {
    return this.graph.leaving[this.nextNode];
  }

  /** What was decided on after the clip being played. */
  get coming(): readonly number[] {
    return this.route;
  }

  /** Frames that the clip being played still has, the one shown included; at 1 or 0 the next step begins another clip. */
  get framesToChoice(): number {
    return this.clip < 0 ? 0 : this.graph.clips[this.clip].frames - this.frame;
  }

  /** How long the clip being played still lasts. */
  get secondsToChoice(): number {
    return this.clip < 0 ? 0 : (this.graph.clips[this.clip].frames - this.frame - this.phase) / this.graph.fps;
  }

  /** Bits 0 to 3: planted left heel, left ball, right heel, right ball. */
  get contacts(): number {
    return this.graph.contacts[this.row];
  }

  /** What the feet of the clip being played stand on besides the floor, in its frames and placed in the world. */
  get supports(): readonly HubSupport[] {
    const clip = this.clip < 0 ? this.graph.leaving[this.node][0] : this.clip;
    return this.graph.clips[clip].supports.map((support) => placeSupport(support, this.x, this.z, this.heading));
  }

  /** The number of the frame that is shown, over all frames of the graph. */
  get row(): number {
    const clip = this.clip < 0 ? this.graph.leaving[this.node][0] : this.clip; // all clips of a hub begin with the same pose
    return this.graph.clips[clip].first + this.frame;
  }

  /** Go on by one frame. */
  step(): void {
    if (this.clip >= 0 && this.frame + 1 < this.graph.clips[this.clip].frames) {
      this.frame++;
      return;
    }
    const node = this.nextNode;
    const choices = this.graph.leaving[node];
    if (choices.length === 0) {
      if (!this.isEnded) this.emit({ kind: "end", node, clips: [] });
      this.isEnded = true;
      return;
    }
    this.emit({ kind: "choice", node, clips: choices });
    const after = this.arrive();
    const clip = this.decide(node, after[2]);
    this.node = node;
    this.clip = clip;
    this.frame = 0;
    [this.x, this.z, this.heading] = after;
    this.emit({ kind: "clip", node, clips: [clip] });
  }

  /**
   * Go on by a time, in steps of the graph's own rate; `writePose` then gives the pose between two frames. How many frames
   * were stepped.
   */
  advance(seconds: number): number {
    let steps = 0;
    if (this.clip < 0) {
      this.step();
      steps++;
    }
    if (seconds > 0) this.phase += Math.min(seconds, MOST_SECONDS) * this.graph.fps;
    while (this.phase >= 1) {
      this.phase -= 1;
      this.step();
      steps++;
    }
    if (this.isEnded) this.phase = 0;
    return steps;
  }

  /** Write how it looks now: (3) root in metres, world; (J * 4) rotations joint to parent, the root's to world. */
  writePose(root: Float32Array, rotations: Float32Array): void {
    const row = this.row;
    if (this.phase > 0) writeBetween(this.graph, row, this.clip, this.frame, this.phase, root, rotations);
    else {
      const { roots } = this.graph;
      for (let axis = 0; axis < 3; axis++) root[axis] = roots[row * 3 + axis];
      const size = rotations.length;
      for (let k = 0; k < size; k += 4) unitInto(rotations, k, this.graph.rotations, row * size + k);
    }
    placeRoot(root, rotations, this.x, this.z, this.heading);
  }

  /** Set the control until it is set again; without one: go on. */
  steer(control: Control = {}): void {
    for (const name of ["speed", "curvature", "turn", "direction", "heading"] as const) {
      const value = control[name];
      if (value != null && !Number.isFinite(value)) throw new Error(`a ${name} of ${value} cannot be steered by; give a finite number`);
    }
    if (control.word != null) this.planner.clipsFor(control.word); // throws, with the known names, if it is unknown
    this.control = control;
  }

  /** Do something once: an action, a label or a clip's name, by the shortest graph walk; the clips to come. */
  choose(word: string): readonly number[] {
    return this.follow(this.planner.walkTo(this.nextNode, word, this.control, this.arrive()[2]));
  }

  /** Go to a place, x and z in metres, by the shortest graph walk. */
  goTo(place: readonly number[], wishes: PlaceWishes = {}): PlaceWalk {
    const walk = this.planner.walkToPlace(this.nextNode, this.arrive(), place, wishes);
    this.follow(walk.clips);
    return walk;
  }

  /** Play these clips when the one being played is over. */
  follow(clips: readonly number[]): readonly number[] {
    let node = this.nextNode;
    for (const clip of clips) {
      if (this.graph.clips[clip]?.source !== node) throw new Error(`clip ${clip} does not leave node '${this.graph.nodes[node].name}'; it cannot come next`);
      node = this.graph.clips[clip].target;
    }
    this.route = [...clips];
    return this.route;
  }

  /** What has happened since this was called last. */
  takeEvents(): PlayerEvent[] {
    const events = this.events;
    this.events = [];
    return events;
  }

  /** Where the node lies to which the clip leads: x, z, heading, world. */
  arrive(): [x: number, z: number, heading: number] {
    if (this.clip < 0) return [this.x, this.z, this.heading];
    const [dx, dz, turn] = this.graph.clips[this.clip].placement;
    const c = Math.cos(this.heading);
    const s = Math.sin(this.heading);
    return [c * dx + s * dz + this.x, -s * dx + c * dz + this.z, wrapAngle(this.heading + turn)];
  }

  /** The route comes first, then the control's action, then the nearest clip, and without a control, as recorded. */
  private decide(node: number, heading: number): number {
    const { route, control, planner } = this;
    this.route = [];
    if (route.length > 0 && this.graph.clips[route[0]].source === node) {
      this.route = route.slice(1);
      return route[0];
    }
    if (control.word != null) {
      const walk = planner.findWalk(node, control.word, control, heading);
      if (walk.length > 0) return walk[0]; // the rest is found again at the next node, unless the control has changed
    }
    return steers(control) ? planner.nearestClip(node, control, heading) : planner.carryOn(node, this.clip);
  }

  private emit(event: PlayerEvent): void {
    if (this.events.length >= MOST_EVENTS) this.events.shift();
    this.events.push(event);
    this.onEvent?.(event);
  }
}

function findStart(planner: Planner, start: number | string | null): { node: number; route: number[] } {
  const { graph, isAlive } = planner;
  if (typeof start === "number") return { node: start, route: [] };
  if (start === null) {
    const alive = graph.leaving.findIndex((clips) => clips.some((c) => isAlive[c]));
    return { node: alive >= 0 ? alive : graph.clips[0].source, route: [] };
  }
  const node = graph.nodes.findIndex((named) => named.name === start);
  if (node >= 0) return { node, route: [] };
  const clip = planner.findClip(start);
  return { node: graph.clips[clip].source, route: [clip] };
}
