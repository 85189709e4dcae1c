/** When frames are drawn: only if something changed, at most once per frame of the screen; and how long they took. */

const REMEMBERED = 240; // frames

export class Clock {
  drawn = 0;
  passed = 0; // milliseconds from the frame before to this one; 0 if nothing was drawn just before
  private readonly took = new Float64Array(REMEMBERED);
  private readonly between = new Float64Array(REMEMBERED);
  private betweens = 0;
  private request = 0;
  private last = 0;
  private isRunning = false; // the frame before was drawn just before this one
  private wantedMore = false;
  private isStopped = false;

  /** draw: draws one frame, given the seconds since the last; true if it wants another. */
  constructor(private readonly draw: (seconds: number) => boolean) {}

  /** Something changed. */
  wake(): void {
    if (this.request === 0 && !this.isStopped) this.request = requestAnimationFrame(this.tick);
  }

  /** Draw at once, such as after a resize that emptied the picture. */
  drawNow(): void {
    if (this.isStopped) return;
    cancelAnimationFrame(this.request);
    this.request = 0;
    this.tick(performance.now());
  }

  /** Nothing waits to be drawn. */
  get rests(): boolean {
    return this.request === 0;
  }

  statistics(): { frameMilliseconds: number[]; betweenMilliseconds: number[]; drawn: number } {
    return {
      frameMilliseconds: Array.from(this.took.subarray(0, Math.min(this.drawn, REMEMBERED))),
      betweenMilliseconds: Array.from(this.between.subarray(0, Math.min(this.betweens, REMEMBERED))),
      drawn: this.drawn,
    };
  }

  stop(): void {
    this.isStopped = true;
    cancelAnimationFrame(this.request);
    this.request = 0;
  }

  private readonly tick = (time: number): void => {
    this.request = 0;
    const passed = Math.max(time - this.last, 0);
    const isRunning = this.wantedMore || passed < 500; // else nothing was drawn for a while
    if (isRunning && this.isRunning) this.between[this.betweens++ % REMEMBERED] = passed;
    this.passed = isRunning && this.isRunning ? passed : 0;
    this.isRunning = isRunning;
    this.last = time;
    const start = performance.now();
    const wantsMore = this.draw(Math.min(isRunning ? passed / 1000 : 1 / 60, 0.3)); // slow frames still arrive in time
    this.took[this.drawn++ % REMEMBERED] = performance.now() - start;
    this.wantedMore = wantsMore;
    if (wantsMore) this.wake();
  };
}
