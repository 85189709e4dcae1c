/** What the driven character stands on: supports of the clips that it plays, where they were put down, by frames of the ride. */

import type { Support } from "../../motion/types";
import type { HubGraph, HubSupport } from "../../player";

const SUNK = 0.06; // metres by which a point may be below the top of what it stands on
const KEPT = 2; // seconds after its frames that a support is kept: the view shows it a little longer than feet stand on it

export class Below {
  supports: Support[]; // another list whenever a clip begins
  private begun: { clip: number; supports: readonly HubSupport[] }[] = [];
  private isFresh = true; // no clip has begun

  /** first: what the clips that may come have below the first frame. */
  constructor(
    private readonly graph: HubGraph,
    first: readonly HubSupport[],
  ) {
    this.supports = first.filter((support) => support.start === 0).map((support) => ({ ...support, stop: 1 }));
  }

  /** Metres: how high what is below a point at x, y and z is in a frame of the ride; 0 for the floor. */
  heightAt(x: number, y: number, z: number, frame: number): number {
    let height = 0;
    for (const { start, stop, centre, half, turn, top } of this.supports) {
      if (frame < start || frame >= stop || top > y + SUNK) continue;
      const [dx, dz] = [x - centre[0], z - centre[1]];
      const [c, s] = [Math.cos(turn), Math.sin(turn)];
      if (Math.abs(c * dx - s * dz) <= half[0] && Math.abs(s * dx + c * dz) <= half[1]) height = Math.max(height, top);
    }
    return height;
  }

  /** A clip has begun, with these supports in the world. */
  begin(clip: number, supports: readonly HubSupport[]): void {
    this.begun.push({ clip, supports });
  }

  /** Frames were played; those of the clip that is shown began with frame 0 at `first`. */
  follow(first: number, now: number): void {
    if (this.begun.length === 0) return;
    const { clips, fps } = this.graph;
    const kept = this.isFresh ? [] : this.supports.filter((support) => support.stop > now - KEPT * fps);
    const added: Support[] = [];
    for (let n = this.begun.length - 1, at = first; n >= 0; n--) {
      const { supports } = this.begun[n];
      added.push(...supports.map((support) => ({ ...support, start: support.start + at, stop: support.stop + at })));
      if (n > 0) at -= clips[this.begun[n - 1].clip].frames;
    }
    this.begun = [];
    this.isFresh = false;
    if (added.length > 0 || kept.length < this.supports.length) this.supports = [...kept, ...added];
  }
}
