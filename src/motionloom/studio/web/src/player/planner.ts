/** Which clip next: the nearest to a control, the shortest graph walks to an action or a place; as motionloom.methods.snap.play.planner. */

import { MOSTLY } from "./constants";
import { type Control, costOf, shareOf } from "./controls";
import type { HubGraph } from "./hubs_file";
import { type PlaceWalk, type PlaceWishes, searchPlace } from "./place_search";

/** A graph with the tables that choosing needs; they are computed once and never change. */
export class Planner {
  /** Clips after which one can go on for ever. */
  readonly isAlive: boolean[];
  /** Clips to choose from at each node: without dead ends where there are others. */
  readonly offers: number[][];
  /** Frames of the shortest graph walk from each node (row) to each hub; Infinity where there is none. */
  readonly framesTo: Float64Array[];
  private readonly following: number[]; // the clip that was recorded after each and goes on; -1: none
  private readonly meanings = new Map<string, number[]>();

  constructor(readonly graph: HubGraph) {
    this.isAlive = findAlive(graph);
    this.offers = graph.leaving.map((clips) => {
      const alive = clips.filter((c) => this.isAlive[c]);
      return alive.length > 0 ? alive : clips;
    });
    this.framesTo = measureFrames(graph);
    this.following = this.findFollowing();
  }

  /** The clips of a name: of an action, of a label that holds in most of their frames, or one clip's own. */
  clipsFor(word: string): number[] {
    const known = this.meanings.get(word);
    if (known) return known;
    const { actions, clips } = this.graph;
    let found = actions.find((action) => action.name === word)?.clips;
    if (!found) {
      found = clips.flatMap((clip, c) => (shareOf(clip, word) > MOSTLY ? [c] : []));
      if (found.length === 0) found = [this.findClip(word)];
    }
    const alive = found.filter((c) => this.isAlive[c]);
    const meant = alive.length > 0 ? alive : found;
    this.meanings.set(word, meant);
    return meant;
  }

  findClip(name: string): number {
    return find(name, this.graph.clips, "clip");
  }

  findNode(name: string): number {
    return find(name, this.graph.nodes, "node");
  }

  /** The clip that comes nearest to a control; of equals the one with the lowest number. `facing`: the node's heading, world. */
  nearestClip(node: number, control: Control, facing = 0, among: readonly number[] = this.offers[node]): number {
    if (among.length === 0) throw new Error(`no clip leaves node '${this.graph.nodes[node].name}'; there is nothing to choose`);
    let best = among[0];
    let least = Infinity;
    for (const c of among) {
      const cost = costOf(this.graph.clips[c], control, facing);
      if (cost < least) {
        least = cost;
        best = c;
      }
    }
    return best;
  }

  /** The clip to go on with without a control: as recorded, else the one most like the last. */
  carryOn(node: number, after = -1): number {
    if (after < 0) return this.nearestClip(node, {});
    if (this.following[after] >= 0) return this.following[after];
    const { speed, curvature } = this.graph.clips[after].controls;
    return this.nearestClip(node, { speed, curvature });
  }

  /** The shortest graph walk to a clip of an action, a label or a name; that clip is its last. */
  walkTo(node: number, word: string, control: Control = {}, facing = 0): number[] {
    const walk = this.findWalk(node, word, control, facing);
    if (walk.length === 0) throw new Error(`no way from node '${this.graph.nodes[node].name}' to '${word}'`);
    return walk;
  }

  /** As `walkTo`, but empty where there is no way. */
  findWalk(node: number, word: string, control: Control = {}, facing = 0): number[] {
    const { clips, hubs } = this.graph;
    const meant = this.clipsFor(word);
    const here = meant.filter((c) => clips[c].source === node);
    if (here.length > 0) return [this.nearestClip(node, control, facing, here)];
    let best = -1;
    let least = Infinity;
    for (const c of meant) {
      const { source } = clips[c];
      if (source < hubs && this.framesTo[node][source] < least) {
        least = this.framesTo[node][source];
        best = c;
      }
    }
    return best < 0 ? [] : [...this.walkToHub(node, clips[best].source), best];
  }

