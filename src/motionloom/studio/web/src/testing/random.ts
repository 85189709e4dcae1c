/** Random numbers for tests: the same every time. */
export class Random {
  constructor(private seed = 7) {}

  /** From 0 to 1. */
  next(): number {
    this.seed = (Math.imul(this.seed, 1664525) + 1013904223) >>> 0;
    return this.seed / 2 ** 32;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high));
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.whole(0, values.length)];
  }

  quaternion(): [number, number, number, number] {
    const parts = [0, 0, 0, 0].map(() => this.between(-1, 1));
    const length = Math.hypot(...parts) || 1;
    return parts.map((part) => part / length) as [number, number, number, number];
  }
}
