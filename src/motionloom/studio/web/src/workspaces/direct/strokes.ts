/** Strokes of a hand as paths: some points with equal ways or equal times between them. */

export type Place = [number, number, number]; // metres

export const APART = 0.25; // metres between points of a path on the ground
export const FINE = 0.08; // and of one in the air
export const FINE_ON_FACE = 0.004; // of a marker
const MOST = 40; // points of one

const between = (a: Place, b: Place): number => Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);

export function lengthOf(points: readonly Place[]): number {
  return points.slice(1).reduce((sum, point, n) => sum + between(points[n], point), 0);
}

/** Points of a stroke with equal ways between them. */
export function atEvenWays(points: Place[]): Place[] {
  const ways = points.reduce<number[]>((all, point, n) => [...all, n === 0 ? 0 : all[n - 1] + between(points[n - 1], point)], []);
  return sampled(points, ways, APART);
}

/** Points of a stroke with equal times between them: as fast as the hand was. */
export const atEvenTimes = (points: Place[], seconds: number[], apart = FINE): Place[] => sampled(points, seconds, apart);

/** As many points as the stroke is long, even along something that never falls. */
function sampled(points: Place[], along: number[], apart: number): Place[] {
  const count = Math.max(2, Math.min(MOST, Math.round(lengthOf(points) / apart) + 1));
  const [first, last] = [along[0], along[along.length - 1]];
  return Array.from({ length: count }, (_, k) => {
    const at = first + ((last - first) * k) / (count - 1);
    const next = along.findIndex((value, n) => n > 0 && value >= at);
    const n = next < 0 ? along.length - 1 : next;
    const part = along[n] === along[n - 1] ? 0 : (at - along[n - 1]) / (along[n] - along[n - 1]);
    return points[n].map((value, axis) => points[n - 1][axis] + (value - points[n - 1][axis]) * part) as Place;
  });
}
