/** Decides what is played next: clips of a button, by the shortest graph walk, else the clip nearest to the stick. */

import { type GraphFacts, type Mapped, plainName } from "./mapping";
import type { ButtonId } from "./pads";
import { RESTING } from "./steering";

/** What is used of the player's planner. */
export interface Ways {
  nearestClip(node: number, control: { speed: number; curvature: number }, facing?: number, among?: readonly number[]): number;
  walkToNode(node: number, goal: number): readonly number[]; // throws where there is no way
  secondsOf(clips: readonly number[]): number;
}

export interface Asked {
  speed: number; // m/s
  curvature: number; // 1/m
}

const ALONG = 0.5; // share of the requested speed: slower clips do not follow the stick
const TURNING = 0.35; // radians of a clip that turns on the spot
const BRIEF = 3; // seconds: longer resting clips delay the answer to the stick

export class Pilot {
  private readonly leaving: number[][]; // clips to steer by, of each node
  private readonly resting: number[][]; // those of them that stay where they are, and are short
  private readonly turns = new Map<ButtonId | "rest", number>();

  constructor(
    private readonly graph: GraphFacts,
    private readonly buttons: readonly Mapped[],
    steered: readonly number[],
    private readonly ways: Ways,
  ) {
    this.leaving = graph.nodes.map((_, node) => steered.filter((c) => graph.clips[c].source === node));
    this.resting = this.leaving.map((clips) => toRest(graph, clips.filter((c) => graph.clips[c].speed < RESTING)));
  }

  /** The clips that the stick can choose from at a node. */
  offered(node: number): readonly number[] {
    return this.leaving[node] ?? [];
  }

  /** The clips up to the first that a button starts; null where none of its clips can be reached. */
  wayToButton(node: number, id: ButtonId, asked: Asked, isSteering: boolean): readonly number[] | null {
    const clips = this.buttons.find((button) => button.id === id)?.clips ?? [];
    const here = clips.filter((c) => this.graph.clips[c].source === node);
    if (here.length > 1 && !isSteering) return [here[(this.turns.get(id) ?? 0) % here.length]];
    if (here.length > 0) return [this.ways.nearestClip(node, asked, 0, here)];
    return this.shortest(node, clips);
  }

  /** The clips up to one of them, itself the last; null where it cannot be reached. */
  wayToClip(node: number, clip: number): readonly number[] | null {
    return this.shortest(node, [clip]);
  }

  /**
   * The clips that follow the stick. A released stick leads to standing clips; a stick that no clip here can follow, for
   * example in a fighting stance, leads to a hub with clips that can, and so does a hub without clips to steer by.
   */
  steer(node: number, asked: Asked): readonly number[] {
    const clips = this.leaving[node];
    if (asked.speed === 0) {
      const way = this.rest(node);
      if (way !== null) return way;
    }
    if (clips.length === 0) return this.shortest(node, this.leaving.flat()) ?? this.onward(node);
    const nearest = this.ways.nearestClip(node, asked, 0, clips);
    if (asked.speed === 0 || this.isAnswer(nearest, asked)) return [nearest];
    return this.shortest(node, this.leaving.flat().filter((c) => this.goesAlong(c, asked))) ?? [nearest];
  }

  /** A clip of a button, or a resting clip, has begun: next time it is another one's turn. */
  takeTurn(id: ButtonId | "rest"): void {
    this.turns.set(id, (this.turns.get(id) ?? 0) + 1);
  }

  /** "switch, then kick: 0.8 s": what comes before a button's clip, and when that begins. */
  describe(way: readonly number[], name: string, wait: number): string {
    const before = way.slice(0, -1).map((c) => this.nameOf(c));
    const seconds = (wait + this.ways.secondsOf(way.slice(0, -1))).toFixed(1);
    return before.length === 0 ? `${name}: ${seconds} s` : `${before.join(", ")}, then ${name}: ${seconds} s`;
  }

  /** A clip that stays here, each in turn, or the shortest walk to one. */
  private rest(node: number): readonly number[] | null {
    const here = this.resting[node];
    return here.length > 0 ? [here[(this.turns.get("rest") ?? 0) % here.length]] : this.shortest(node, this.resting.flat());
  }

  /** Whether a clip follows the stick: it goes fast enough, or turns that way on the spot. */
  private isAnswer(clip: number, asked: Asked): boolean {
    const { turn } = this.graph.clips[clip];
    return this.goesAlong(clip, asked) || (asked.curvature * turn > 0 && Math.abs(turn) > TURNING);
  }

  private goesAlong(clip: number, asked: Asked): boolean {
    return this.graph.clips[clip].speed >= Math.max(RESTING, asked.speed * ALONG);
  }

  private shortest(node: number, clips: readonly number[]): readonly number[] | null {
    let best: readonly number[] | null = null;
    let least = Infinity;
    for (const hub of new Set(clips.map((c) => this.graph.clips[c].source))) {
      const way = this.wayTo(node, hub);
      if (way === null) continue;
      const seconds = this.ways.secondsOf(way);
      if (seconds >= least) continue;
      least = seconds;
      best = [...way, clips.find((c) => this.graph.clips[c].source === hub) ?? -1];
    }
    return best;
  }

  private wayTo(node: number, hub: number): readonly number[] | null {
    try {
      return this.ways.walkToNode(node, hub);
    } catch {
      return null; // there is none
    }
  }

  private onward(node: number): readonly number[] {
    const clips = this.graph.clips.flatMap((clip, c) => (clip.source === node ? [c] : []));
    const going = clips.filter((c) => this.graph.nodes[this.graph.clips[c].target].kind === "hub");
    return (going.length > 0 ? going : clips).slice(0, 1);
  }

  private nameOf(clip: number): string {
    return this.buttons.find((button) => button.clips.includes(clip))?.name ?? plainName(this.graph.clips[clip].name);
  }
}

/**
 * Clips for idling: if there are some, those that come back to their hub, because no other hub was requested; of these
 * not the long ones, because input has no effect until a clip is over.
 */
function toRest(graph: GraphFacts, clips: readonly number[]): number[] {
  const back = clips.filter((c) => graph.clips[c].source === graph.clips[c].target);
  const staying = back.length > 0 ? back : clips;
  const least = Math.min(...staying.map((c) => graph.clips[c].seconds));
  return staying.filter((c) => graph.clips[c].seconds <= Math.max(BRIEF, least));
}
