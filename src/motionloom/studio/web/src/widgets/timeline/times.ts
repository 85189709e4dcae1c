/** Times as people read them. */

/** "00:03.4": minutes, seconds and tenths, never rounded up to what has not come yet. */
export function clockTime(seconds: number): string {
  const tenths = Math.floor(Math.max(0, seconds) * 10 + 1e-6);
  const minutes = Math.floor(tenths / 600);
  const rest = tenths - minutes * 600;
  return `${String(minutes).padStart(2, "0")}:${String(Math.floor(rest / 10)).padStart(2, "0")}.${rest % 10}`;
}

/** "3.40 s", or "2:03.40" from a minute on. */
export function readTime(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(2)} s`;
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${(seconds - minutes * 60).toFixed(2).padStart(5, "0")}`;
}

/** "10.0 s", "7:30.0". */
export function lengthTime(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const tenths = Math.round(seconds * 10);
  const minutes = Math.floor(tenths / 600);
  return `${minutes}:${((tenths - minutes * 600) / 10).toFixed(1).padStart(4, "0")}`;
}

export function frameOf(time: number, fps: number): number {
  return Math.floor(time * fps + 1e-4);
}
