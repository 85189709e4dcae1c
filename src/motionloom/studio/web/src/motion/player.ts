/**
 * Plays a motion: time, speed, loop, and a crossfade when a better answer arrives. The time is computed from the clock
 * and one anchor, never summed up, so it does not drift.
 */

import { screenClock, type Clock } from "./clock";
import { mixInto } from "./frames";
import type { Pose } from "./types";

/** Something that has poses: a `FrameStore`, or a test. */
export interface PoseSource {
  readonly info: { id: string; fps: number; frames: number; skeleton: string | null };
  readonly length: number; // seconds
  poseAt(time: number, out: Pose): boolean;
}

export const FADE = 0.25; // seconds
export const SLOWEST = 0.1;
export const FASTEST = 2;
const PAUSED_BY_BROWSER = 1000; // milliseconds without a frame: the page was in the background

export class Player {
  private clock: Clock;
  private at = 0; // seconds, at the anchor
  private anchor = 0; // milliseconds of the clock
  private lastTick = 0;
  private request = 0;
  private isHeld = false;
  private current: PoseSource | null = null;
  private coming: PoseSource | null = null; // the old one plays until its frames are there
  private comingLength = 0; // seconds that it will play
  private leaving: PoseSource | null = null;
  private fadeStart = 0;
  private scratch: Pose | null = null;
  private _playing = false;
  private _speed = 1;
  private _loop: [number, number] | null = null;
  private _looping = true;
  private _length = 0;
  private readonly frameListeners = new Set<(player: Player) => void>();

  constructor(clock: Clock = screenClock) {
    this.clock = clock;
  }

  get time(): number {
    return this._playing && !this.isHeld ? this.timeAt(this.lastTick) : this.at;
  }
  get playing(): boolean {
    return this._playing;
  }
  get speed(): number {
    return this._speed;
  }
  get loop(): [number, number] | null {
    return this._loop;
  }
  get looping(): boolean {
    return this._looping;
  }
  get length(): number {
    return this._length;
  }
  get motion(): PoseSource | null {
    return this.current;
  }
  /** The motion that will be shown as soon as its frames are there: ask for them. */
  get next(): PoseSource | null {
    return this.coming;
  }
  get isFading(): boolean {
    return this.leaving !== null || this.coming !== null;
  }

  /** Called once per screen frame while something moves, and after every change. */
  onFrame(listener: (player: Player) => void): () => void {
    this.frameListeners.add(listener);
    return () => this.frameListeners.delete(listener);
  }

  play(): void {
    if (this._playing || this._length <= 0) return;
    const [start, stop] = this.range();
    const isAtEnd = this.at >= stop - 1e-6 || (this._looping && this._loop !== null && this.at < start);
    this.moveTo(isAtEnd ? start : this.at);
    this._playing = true;
    this.wake();
  }

  pause(): void {
    if (!this._playing) return;
    this.at = this.time; // what is on the screen, not what would come next
    this._playing = false;
    this.emitFrame();
  }

  toggle(): void {
    if (this._playing) this.pause();
    else this.play();
  }

  /** Go to a time; playing goes on from there. */
  seek(time: number): void {
    this.moveTo(Math.max(0, Math.min(this._length, time)));
    this.emitFrame();
  }

  /** A whole number of frames further; stands on a frame afterwards. */
  step(frames: number): void {
    const fps = this.current?.info.fps ?? 60;
    const last = Math.max(0, Math.round(this._length * fps) - 1);
    const frame = Math.floor(this.time * fps + 1e-4) + frames;
    this.seek(Math.max(0, Math.min(last, frame)) / fps);
  }

  /** While the playhead is dragged, the clock does not move it. */
  hold(): void {
    this.at = this.time;
    this.isHeld = true;
  }

  release(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    this.moveTo(this.at);
    this.emitFrame();
  }

  setSpeed(speed: number): void {
    this.reanchor();
    this._speed = Math.max(SLOWEST, Math.min(FASTEST, speed));
    this.emitFrame();
  }

  setLoop(range: [number, number] | null): void {
    this.reanchor();
    this._loop = range && this.withinLength(range);
    this.emitFrame();
  }

  setLooping(isOn: boolean): void {
    this.reanchor();
    this._looping = isOn;
    this.emitFrame();
  }

  /** For timelines that are longer or shorter than their motion. */
  setLength(seconds: number): void {
    this.reanchor();
    this.at = Math.min(this.at, Math.max(0, seconds));
    this._length = Math.max(0, seconds);
    this._loop = this._loop && this.withinLength(this._loop);
    this.emitFrame();
  }

