/** Ways over the ground as seen from above, for small pictures: ahead is up, left is left. */

export interface GroundWay {
  points: Float32Array; // (N * 2) metres, x and z seen from the source node; the last is the target node
  heading: number; // radians at the end
}

const MOST_POINTS = 24;

/** The way of a clip: some of its roots, then its target node. */
export function wayOf(roots: ArrayLike<number>, first: number, frames: number, placement: readonly number[]): GroundWay {
  const every = Math.max(1, Math.ceil(frames / (MOST_POINTS - 1)));
  const kept: number[] = [];
  for (let frame = 0; frame < frames; frame += every) kept.push(roots[(first + frame) * 3], roots[(first + frame) * 3 + 2]);
  kept.push(placement[0], placement[1]);
  return { points: new Float32Array(kept), heading: placement[2] };
}

/** As the path of an SVG, in metres; x grows to the left of the character, so its sign is changed. */
export function toSvg(way: GroundWay): string {
  const { points } = way;
  let path = "";
  for (let n = 0; n < points.length; n += 2) path += `${n === 0 ? "M" : "L"}${number(-points[n])} ${number(-points[n + 1])}`;
  return path;
}

/** The arc of a curvature and a speed over some seconds, as the path of an SVG in metres. */
export function arcSvg(speed: number, curvature: number, seconds: number): string {
  const length = Math.max(0, speed * seconds);
  const steps = 16;
  let path = "M0 0";
  for (let n = 1; n <= steps; n++) {
    const along = (length * n) / steps;
    const turn = curvature * along;
    const bent = Math.abs(turn) > 1e-6;
    const ahead = bent ? Math.sin(turn) / curvature : along;
    const left = bent ? (1 - Math.cos(turn)) / curvature : 0;
    path += `L${number(-left)} ${number(-ahead)}`;
  }
  return path;
}

/** The square that all ways fit into, metres around the source node. */
export function extentOf(ways: readonly GroundWay[]): number {
  let most = 0.5;
  for (const { points } of ways) for (const value of points) most = Math.max(most, Math.abs(value));
  return most;
}

/** A way put down in the world where its source node is. */
export function placeWay(way: GroundWay, x: number, z: number, heading: number): [number, number][] {
  const [cos, sin] = [Math.cos(heading), Math.sin(heading)];
  const placed: [number, number][] = [];
  for (let n = 0; n < way.points.length; n += 2) {
    const [a, b] = [way.points[n], way.points[n + 1]];
    placed.push([x + cos * a + sin * b, z - sin * a + cos * b]);
  }
  return placed;
}

function number(value: number): string {
  return value.toFixed(3);
}