  /** The shortest graph walk to a node; empty where one is there. */
  walkToNode(node: number, goal: number): number[] {
    if (node === goal) return [];
    const { clips, hubs, nodes } = this.graph;
    if (goal < hubs && this.framesTo[node][goal] < Infinity) return this.walkToHub(node, goal);
    let best: number[] | null = null;
    let least = Infinity;
    clips.forEach((clip, c) => {
      if (clip.target !== goal || goal < hubs) return;
      const before = clip.source === node ? 0 : clip.source < hubs ? this.framesTo[node][clip.source] : Infinity;
      if (before + clip.frames >= least) return;
      least = before + clip.frames;
      best = clip.source === node ? [c] : [...this.walkToHub(node, clip.source), c];
    });
    if (best === null) throw new Error(`no way from '${nodes[node].name}' to '${nodes[goal].name}'`);
    return best;
  }

  /** The shortest graph walk that ends at a place, x and z in metres; see place_search.ts. */
  walkToPlace(node: number, placement: readonly number[], place: readonly number[], wishes: PlaceWishes = {}): PlaceWalk {
    return searchPlace(this, node, placement, place, wishes);
  }

  /** How long a graph walk lasts. */
  secondsOf(clips: readonly number[]): number {
    return clips.reduce((sum, c) => sum + this.graph.clips[c].frames, 0) / this.graph.fps;
  }

  private walkToHub(node: number, hub: number): number[] {
    const walk: number[] = [];
    for (let at = node; at !== hub; at = this.graph.clips[walk[walk.length - 1]].target) {
      let best = -1;
      let least = Infinity;
      for (const c of this.graph.leaving[at]) {
        const clip = this.graph.clips[c];
        const frames = clip.frames + this.framesTo[clip.target][hub];
        if (frames < least) {
          least = frames;
          best = c;
        }
      }
      walk.push(best);
    }
    return walk;
  }

  private findFollowing(): number[] {
    const { clips } = this.graph;
    const keyOf = (node: number, motion: string, frame: number) => `${node} ${frame} ${motion}`;
    const beginning = new Map<string, number>();
    clips.forEach((clip, c) => {
      if (this.isAlive[c]) beginning.set(keyOf(clip.source, clip.motion, clip.start), c);
    });
    return clips.map((clip) => beginning.get(keyOf(clip.target, clip.motion, clip.stop)) ?? -1);
  }
}

function find(name: string, all: readonly { name: string }[], what: string): number {
  const found = all.findIndex((named) => named.name === name);
  if (found >= 0) return found;
  const shown = all.slice(0, 5).map((named) => named.name).join(", ") + (all.length > 5 ? ", ..." : "");
  throw new Error(`no ${what} '${name}' in the graph; it has ${all.length}: ${shown}`);
}

/** The clips whose target node can be left again and again. */
function findAlive(graph: HubGraph): boolean[] {
  let alive = graph.nodes.map(() => true);
  for (;;) {
    const goesOn = graph.leaving.map((clips) => clips.some((c) => alive[graph.clips[c].target]));
    if (goesOn.every((isAlive, node) => isAlive === alive[node])) return graph.clips.map((clip) => alive[clip.target]);
    alive = goesOn;
  }
}

/** Frames from every node to every hub: along every clip again, until nothing gets shorter. */
function measureFrames(graph: HubGraph): Float64Array[] {
  const table = graph.nodes.map((_, node) => new Float64Array(graph.hubs).map((_, hub) => (hub === node ? 0 : Infinity)));
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (const { source, target, frames } of graph.clips) {
      for (let hub = 0; hub < graph.hubs; hub++) {
        const over = frames + table[target][hub];
        if (over < table[source][hub]) {
          table[source][hub] = over;
          hasChanged = true;
        }
      }
    }
  }
  return table;
}
