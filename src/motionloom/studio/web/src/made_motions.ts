/** Motions that the page made itself, such as clips of a hub graph: the last ones are kept, so that they can be cast. */

import type * as T from "./api/types";
import { FrameStore } from "./motion/frames";

const MOST = 24; // that are kept beside those that are shown

export interface MadeMotion {
  motion: T.Motion;
  store: FrameStore;
  supports: T.SupportBox[];
}

/** All frames of a body, roots (n * 3) metres and rotations (n * J * 4) as whole numbers, or of points (n * K * 3) metres. */
export type MadeFrames = { roots: Float32Array; rotations: Int16Array } | { points: Float32Array };

const isAlike = (one: T.Motion, other: T.Motion): boolean =>
  one.frames === other.frames && one.skeleton === other.skeleton && one.points?.join() === other.points?.join();

export class MadeMotions {
  private readonly kept = new Map<string, MadeMotion>();

  get(id: string): MadeMotion | undefined {
    return this.kept.get(id);
  }

  has(id: string): boolean {
    return this.kept.has(id);
  }

  /** Keep a motion as the newest; true where one of the same id, length, skeleton and points was changed in its place. */
  keep(motion: T.Motion, frames: MadeFrames, supports: T.SupportBox[], isShown: (id: string) => boolean): boolean {
    const known = this.kept.get(motion.id);
    const isSame = known !== undefined && isAlike(known.motion, motion);
    const { store } = isSame ? known : { store: new FrameStore(motion) };
    if ("points" in frames) store.addPoints(0, frames.points);
    else store.add(0, frames.roots, frames.rotations);
    this.kept.delete(motion.id);
    this.kept.set(motion.id, { motion, store, supports });
    const old = [...this.kept.keys()].slice(0, -MOST).filter((id) => !isShown(id));
    for (const id of old) this.kept.delete(id);
    return isSame;
  }
}
