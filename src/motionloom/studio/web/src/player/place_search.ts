/** The shortest graph walk to a place: best first over nodes and where they lie; as motionloom.methods.snap.play.place_search. */

import { CELL_HEADING, HEADING_TOLERANCE, HEURISTIC_WEIGHT, PLACE_EFFORT, PLACE_SECONDS, PLACE_TOLERANCE } from "./constants";
import { wrapAngle } from "./controls";
import type { HubGraph } from "./hubs_file";

export interface PlaceWishes {
  heading?: number | null; // radians, world, that the character should have there
  tolerance?: number; // metres that are near enough
  headingTolerance?: number; // radians that are near enough
  seconds?: number; // that it may take at most
  effort?: number; // placements that are looked at before the search gives up
}

/** A graph walk towards a place, and where it really ends. */
export interface PlaceWalk {
  clips: number[];
  seconds: number;
  x: number; // metres, world: where it ends
  z: number;
  heading: number; // radians, world
  distance: number; // metres from the place
  headingOff: number; // radians from the requested heading; 0 if none was given
  isReached: boolean; // near enough, in place and heading
  isShortest: boolean; // no graph walk is there sooner; false where the search was cut short
}

interface Tables {
  graph: HubGraph;
  offers: readonly (readonly number[])[];
}

interface Goal {
  x: number;
  z: number;
  heading: number | null;
  tolerance: number;
  headingTolerance: number;
}

interface Entry {
  before: number; // the entry it came from; -1: where it begins
  clip: number;
  node: number;
  frames: number;
  x: number;
  z: number;
  heading: number;
}

interface Found {
  miss: number; // metres outside the tolerance, and as many for radians
  entry: number;
}

/** Find the shortest graph walk to a place, or the one that comes nearest among those looked at. */
export function searchPlace(
  tables: Tables,
  node: number,
  placement: readonly number[],
  place: readonly number[],
  wishes: PlaceWishes,
): PlaceWalk {
  const { heading = null, tolerance = PLACE_TOLERANCE, headingTolerance = HEADING_TOLERANCE, seconds = PLACE_SECONDS, effort = PLACE_EFFORT } = wishes;
  const goal: Goal = { x: place[0], z: place[1], heading, tolerance, headingTolerance };
  const numbers = [goal.x, goal.z, heading ?? 0, tolerance, headingTolerance];
  if (!numbers.every(Number.isFinite) || tolerance <= 0 || headingTolerance <= 0) {
    throw new Error(`the place ${goal.x}, ${goal.z} cannot be gone to within ${tolerance} m; give finite numbers`);
  }
  const most = Math.min(seconds * tables.graph.fps + 1e-6, 1e9);
  const exact = new Pass(tables, goal, most, Math.floor(effort / 2), false);
  const found = exact.run(node, placement);
  if (found.miss > 0 && !exact.isExhausted) {
    const hurried = new Pass(tables, goal, most, effort - Math.floor(effort / 2), true);
    const other = hurried.run(node, placement);
    const isBetter = other.miss < found.miss || (other.miss === found.miss && hurried.framesOf(other) < exact.framesOf(found));
    if (isBetter) return hurried.walkOf(other, false);
  }
  return exact.walkOf(found, exact.isExhausted);
}

/** One search; what it has looked at is a list of entries that name the one they came from. */
class Pass {
  isExhausted = false; // nothing better is left to look at
  private readonly fastest: number; // metres per frame
  private readonly entries: Entry[] = [];
  private readonly ranks: number[] = []; // of each entry
  private readonly queue: number[] = []; // entries, a binary heap by rank, of equals the older one first
  private readonly seen = new Set<string>();

  constructor(
    private readonly tables: Tables,
    private readonly goal: Goal,
    private readonly most: number,
    private readonly effort: number,
    private readonly isHurried: boolean,
  ) {
    this.fastest = tables.graph.clips.reduce((fast, clip) => Math.max(fast, clip.controls.distance / clip.frames), 0);
  }

