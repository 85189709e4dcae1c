/** Times of a request: "2.5s", "150f", "start", "end"; counted in frames, written in seconds. */

import type * as T from "../../api/types";

/** Frames of a time; "end" is one past the last. The same rounding as the command line has. */
export function framesOf(time: string, fps: number, length = 0): number {
  if (time === "start") return 0;
  if (time === "end") return length;
  const number = Number.parseFloat(time);
  return time.endsWith("f") ? Math.round(number) : Math.floor(number * fps + 0.5);
}

/** A number of frames as seconds that round to it again: "2.5s", "0.0167s". */
export function textOf(frames: number, fps: number): string {
  const seconds = frames / fps;
  for (let digits = 1; digits <= 6; digits++) {
    const text = `${Number(seconds.toFixed(digits))}s`;
    if (framesOf(text, fps) === frames && (digits >= 4 || Math.abs(Number.parseFloat(text) - seconds) < 1e-9)) return text;
  }
  return `${frames}f`;
}

/** Frames of a whole request. */
export function lengthOf(request: T.Request): number {
  return framesOf(request.length, request.fps);
}

export const secondsOf = (frames: number, fps: number): number => frames / fps;

export const nearestFrame = (seconds: number, fps: number): number => Math.round(seconds * fps);
