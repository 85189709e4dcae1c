/** Events of the view, and the handlers that are registered for them. */

import type { ViewEvents } from "./types";

type Handlers = { [Name in keyof ViewEvents]: Set<ViewEvents[Name]> };

export class Announcer {
  private readonly handlers: Handlers = {
    pick: new Set(),
    hover: new Set(),
    waypoint: new Set(),
    target: new Set(),
    stroke: new Set(),
    select: new Set(),
    ground: new Set(),
    posed: new Set(),
  };

  /** Register a handler; returns the function that removes it. */
  on<Name extends keyof ViewEvents>(name: Name, handler: ViewEvents[Name]): () => void {
    this.handlers[name].add(handler);
    return () => this.handlers[name].delete(handler);
  }

  emit<Name extends keyof ViewEvents>(name: Name, ...args: Parameters<ViewEvents[Name]>): void {
    for (const handler of this.handlers[name]) (handler as (...args: unknown[]) => void)(...args);
  }

  clear(): void {
    for (const handlers of Object.values(this.handlers)) handlers.clear();
  }
}
