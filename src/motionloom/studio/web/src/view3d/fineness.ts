/** How finely the picture is drawn: coarser while it moves on a slow machine, always fine when it rests. */

const SLOW = 45; // milliseconds from one frame to the next
const SLOW_FRAMES = 6; // in a row, before it gets coarser
const COARSE = 0.7; // of the pixels along each side
const REST = 220; // milliseconds without a new frame

export class Fineness {
  factor = 1;
  private slow = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** onChange: the factor has changed, draw again. */
  constructor(private readonly onChange: () => void) {}

  /** A frame is about to be drawn, so many milliseconds after the one before; 0 if there was none just before. */
  note(milliseconds: number): void {
    this.slow = milliseconds > SLOW ? this.slow + 1 : 0;
    if (this.factor === 1 && this.slow >= SLOW_FRAMES) this.change(COARSE);
    if (this.factor === 1) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.change(1), REST);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private change(factor: number): void {
    this.factor = factor;
    this.slow = 0;
    this.onChange();
  }
}
