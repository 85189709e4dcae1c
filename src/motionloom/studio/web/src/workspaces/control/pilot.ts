/** Decides what is played next: what a button asks, by the shortest graph walk, else the clip nearest to the stick. */

import { type GraphFacts, type Mapped, plainName } from "./mapping";
import type { ButtonId } from "./pads";
import { RESTING } from "./steering";

/** What is asked of the player's planner. */
export interface Ways {
  nearestClip(node: number, control: { speed: number; curvature: number }, facing?: number, among?: readonly number[]): number;
  walkToNode(node: number, goal: number): readonly number[]; // throws where there is no way
  secondsOf(clips: readonly number[]): number;
}

export interface Asked {
  speed: number; // m/s
  curvature: number; // 1/m
}

export class Pilot {
  private readonly leaving: number[][]; // clips to steer by, of each node
  private readonly resting: number[][]; // those of them that stay where they are
  private readonly turns = new Map<ButtonId | "rest", number>();

  constructor(
    private readonly graph: GraphFacts,
    private readonly buttons: readonly Mapped[],
    steered: readonly number[],
    private readonly ways: Ways,
  ) {
    this.leaving = graph.nodes.map((_, node) => steered.filter((c) => graph.clips[c].source === node));
    this.resting = this.leaving.map((clips) => clips.filter((c) => graph.clips[c].speed < RESTING));
  }

  /** The clips that the stick can choose from at a node. */
  offered(node: number): readonly number[] {
    return this.leaving[node] ?? [];
  }

  /** The clips up to the first that a button starts; null where none of its clips can be reached. */
  wayToButton(node: number, id: ButtonId, asked: Asked, isSteering: boolean): readonly number[] | null {
    const clips = this.buttons.find((one) => one.id === id)?.clips ?? [];
    const here = clips.filter((c) => this.graph.clips[c].source === node);
    if (here.length > 1 && !isSteering) return [here[(this.turns.get(id) ?? 0) % here.length]];
    if (here.length > 0) return [this.ways.nearestClip(node, asked, 0, here)];
    return this.shortest(node, clips);
  }

  /** The clips up to one of them, itself the last; null where it cannot be reached. */
  wayToClip(node: number, clip: number): readonly number[] | null {
    return this.shortest(node, [clip]);
  }

  /** What the stick asks for. Where nothing leaves a node that could be steered by, the way to where something does. */
  steer(node: number, asked: Asked): readonly number[] {
    const clips = this.leaving[node];
    const resting = this.resting[node];
    if (asked.speed === 0 && resting.length > 0) return [resting[(this.turns.get("rest") ?? 0) % resting.length]];
    if (clips.length > 0) return [this.ways.nearestClip(node, asked, 0, clips)];
    const way = this.shortest(node, this.leaving.flat());
    return way ?? this.onward(node);
  }

  /** A clip of a button has begun, or one to rest: next time it is another one's turn. */
  takeTurn(id: ButtonId | "rest"): void {
    this.turns.set(id, (this.turns.get(id) ?? 0) + 1);
  }

  /** "switch, then kick: 0.8 s": what comes before a button's clip, and when that begins. */
  describe(way: readonly number[], name: string, wait: number): string {
    const before = way.slice(0, -1).map((c) => this.wordOf(c));
    const seconds = (wait + this.ways.secondsOf(way.slice(0, -1))).toFixed(1);
    return before.length === 0 ? `${name}: ${seconds} s` : `${before.join(", ")}, then ${name}: ${seconds} s`;
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

  private wordOf(clip: number): string {
    return this.buttons.find((one) => one.clips.includes(clip))?.name ?? plainName(this.graph.clips[clip].name);
  }
}
