/** An LRU cache for the frames of several motions, within a budget of memory. */

import { FrameStore } from "./frames";
import type { MotionInfo } from "./types";

const MEGABYTE = 1024 * 1024;

export class FrameCache {
  private readonly stores = new Map<string, FrameStore>(); // least recently used first
  private shown: ReadonlySet<string> = new Set();
  private readonly aged = new Set<string>(); // held since before takes were changed

  constructor(readonly budget: number = 192 * MEGABYTE) {}

  get bytes(): number {
    let bytes = 0;
    for (const store of this.stores.values()) bytes += store.bytes;
    return bytes;
  }

  /** The store of a motion, a new one if it is not held; now the most recently used. */
  open(info: MotionInfo): FrameStore {
    const held = this.stores.get(info.id);
    const isSame = held && held.info.frames === info.frames && held.info.fps === info.fps && held.info.skeleton === info.skeleton;
    const isFresh = this.shown.has(info.id) || !this.aged.has(info.id);
    const store = isSame && isFresh ? held : new FrameStore(info);
    if (store !== held) this.aged.delete(info.id);
    this.stores.delete(info.id);
    this.stores.set(info.id, store);
    return store;
  }

  /** The store of a motion, for frames that arrive; null if it is no longer cached. */
  get(id: string): FrameStore | null {
    return this.stores.get(id) ?? null;
  }

  has(id: string): boolean {
    return this.stores.has(id);
  }

  /** Pin the motions on the screen; the rest of the budget is for motions that were shown before. */
  keep(ids: Iterable<string>): void {
    this.shown = new Set(ids);
  }

  /** Takes have changed: a name may mean other frames now, so what is not on the screen is asked for again. */
  age(): void {
    for (const id of this.stores.keys()) this.aged.add(id);
  }

  clear(): void {
    this.stores.clear();
    this.aged.clear();
  }

  /** Get back into the budget after frames have arrived; long motions on the screen keep what is near the time. */
  trim(time: number): void {
    let bytes = this.bytes;
    for (const [id, store] of this.stores) {
      if (bytes <= this.budget) return;
      if (this.shown.has(id)) continue;
      this.stores.delete(id);
      bytes -= store.bytes;
    }
    const share = this.budget / Math.max(1, this.stores.size);
    for (const store of this.stores.values()) if (bytes > this.budget) store.shrink(time, share);
  }
}