  /** Look at graph walks in their order until none can be better, or the effort is spent. */
  run(node: number, placement: readonly number[]): Found {
    const { clips } = this.tables.graph;
    const [x, z, heading] = placement;
    this.add({ before: -1, clip: -1, node, frames: 0, x, z, heading });
    let best: Found = { miss: this.missOf(this.entries[0]), entry: 0 };
    let left = this.effort;
    while (this.queue.length > 0) {
      const before = this.pop();
      const at = this.entries[before];
      if (best.miss === 0 && at.frames + this.framesLeft(at.x, at.z) >= this.framesOf(best)) {
        if (!this.isHurried) break; // whatever is still in the queue is there later
        continue;
      }
      const cos = Math.cos(at.heading);
      const sin = Math.sin(at.heading);
      for (const clip of this.tables.offers[at.node]) {
        if (left-- === 0) return best;
        const { placement: step, target, frames } = clips[clip];
        const next: Entry = {
          before,
          clip,
          node: target,
          frames: at.frames + frames,
          x: cos * step[0] + sin * step[1] + at.x,
          z: -sin * step[0] + cos * step[1] + at.z,
          heading: wrapAngle(at.heading + step[2]),
        };
        if (next.frames > this.most || this.wasSeen(next)) continue;
        const entry = this.add(next);
        const miss = this.missOf(next);
        if (miss < best.miss || (miss === best.miss && next.frames < this.framesOf(best))) best = { miss, entry };
      }
    }
    this.isExhausted = !this.isHurried;
    return best;
  }

  framesOf(found: Found): number {
    return this.entries[found.entry].frames;
  }

  /** The graph walk that ends with an entry. */
  walkOf(found: Found, isShortest: boolean): PlaceWalk {
    const end = this.entries[found.entry];
    const clips: number[] = [];
    for (let entry = found.entry; entry > 0; entry = this.entries[entry].before) clips.unshift(this.entries[entry].clip);
    const isReached = found.miss === 0;
    return {
      clips,
      seconds: end.frames / this.tables.graph.fps,
      x: end.x,
      z: end.z,
      heading: end.heading,
      distance: this.distance(end.x, end.z),
      headingOff: this.headingOff(end.heading),
      isReached,
      isShortest: isShortest && isReached,
    };
  }

  private distance(x: number, z: number): number {
    return Math.hypot(this.goal.x - x, this.goal.z - z);
  }

  private headingOff(heading: number): number {
    return this.goal.heading === null ? 0 : Math.abs(wrapAngle(heading - this.goal.heading));
  }

  private missOf(at: Entry): number {
    const off = Math.max(0, this.distance(at.x, at.z) - this.goal.tolerance);
    return off + Math.max(0, this.headingOff(at.heading) - this.goal.headingTolerance);
  }

  /** Frames that it takes at least from here. */
  private framesLeft(x: number, z: number): number {
    const away = Math.max(0, this.distance(x, z) - this.goal.tolerance);
    return this.fastest > 0 ? away / this.fastest : 0;
  }

  private wasSeen(at: Entry): boolean {
    if (!this.isHurried) return false;
    const cell = this.goal.tolerance / 2;
    const key = `${at.node} ${Math.floor(at.x / cell)} ${Math.floor(at.z / cell)} ${Math.floor(at.heading / CELL_HEADING)}`;
    if (this.seen.has(key)) return true;
    this.seen.add(key);
    return false;
  }

  private add(entry: Entry): number {
    const left = this.framesLeft(entry.x, entry.z);
    this.entries.push(entry);
    this.ranks.push(entry.frames + (this.isHurried ? HEURISTIC_WEIGHT * left : left));
    const number = this.entries.length - 1;
    let at = this.queue.push(number) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.isBefore(number, this.queue[above])) break;
      this.queue[at] = this.queue[above];
      at = above;
    }
    this.queue[at] = number;
    return number;
  }

  private pop(): number {
    const top = this.queue[0];
    const last = this.queue.pop()!;
    const size = this.queue.length;
    for (let at = 0; size > 0; ) {
      let below = 2 * at + 1;
      if (below + 1 < size && this.isBefore(this.queue[below + 1], this.queue[below])) below++;
      if (below >= size || !this.isBefore(this.queue[below], last)) {
        this.queue[at] = last;
        break;
      }
      this.queue[at] = this.queue[below];
      at = below;
    }
    return top;
  }

  private isBefore(a: number, b: number): boolean {
    return this.ranks[a] < this.ranks[b] || (this.ranks[a] === this.ranks[b] && a < b);
  }
}
