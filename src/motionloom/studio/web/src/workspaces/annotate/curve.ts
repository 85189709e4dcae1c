/** The learning curve: how right proposals were, by how many minutes were verified. */

import type * as T from "../../api/types";

export interface Point {
  minutes: number;
  share: number; // 0 to 1
}

const AROUND = 5; // acceptances that are averaged

/** How right the proposals were of late, at every look; long looks and short ones count the same. */
export function agreementCurve(looks: readonly T.ReviewPoint[]): Point[] {
  return looks.map((look, i) => {
    const late = looks.slice(Math.max(0, i - AROUND + 1), i + 1);
    return { minutes: look.verified / 60, share: late.reduce((sum, past) => sum + past.agreement, 0) / late.length };
  });
}

export function trialCurve(trials: readonly T.TrialPoint[]): Point[] {
  return trials.flatMap(({ verified, f1 }) => (f1 == null ? [] : [{ minutes: verified / 60, share: f1 }]));
}

/** Round numbers for the axis of minutes: about four of them. */
export function minuteTicks(most: number): number[] {
  if (!(most > 0)) return [0];
  const step = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 30, 60, 120].find((minutes) => most / minutes <= 5) ?? 300;
  const ticks: number[] = [];
  for (let tick = 0; tick <= most + 1e-9; tick += step) ticks.push(Number(tick.toFixed(6)));
  return ticks;
}

/** The least share that the plot has to show, as a round number below all points. */
export function floorOf(points: readonly Point[]): number {
  const least = Math.min(1, ...points.map((point) => point.share));
  return Math.max(0, Math.floor((least - 0.02) * 10) / 10);
}
