/**
 * Sends requests to a method: the newest one wins. While something is dragged, the next request waits until the last
 * one has had a first answer, so that motions keep coming however fast the drag is.
 */

export interface AskerEvents<Request> {
  send: (request: Request, tag: string) => Promise<void>; // rejects with the reason
  failed: (error: Error, tag: string) => void;
}

export const PATIENCE = 1_500; // milliseconds that a request may stay without an answer while newer ones wait

export class Asker<Request> {
  tag = ""; // of the last request that was sent
  private next: Request | null = null;
  private isOpen = false; // the last request has no answer yet
  private timer: ReturnType<typeof setTimeout> | null = null;
  private count = 0;

  constructor(
    private readonly events: AskerEvents<Request>,
    private readonly page = Math.random().toString(36).slice(2, 8), // other windows have other tags
  ) {}

  /** Send now, or, while the request is still being dragged, as soon as the last one is answered. */
  ask(request: Request, isDragged: boolean): void {
    if (isDragged && this.isOpen) {
      this.next = request;
      return;
    }
    this.send(request);
  }

  /** The drag has ended: send the request that still waits. */
  hurry(): void {
    if (this.next !== null) this.send(this.next);
  }

  /** The last request has its first answer, or will have none. */
  answered(tag: string): void {
    if (tag !== this.tag) return;
    this.isOpen = false;
    this.clear();
    const { next } = this;
    this.next = null;
    if (next !== null) this.send(next);
  }

  /** Forget all requests. */
  stop(): void {
    this.next = null;
    this.isOpen = false;
    this.tag = "";
    this.clear();
  }

  private send(request: Request): void {
    this.next = null;
    this.isOpen = true;
    this.count += 1;
    const tag = `${this.page}-${this.count}`;
    this.tag = tag;
    this.clear();
    this.timer = setTimeout(() => this.answered(tag), PATIENCE);
    this.events.send(request, tag).catch((error: Error) => {
      if (tag === this.tag) this.events.failed(error, tag);
      this.answered(tag);
    });
  }

  private clear(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}
