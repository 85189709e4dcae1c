/** From a stick to a control: the curvature of the path, and the speed. Nothing here is allocated for a frame. */

/** The range of speeds and curvatures of the clips to steer by. */
export interface Reach {
  left: number; // 1/m: the sharpest turn; 0 where there is none
  right: number; // the same, without a sign
  slow: number; // m/s
  usual: number;
  fast: number;
  canRest: boolean; // some of them stay where they are
}

export interface Turning {
  speed: number; // m/s
  curvature: number; // 1/m, positive to the left
}

export const SHARPEST = 6; // 1/m: used for turning on the spot, where the curvature is unbounded
const BEND = 0.8; // 1/m: of a path round a corner
export const RESTING = 0.25; // m/s: slower is standing

/** The range of some clips together. */
export function reachOf(clips: readonly Turning[]): Reach {
  const walked = clips.filter((clip) => clip.speed >= RESTING);
  const moving = walked.length > 0 ? walked : clips;
  const speeds = moving.map((clip) => clip.speed).sort(ascending);
  const sharpest = (side: 1 | -1): number => moving.reduce((most, clip) => Math.max(most, side * bounded(clip.curvature)), 0);
  return {
    left: sharpest(1),
    right: sharpest(-1),
    slow: speeds[0] ?? 0,
    usual: speeds[speeds.length >> 1] ?? 0,
    fast: speeds[speeds.length - 1] ?? 0,
    canRest: walked.length < clips.length,
  };
}

/**
 * The curvature of a stick: straight on in the middle, half way out a bend as people walk round corners, at
 * its end the sharpest turn that there is, such as an about-face.
 */
export function curvatureOf(x: number, reach: Reach): number {
  const far = Math.min(1, Math.abs(x));
  const most = (x > 0 ? reach.left : reach.right) || BEND;
  const power = Math.max(1, Math.log2(most / BEND));
  return Math.sign(x) * most * far ** power;
}

/** The speed of a stick: the usual one, faster ahead, slower back; 0 if it is released and there are standing clips. */
export function speedOf(x: number, y: number, reach: Reach): number {
  if (x === 0 && y === 0 && reach.canRest) return 0;
  const far = y >= 0 ? reach.fast : reach.slow;
  return reach.usual + (far - reach.usual) * Math.min(1, Math.abs(y));
}

export function bounded(curvature: number): number {
  return Math.max(-SHARPEST, Math.min(SHARPEST, curvature));
}

function ascending(a: number, b: number): number {
  return a - b;
}
