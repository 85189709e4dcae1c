/** Motions that the page made itself, such as clips of a hub graph: the last ones are kept, so that they can be cast. */

import type * as T from "./api/types";
import { FrameStore } from "./motion/frames";

const MOST = 24; // that are kept beside those that are shown

export interface MadeMotion {
  motion: T.Motion;
  store: FrameStore;
  supports: T.SupportBox[];
}

export class MadeMotions {
  private readonly kept = new Map<string, MadeMotion>();

  get(id: string): MadeMotion | undefined {
    return this.kept.get(id);
  }

  has(id: string): boolean {
    return this.kept.has(id);
  }

  /** Keep a motion as the newest; true where one of the same id, length and skeleton was changed in its place. */
  keep(motion: T.Motion, roots: Float32Array, rotations: Int16Array, supports: T.SupportBox[], isShown: (id: string) => boolean): boolean {
    const known = this.kept.get(motion.id);
    const isSame = known?.motion.frames === motion.frames && known.motion.skeleton === motion.skeleton;
    const { store } = isSame ? known : { store: new FrameStore(motion) };
    store.add(0, roots, rotations);
    this.kept.delete(motion.id);
    this.kept.set(motion.id, { motion, store, supports });
    const old = [...this.kept.keys()].slice(0, -MOST).filter((id) => !isShown(id));
    for (const id of old) this.kept.delete(id);
    return isSame;
  }
}
