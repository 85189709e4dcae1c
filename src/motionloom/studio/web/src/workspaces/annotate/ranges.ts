/** Half-open ranges of frames, as motionloom.corpus.labels.frame_ranges has them. */

export type Range = [number, number]; // [start, stop)

/** Ranges that overlap or touch become one; sorted. */
export function joined(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const [start, stop] of [...ranges].sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = result.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], stop);
    else if (start < stop) result.push([start, stop]);
  }
  return result;
}

/** What is left of each of the ranges outside the holes. */
export function cutOut(ranges: readonly Range[], holes: readonly Range[]): Range[] {
  let left: Range[] = ranges.map((range) => [...range]);
  for (const [start, stop] of holes) {
    left = left.flatMap(([a, b]): Range[] => [
      [a, Math.min(b, start)],
      [Math.max(a, stop), b],
    ]);
    left = left.filter(([a, b]) => a < b);
  }
  return left;
}

/** What is left of each of the ranges inside the windows, which do not overlap. */
export function keptInside(ranges: readonly Range[], windows: readonly Range[]): Range[] {
  return ranges
    .flatMap(([a, b]) => windows.map(([start, stop]): Range => [Math.max(a, start), Math.min(b, stop)]))
    .filter(([a, b]) => a < b);
}

/** How many frames there are in ranges that do not overlap. */
export const framesIn = (ranges: readonly Range[]): number => ranges.reduce((sum, [a, b]) => sum + b - a, 0);
