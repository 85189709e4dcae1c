/** Telling what happened in the view to whoever asked to hear it. */

import type { ViewEvents } from "./types";

type Handlers = { [Name in keyof ViewEvents]: Set<ViewEvents[Name]> };

export class Announcer {
  private readonly handlers: Handlers = {
    pick: new Set(),
    hover: new Set(),
    waypoint: new Set(),
    target: new Set(),
    select: new Set(),
    ground: new Set(),
    posed: new Set(),
  };

  /** Hear about something; returns how to stop hearing. */
  on<Name extends keyof ViewEvents>(name: Name, handler: ViewEvents[Name]): () => void {
    this.handlers[name].add(handler);
    return () => this.handlers[name].delete(handler);
  }

  tell<Name extends keyof ViewEvents>(name: Name, ...what: Parameters<ViewEvents[Name]>): void {
    for (const handler of this.handlers[name]) (handler as (...what: unknown[]) => void)(...what);
  }

  clear(): void {
    for (const handlers of Object.values(this.handlers)) handlers.clear();
  }
}
