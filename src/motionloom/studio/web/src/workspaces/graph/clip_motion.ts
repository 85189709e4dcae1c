/** Clips of a hub graph one after another, as a motion that the view can play: what the player of a game would show. */

import { UNIT } from "../../api/constants";
import type * as T from "../../api/types";
import type { Support } from "../../motion/types";
import type { HubGraph } from "../../player";
import { placeSupport } from "../../player/posing";

export interface Walk {
  roots: Float32Array; // (n * 3) metres
  rotations: Int16Array; // (n * J * 4) / UNIT
  joins: number[]; // frames where a clip follows another
  supports: Support[]; // what feet stand on besides the floor
}

/** Frames of clips, each placed where the one before it ends; the first begins over the middle. */
export function walkAlong(graph: HubGraph, clips: readonly number[]): Walk {
  const joints = graph.skeleton.names.length;
  const count = clips.reduce((sum, clip) => sum + graph.clips[clip].frames, 0);
  const roots = new Float32Array(count * 3);
  const rotations = new Int16Array(count * joints * 4);
  const joins: number[] = [];
  const below: Support[] = [];
  let [x, z, heading, at] = [0, 0, 0, 0];
  for (const number of clips) {
    const { first, frames, placement, supports } = graph.clips[number];
    const [c, s] = [Math.cos(heading), Math.sin(heading)];
    if (at > 0) joins.push(at);
    for (const support of supports) {
      const placed = placeSupport(support, x, z, heading);
      below.push({ ...placed, start: placed.start + at, stop: placed.stop + at });
    }
    rotations.set(graph.rotations.subarray(first * joints * 4, (first + frames) * joints * 4), at * joints * 4);
    for (let k = 0; k < frames; k++) {
      const [px, py, pz] = graph.roots.subarray((first + k) * 3, (first + k) * 3 + 3);
      roots.set([c * px + s * pz + x, py, -s * px + c * pz + z], (at + k) * 3);
      if (heading !== 0) turn(rotations, (at + k) * joints * 4, heading);
    }
    [x, z] = [c * placement[0] + s * placement[1] + x, -s * placement[0] + c * placement[1] + z];
    heading += placement[2];
    at += frames;
  }
  return { roots, rotations, joins, supports: below };
}

/** The description of a motion of clips for the stage. */
export function describeWalk(graph: HubGraph, id: string, name: string, walk: Walk): T.Motion {
  return {
    id,
    name,
    kind: "body",
    fps: graph.fps,
    frames: walk.roots.length / 3,
    floor: 0,
    skeleton: graph.skeleton.digest,
    points: null,
    looks: null,
  };
}

/** Turn a rotation about up. */
function turn(values: Int16Array, at: number, heading: number): void {
  const [w, v] = [Math.cos(heading / 2), Math.sin(heading / 2)];
  const [a, b, c, d] = values.subarray(at, at + 4);
  const turned = [w * a - v * c, w * b + v * d, w * c + v * a, w * d - v * b];
  const size = Math.max(1, ...turned.map((value) => Math.abs(value) / UNIT)); // rounding may leave it a little long
  turned.forEach((value, k) => (values[at + k] = Math.round(value / size)));
}
