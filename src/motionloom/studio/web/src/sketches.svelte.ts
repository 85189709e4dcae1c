/** Sketches of takes for lists and palettes: requested as they come into sight, some at a time, and kept. */

import { SvelteMap } from "svelte/reactivity";
import * as api from "./api/client";
import type * as T from "./api/types";

const PAUSE = 60; // milliseconds in which more may be wanted
const AT_ONCE = 40; // in one request, the newest first
const WAITING = 240; // of what a list has scrolled past, the oldest are given up
const KEPT = 1500;

interface Wish {
  key: string;
  take: string;
  frame: number | null;
  revision: number;
}

type Ask = (wanted: T.WantedSketch[]) => Promise<(T.Sketch | null)[]>;

const ask: Ask = async (wanted) => (await api.sketches({ wanted })).sketches;
const keyOf = (take: string, frame: number | null): string => (frame === null ? take : `${take}\n${frame}`);

export class Sketches {
  private readonly known = new SvelteMap<string, T.Sketch | null>();
  private readonly revisions = new Map<string, number>(); // of the takes when each was requested
  private wanted: Wish[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private turn = 0;
  private isAsking = false;

  constructor(private readonly request: Ask = ask) {}

  /** What there is of a take, or of one of its frames; undefined until it has come, null where there is none. */
  of(take: string, frame: number | null = null): T.Sketch | null | undefined {
    return this.known.get(keyOf(take, frame));
  }

  /** It is about to be seen; what there is of takes that have changed since is shown until the newer one comes. */
  want(take: string, frame: number | null, revision: number): void {
    const key = keyOf(take, frame);
    if (this.revisions.get(key) === revision) return;
    this.wanted = [...this.wanted.filter((wish) => wish.key !== key), { key, take, frame, revision }].slice(-WAITING);
    this.timer ??= setTimeout(() => void this.send(), PAUSE);
  }

  /** Names mean other takes now. */
  forget(): void {
    this.turn++;
    this.known.clear();
    this.revisions.clear();
    this.wanted = [];
  }

  private async send(): Promise<void> {
    this.timer = undefined;
    if (this.isAsking || this.wanted.length === 0) return;
    const { turn } = this;
    const wanted = this.wanted.splice(-AT_ONCE);
    this.isAsking = true;
    try {
      const found = await this.request(wanted.map(({ take, frame }) => ({ take, frame })));
      if (turn === this.turn) wanted.forEach((wish, n) => this.keep(wish, found[n]));
    } catch {
      // a list goes without; what comes into sight again is asked again
    } finally {
      this.isAsking = false;
      if (this.wanted.length > 0) this.timer ??= setTimeout(() => void this.send(), PAUSE);
    }
  }

  private keep({ key, revision }: Wish, sketch: T.Sketch | null): void {
    this.revisions.set(key, revision);
    this.known.delete(key);
    this.known.set(key, sketch);
    for (const old of this.known.keys()) {
      if (this.known.size <= KEPT) return;
      this.known.delete(old);
      this.revisions.delete(old);
    }
  }
}

export const sketches = new Sketches();
