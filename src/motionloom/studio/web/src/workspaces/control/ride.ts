/**
 * One character on its way through a hub graph. The player goes on in whole frames of the graph and poses lie between
 * them; a frame allocates nothing, only a new clip or a new footprint does.
 */

import type { Pose, SkeletonData } from "../../motion/types";
import { type HubGraph, type Planner, Player, type PlayerEvent } from "../../player";
import { placeRoot, unitInto } from "../../player/posing";
import { Below } from "./below";
import { Soles } from "./soles";
import { GroundTrail } from "./trail";

const MOST_SECONDS = 0.25; // that one frame of the screen advances at most

export interface Rider {
  choose(): void; // another clip is about to begin: choose which
  begun(clip: number): void; // it has begun
  ended(): void; // nothing follows
}

export class Ride {
  readonly player: Player;
  readonly pose: Pose; // what is shown
  readonly soles: Soles;
  readonly trail: GroundTrail;
  readonly below: Below;
  frames = 0; // that were played

  constructor(
    readonly planner: Planner,
    private readonly rider: Rider,
  ) {
    const { skeleton } = planner.graph;
    this.player = new Player(planner, { onEvent: (event) => this.handle(event) });
    this.pose = poseOf(skeleton);
    this.soles = new Soles(skeleton);
    this.below = new Below(planner.graph, this.player.supports);
    this.player.writePose(this.pose.root, this.pose.rotations);
    this.trail = new GroundTrail(this.pose.root);
  }

  /** Seconds that were played. */
  get seconds(): number {
    return (this.frames + this.player.phase) / this.planner.graph.fps;
  }

  /** Radians, world: which way it goes, evenly along the clip. */
  get heading(): number {
    const { clip, frame, phase, heading } = this.player;
    if (clip < 0) return heading;
    const { frames, controls } = this.planner.graph.clips[clip];
    return heading + (controls.turn * (frame + phase)) / frames;
  }

  /** Go on for some seconds of its own time. */
  run(seconds: number): void {
    const { player, pose } = this;
    const steps = player.advance(Math.min(MOST_SECONDS, Math.max(0, seconds)));
    player.writePose(pose.root, pose.rotations);
    this.frames += steps;
    this.below.follow(this.frames - player.frame, this.frames);
    if (steps > 0) this.soles.note(player.contacts, pose, this.frames, this.heightAt);
    for (let n = 0; n < steps; n++) this.trail.note(pose.root);
  }

  private readonly heightAt = (x: number, y: number, z: number, frame: number): number => this.below.heightAt(x, y, z, frame);

  private handle(event: PlayerEvent): void {
    if (event.kind === "choice") this.rider.choose();
    else if (event.kind === "clip") {
      this.below.begin(event.clips[0], this.player.supports);
      this.rider.begun(event.clips[0]);
    } else if (event.kind === "end") this.rider.ended();
  }
}

export function poseOf(skeleton: Pick<SkeletonData, "names">): Pose {
  const rotations = new Float32Array(skeleton.names.length * 4);
  for (let n = 0; n < rotations.length; n += 4) rotations[n] = 1;
  return { root: new Float32Array(3), rotations };
}

/** Write one frame of a graph as a pose, put down where the node is that its clip leaves. */
export function placeFrame(graph: HubGraph, row: number, x: number, z: number, heading: number, out: Pose): void {
  for (let axis = 0; axis < 3; axis++) out.root[axis] = graph.roots[row * 3 + axis];
  const size = out.rotations.length;
  for (let k = 0; k < size; k += 4) unitInto(out.rotations, k, graph.rotations, row * size + k);
  placeRoot(out.root, out.rotations, x, z, heading);
}
