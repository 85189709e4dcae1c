/** The ruler: marks in seconds and in frames that are readable at every zoom. */

import { toPixel, visible, type Scale } from "./scale";

export interface Tick {
  time: number;
  x: number; // pixels
  label: string | null; // null: a small mark between labels
}

export interface RulerTicks {
  seconds: Tick[];
  frames: Tick[];
}

/** Pixels that a label takes, with the space it needs behind it; figures are of equal width. */
export function labelWidth(label: string): number {
  return 6.8 * label.length + 22;
}

const SECOND_STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200];
const SMALL_MARK = 6; // pixels between small marks at least

export function rulerTicks(scale: Scale, length: number, fps: number): RulerTicks {
  return { seconds: secondTicks(scale, length), frames: frameTicks(scale, length, fps) };
}

export function secondTicks(scale: Scale, length: number): Tick[] {
  const step = secondStep(scale, length);
  return ticksEvery(scale, step, 1, 1, length, (value) => secondsLabel(value, step));
}

/** Frame marks stand under the marks of seconds wherever these fall on frames. */
export function frameTicks(scale: Scale, length: number, fps: number): Tick[] {
  const perFrame = scale.perSecond / fps;
  const last = Math.floor(Math.min(visible(scale)[1], length) * fps);
  const room = labelWidth(String(Math.max(0, last)));
  const steps = frameSteps(secondStep(scale, length) * fps);
  const step = steps.find((step) => step * perFrame >= room) ?? steps[steps.length - 1];
  const small = steps.find((part) => step % part === 0 && part * perFrame >= SMALL_MARK) ?? step;
  return ticksEvery(scale, step, step / small, fps, length, (value) => String(Math.round(value)));
}

function secondStep(scale: Scale, length: number): number {
  const end = Math.min(visible(scale)[1], length);
  return SECOND_STEPS.find((step) => step * scale.perSecond >= widest(step, end)) ?? 24 * 3600;
}

/** Whole numbers of frames that divide the step of the seconds, then multiples of it, in order. */
function frameSteps(framesPerStep: number): number[] {
  const whole = Math.round(framesPerStep);
  const multiples = [1, 2, 5, 10, 20, 50, 100, 1000];
  const isAligned = whole >= 1 && Math.abs(framesPerStep - whole) < 1e-6;
  if (!isAligned) return [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 1e4, 2e4, 5e4, 1e5, 1e6];
  const divisors: number[] = [];
  for (let step = 1; step < whole; step++) if (whole % step === 0 && isRound(step)) divisors.push(step);
  return [...divisors, ...multiples.map((times) => times * whole)];
}

/** Whether a step is a round number. */
function isRound(step: number): boolean {
  const leading = step / 10 ** Math.floor(Math.log10(step));
  return step < 10 || [1, 1.2, 1.5, 2, 2.4, 2.5, 3, 4, 5, 6].some((round) => Math.abs(round - leading) < 1e-9);
}

/** "0 s", "2.5 s", "1:05": as short as the step allows. */
export function secondsLabel(seconds: number, step: number): string {
  const digits = step >= 1 ? 0 : step >= 0.1 ? 1 : 2;
  if (seconds < 59.9999) return `${seconds.toFixed(digits)} s`;
  const minutes = Math.floor((seconds + 1e-6) / 60);
  const rest = Math.abs(seconds - minutes * 60).toFixed(digits);
  return `${minutes}:${rest.padStart(digits > 0 ? 3 + digits : 2, "0")}`;
}

function widest(step: number, end: number): number {
  const whole = Math.max(0, Math.floor(end / step) * step);
  return Math.max(labelWidth(secondsLabel(whole, step)), labelWidth(secondsLabel(Math.min(whole, 59), step)));
}

function ticksEvery(
  scale: Scale,
  step: number,
  parts: number,
  perSecond: number,
  length: number,
  name: (value: number) => string,
): Tick[] {
  const [first, last] = visible(scale);
  const small = step / parts;
  const ticks: Tick[] = [];
  // One step before the left edge: its label may reach into view.
  const from = Math.max(0, Math.floor((first * perSecond) / step) * parts);
  const to = Math.floor((Math.min(last, length) * perSecond) / small + 1e-6);
  for (let index = from; index <= to; index++) {
    const value = index * small;
    const time = value / perSecond;
    ticks.push({ time, x: toPixel(scale, time), label: index % parts === 0 ? name(value) : null });
  }
  return ticks;
}
