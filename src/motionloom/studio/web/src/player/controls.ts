/** Controls of clips: the numbers by which people steer; the same as motionloom.methods.snap.graph.clip_controls. */

import { ANGLE_SCALE, ASTRAY, CURVATURE_SCALE, LABEL_COST, LEAST_PATH, SPEED_SCALE } from "./constants";
import type { HubClip } from "./hubs_file";

/** One clip in numbers, as the file has them. */
export interface ClipControls {
  seconds: number; // that it lasts
  distance: number; // metres over the ground, straight from its source node to its target node
  path: number; // metres over the ground, along the way of the root
  speed: number; // metres per second along that way, mean
  turn: number; // radians, positive turns left, counted round
  curvature: number; // radians per metre: turn over path
  direction: number; // radians: where the target node lies, seen from the source node; 0 ahead, positive left
}

export const CONTROLS = ["seconds", "distance", "path", "speed", "turn", "curvature", "direction"] as const;

/** The control that holds until it is changed; what is left out does not matter. */
export interface Control {
  word?: string | null; // an action, a label or a clip's name: only such clips, and by the shortest way to them
  speed?: number | null; // metres per second
  curvature?: number | null; // radians per metre, positive turns left
  turn?: number | null; // radians, positive turns left
  direction?: number | null; // radians: where to go, seen from the character; 0 ahead, positive left
  heading?: number | null; // radians, world: how it should stand at the end of the clip
  labels?: readonly string[]; // that should hold; a clip without them may still be the nearest
}

/** Whether a control prefers some clips to others. */
export function steers(control: Control): boolean {
  const { speed, curvature, turn, direction, heading, labels } = control;
  return (labels?.length ?? 0) > 0 || [speed, curvature, turn, direction, heading].some((value) => value != null);
}

/** How far a clip is from a control, 0 for exactly that; `facing` is the heading of its node in the world. */
export function costOf(clip: HubClip, control: Control, facing = 0): number {
  const { controls } = clip;
  let total = 0;
  if (control.speed != null) total += squared((controls.speed - control.speed) / SPEED_SCALE);
  if (control.curvature != null) total += squared((controls.curvature - control.curvature) / CURVATURE_SCALE);
  if (control.turn != null) total += squared((controls.turn - control.turn) / ANGLE_SCALE);
  if (control.direction != null) {
    const off = controls.distance < LEAST_PATH ? ASTRAY : wrapAngle(controls.direction - control.direction);
    total += squared(off / ANGLE_SCALE);
  }
  if (control.heading != null) total += squared(wrapAngle(facing + controls.turn - control.heading) / ANGLE_SCALE);
  for (const label of control.labels ?? []) total += LABEL_COST * (1 - shareOf(clip, label));
  return total;
}

/** The share of a clip's frames in which a label holds. */
export function shareOf(clip: HubClip, label: string): number {
  return Object.hasOwn(clip.labels, label) ? clip.labels[label] : 0;
}

/** An angle in radians, brought into [-pi, pi). */
export function wrapAngle(angle: number): number {
  return angle - 2 * Math.PI * Math.floor((angle + Math.PI) / (2 * Math.PI));
}

function squared(value: number): number {
  return value * value;
}
