/**
 * Asks for ways while a pose is dragged: the newest place wins, and one question is under way at a time, so that none
 * waits behind another. When the drag pauses, the same is asked once more for the other ways and the shading.
 */

import type * as T from "../../api/types";

export type Query = Pick<T.Browse, "key" | "place" | "heading" | "seconds" | "edits"> & { pose: T.Pose };

export interface BrowsingEvents {
  send(message: T.Browse): void;
}

export const PAUSE = 40; // milliseconds without a drag event until more is asked for
export const OTHERS = 4; // ways, with the best
const PATIENCE = 3_000; // milliseconds that an answer may take before the next question is sent all the same
const PATIENCE_IN_THE_MIDDLE = 30_000; // the same for a bridge, which takes longer to find

export class Browsing {
  tag = ""; // of the last question
  private wanted: Query | null = null;
  private next: Query | null = null;
  private isOpen = false;
  private isWhole = false; // the last question was for other ways too
  private shaded = ""; // last pose and pose whose shading is there
  private pause: ReturnType<typeof setTimeout> | undefined;
  private patience: ReturnType<typeof setTimeout> | undefined;
  private count = 0;

  constructor(
    private readonly events: BrowsingEvents,
    private readonly page = Math.random().toString(36).slice(2, 8), // other windows have other tags
  ) {}

  ask(query: Query): void {
    this.wanted = query;
    clearTimeout(this.pause);
    if (this.isOpen) this.next = query;
    else this.send(query, false);
  }

  /** The answer to a question has come, or will not: true where it is the newest there is. */
  answered(tag: string): boolean {
    if (tag !== this.tag) return false;
    this.close();
    if (this.next !== null) this.send(this.next, false);
    else if (!this.isWhole && this.wanted?.edits.length === 0) this.pause = setTimeout(() => this.wanted !== null && this.send(this.wanted, true), PAUSE);
    return true;
  }

  /** Nothing is dragged any more. */
  stop(): void {
    this.wanted = this.next = null;
    this.tag = this.shaded = "";
    clearTimeout(this.pause);
    this.close();
  }

  private send(query: Query, isWhole: boolean): void {
    const shading = `${query.key} ${JSON.stringify(query.pose)}`;
    const shades = isWhole && shading !== this.shaded;
    if (shades) this.shaded = shading;
    this.next = null;
    this.isWhole = isWhole;
    this.isOpen = true;
    this.count += 1;
    const tag = `${this.page}-${this.count}`;
    this.tag = tag;
    this.patience = setTimeout(() => this.answered(tag), query.edits.length === 0 ? PATIENCE : PATIENCE_IN_THE_MIDDLE);
    this.events.send({ type: "browse", tag, ...query, count: isWhole ? OTHERS : 1, shades });
  }

  private close(): void {
    this.isOpen = false;
    clearTimeout(this.patience);
  }
}
