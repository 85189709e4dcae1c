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
/** Into how many small parts a step is cut, the finest first that has room. */
const PARTS: Record<number, number[]> = { 1: [10, 5, 2], 2: [4, 2], 5: [5], 15: [3], 3: [6, 3], 6: [6, 3, 2] };
const SMALL_MARK = 6; // pixels between small marks at least

export function rulerTicks(scale: Scale, length: number, fps: number): RulerTicks {
  return { seconds: secondTicks(scale, length), frames: frameTicks(scale, length, fps) };
}

export function secondTicks(scale: Scale, length: number): Tick[] {
  const [, last] = visible(scale);
  const end = Math.min(last, length);
  const step = SECOND_STEPS.find((step) => step * scale.perSecond >= widest(step, end)) ?? 3600 * 24;
  const leading = Number(step.toExponential().split("e")[0]);
  const parts = (PARTS[step >= 15 ? stepKey(step) : leading] ?? [2]).find(
    (parts) => (step / parts) * scale.perSecond >= SMALL_MARK,
  );
  return ticksEvery(scale, step, parts ?? 1, 1, length, (value) => secondsLabel(value, step));
}

export function frameTicks(scale: Scale, length: number, fps: number): Tick[] {
  const perFrame = scale.perSecond / fps;
  const last = Math.floor(Math.min(visible(scale)[1], length) * fps);
  const room = labelWidth(String(Math.max(0, last)));
  const steps = frameSteps(fps);
  const step = steps.find((step) => step * perFrame >= room) ?? steps[steps.length - 1];
  const smaller = steps.filter((part) => part < step && step % part === 0 && part * perFrame >= SMALL_MARK);
  const parts = smaller.length > 0 ? step / smaller[0] : 1;
  return ticksEvery(scale, step, parts, fps, length, (value) => String(Math.round(value)));
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

function stepKey(step: number): number {
  return step === 15 || step === 30 ? (step === 15 ? 15 : 6) : 6;
}

/** Steps that divide a second where they can, so that frame marks stand under second marks. */
function frameSteps(fps: number): number[] {
  const whole = Math.round(fps);
  const aligned = Math.abs(fps - whole) < 1e-6;
  const below: number[] = [];
  for (let step = 1; step < whole; step++) {
    const isNice = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 24, 25, 30, 40, 50, 60].includes(step);
    if (isNice && (!aligned || whole % step === 0)) below.push(step);
  }
  const above = [1, 2, 5, 10, 20, 60, 120, 300, 600, 1800, 3600, 7200].map((seconds) => seconds * whole);
  return [...below, ...above];
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
