/** Curves in a lane: speed, heading, heights of feet. */

import type { LaneLook } from "./drawing";
import { toPixel, visible } from "./scale";
import type { Track } from "./types";

type Plot = NonNullable<Track["plot"]>;

const AIR = 4; // pixels above and below a curve

export function yOf(plot: Plot, value: number, height: number): number {
  const range = plot.high - plot.low || 1;
  const part = Math.min(1, Math.max(0, (value - plot.low) / range));
  return height - AIR - part * (height - 2 * AIR);
}

/** The value at a time, between two frames; null where there is none. */
export function valueAt(plot: Plot, time: number, fps: number): number | null {
  const place = time * fps;
  const last = plot.values.length - 1;
  if (last < 0 || place < 0 || place > last + 1) return null;
  const index = Math.min(last, Math.floor(place));
  const next = Math.min(last, index + 1);
  const [a, b] = [plot.values[index], plot.values[next]];
  const part = Math.min(1, place - index);
  const value = isBreak(plot, a, b) ? (part < 0.5 ? a : b) : a + (b - a) * part;
  return Number.isFinite(value) ? value : null;
}

/** "1.42 m/s": as many digits as the range needs. */
export function valueLabel(plot: Plot, value: number): string {
  const range = Math.abs(plot.high - plot.low);
  const digits = range >= 50 ? 0 : range >= 5 ? 1 : 2;
  const written = value.toFixed(digits);
  return `${Number(written) === 0 ? written.replace("-", "") : written} ${plot.unit}`;
}

export function drawPlot(look: LaneLook, plot: Plot, colour: string, fps: number): void {
  const { context, height, scale } = look;
  const base = yOf(plot, plot.low <= 0 && plot.high >= 0 ? 0 : plot.low, height);
  const perPixel = fps / scale.perSecond;
  const runs = perPixel > 1.5 ? columns(look, plot, perPixel) : points(look, plot, fps);
  context.save();
  context.fillStyle = context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.lineJoin = "round";
  for (const run of runs) {
    if (run.length === 0) continue;
    context.beginPath();
    context.moveTo(run[0][0], base);
    for (const [x, low] of run) context.lineTo(x, low);
    for (let index = run.length - 1; index >= 0; index--) context.lineTo(run[index][0], base);
    context.globalAlpha = 0.16;
    context.fill();
    context.globalAlpha = 1;
    context.beginPath();
    for (const [x, low, high] of run) {
      context.lineTo(x, low);
      if (high !== low) context.lineTo(x, high);
    }
    context.stroke();
  }
  if (plot.low < 0 && plot.high > 0) {
    context.globalAlpha = 0.5;
    context.fillStyle = look.colours.textDim;
    const [start, stop] = [0, plot.values.length / fps].map((time) => toPixel(scale, time));
    context.fillRect(Math.max(0, start), Math.round(base), Math.min(scale.width, stop) - Math.max(0, start), 1);
  }
  context.restore();
}

type Run = [x: number, low: number, high: number][];

/** Where frames are wide: a point for each. */
function points(look: LaneLook, plot: Plot, fps: number): Run[] {
  const [first, last] = visible(look.scale);
  const from = Math.max(0, Math.floor(first * fps) - 1);
  const to = Math.min(plot.values.length - 1, Math.ceil(last * fps) + 1);
  const runs: Run[] = [[]];
  for (let index = from; index <= to; index++) {
    const value = plot.values[index];
    if (!Number.isFinite(value) || (index > from && isBreak(plot, plot.values[index - 1], value))) runs.push([]);
    if (!Number.isFinite(value)) continue;
    const y = yOf(plot, value, look.height);
    runs[runs.length - 1].push([toPixel(look.scale, index / fps), y, y]);
  }
  return runs;
}

/** Where many frames share a pixel: the lowest and highest of each column, so that no spike is lost. */
function columns(look: LaneLook, plot: Plot, perPixel: number): Run[] {
  const { scale, height } = look;
  const runs: Run[] = [[]];
  let before = NaN;
  for (let x = 0; x < scale.width; x++) {
    const from = Math.floor((scale.offset * scale.perSecond + x) * perPixel);
    const to = Math.min(plot.values.length, Math.floor(from + perPixel) + 1);
    let low = Infinity;
    let high = -Infinity;
    for (let index = Math.max(0, from); index < to; index++) {
      const value = plot.values[index];
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (low === Infinity) {
      before = NaN;
      continue;
    }
    if (isBreak(plot, low, high)) {
      // The wrap lies within this column: end at one side, go on from the other.
      before = plot.values[to - 1];
      runs.push([]);
      low = high = before;
    } else {
      if (!Number.isFinite(before) || isBreak(plot, before, low)) runs.push([]);
      before = high;
    }
    runs[runs.length - 1].push([x + 0.5, yOf(plot, low, height), yOf(plot, high, height)]);
  }
  return runs;
}

/** An angle that goes on at the other end of its range is no fall. */
function isBreak(plot: Plot, a: number, b: number): boolean {
  return !!plot.wraps && Math.abs(b - a) > (plot.high - plot.low) / 2;
}