  /**
   * Play another motion. The time stays where it can. With `crossfade`, the old motion goes on until the new one has its
   * frames, then they blend; otherwise, and for another skeleton, it changes at once. `seconds`: how long it plays, where
   * others go on while it stands still in its last pose.
   */
  show(source: PoseSource | null, options: { crossfade?: boolean; seconds?: number } = {}): void {
    const seconds = options.seconds ?? source?.length ?? 0;
    if (source === this.current && !this.coming) return;
    this.comingLength = seconds;
    const canFade = source?.info.skeleton && source.info.skeleton === this.current?.info.skeleton;
    if (options.crossfade && source && canFade) this.coming = source === this.current ? null : source;
    else {
      this.current = source;
      this.coming = this.leaving = null;
      this.setLength(seconds);
    }
    this.wake();
  }

  /** The pose now, blended while one motion goes over into another; false while frames are missing. */
  pose(out: Pose): boolean {
    const now = this.clock.now();
    this.beginFade(now, out);
    if (!this.current) return false;
    const isThere = this.current.poseAt(this.time, out);
    if (!this.leaving) return isThere;
    const part = (now - this.fadeStart) / 1000 / FADE;
    if (part >= 1) {
      this.leaving = null;
      return isThere;
    }
    const old = this.scratchLike(out);
    this.leaving.poseAt(this.time, old);
    blendPoses(old, out, ease(part), out);
    return isThere;
  }

  dispose(): void {
    this.clock.cancel(this.request);
    this.request = 0;
    this.frameListeners.clear();
  }

  private beginFade(now: number, like: Pose): void {
    if (!this.coming || this.leaving) return; // one fade at a time: a third motion waits for its end
    if (!this.coming.poseAt(Math.min(this.time, this.coming.length), this.scratchLike(like))) return;
    this.leaving = this.current;
    this.current = this.coming;
    this.coming = null;
    this.fadeStart = now;
    if (Math.abs(this.comingLength - this._length) > 1e-9) this.setLength(this.comingLength);
  }

  private scratchLike(pose: Pose): Pose {
    if (this.scratch?.rotations.length !== pose.rotations.length) {
      this.scratch = { root: new Float32Array(3), rotations: new Float32Array(pose.rotations.length) };
    }
    return this.scratch;
  }

  private range(): [number, number] {
    return this._looping && this._loop ? this._loop : [0, this._length];
  }

  private withinLength([start, stop]: [number, number]): [number, number] | null {
    const [from, to] = [Math.max(0, start), Math.min(this._length, stop)];
    return to - from > 1e-3 ? [from, to] : null;
  }

  /** The time at a moment of the clock: a function of the anchor alone. */
  private timeAt(now: number): number {
    const run = (Math.max(0, now - this.anchor) / 1000) * this._speed;
    const [start, stop] = this.range();
    const time = this.at + run;
    if (!this._looping) return Math.min(time, this._length);
    if (this.at < start || this.at > stop) return start + (run % Math.max(1e-3, stop - start));
    if (time < stop) return time;
    return start + ((time - start) % Math.max(1e-3, stop - start));
  }

  private moveTo(time: number): void {
    this.at = time;
    this.anchor = this.lastTick = this.clock.now();
  }

  /** Count from the last frame shown: changes in quick succession, as of a dragged loop, cost no time. */
  private reanchor(): void {
    this.at = this.time;
    this.anchor = this.lastTick;
  }

  private emitFrame(): void {
    for (const listener of this.frameListeners) listener(this);
    this.wake();
  }

  private wake(): void {
    if (this.request === 0) {
      if (!this._playing) this.lastTick = this.clock.now();
      this.request = this.clock.request(this.tick);
    }
  }

  private readonly tick = (now: number): void => {
    this.request = 0;
    const gap = now - this.lastTick;
    // A page that was hidden goes on where it was left, not where it would be.
    if (gap > PAUSED_BY_BROWSER) this.anchor += gap;
    this.lastTick = now;
    const hasEnded = this._playing && !this.isHeld && !this._looping && this.timeAt(now) >= this._length;
    if (hasEnded) {
      this.at = this._length;
      this._playing = false;
    }
    for (const listener of this.frameListeners) listener(this);
    if (this._playing || this.isFading) this.wake();
  };
}

/** Between two poses: the root straight, rotations the short way. `out` may be either of them. */
export function blendPoses(from: Pose, to: Pose, part: number, out: Pose): void {
  for (let axis = 0; axis < 3; axis++) out.root[axis] = from.root[axis] + (to.root[axis] - from.root[axis]) * part;
  for (let k = 0; k < out.rotations.length; k += 4) mixInto(out.rotations, k, from.rotations, k, to.rotations, k, part);
}

function ease(part: number): number {
  const x = Math.max(0, Math.min(1, part));
  return x * x * (3 - 2 * x);
}
