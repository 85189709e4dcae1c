/** Times of a request, such as "2.5s" and "150f". */

/** A time as a number of frames; null for "start" and "end", which name no number. */
export function framesOf(time: string, fps: number): number | null {
  const found = /^(\d+(?:\.\d+)?)([sf])$/.exec(time);
  if (found === null) return null;
  return found[2] === "s" ? Math.floor(Number(found[1]) * fps + 0.5) : Number(found[1]);
}
