/** Small hub graphs for tests: clips that go along arcs, of a body with one joint. */

import { UNIT } from "../player/constants";
import type { HubClip, HubGraph } from "../player";

const FPS = 30;

export interface Arc {
  name: string;
  from: number; // hub
  to: number;
  seconds?: number;
  speed?: number; // m/s
  turn?: number; // radians, positive to the left
  labels?: Record<string, number>;
}

/** The placement after a part of an arc, seen from its start: x, z, heading. */
export function alongArc(length: number, turn: number, part: number): [number, number, number] {
  const angle = turn * part;
  if (Math.abs(turn) < 1e-9) return [0, length * part, 0];
  const radius = length / turn;
  return [radius * (1 - Math.cos(angle)), radius * Math.sin(angle), angle];
}

/** A graph of hubs with arcs between them. */
export function makeHubGraph(hubs: string[], arcs: Arc[]): HubGraph {
  const roots: number[] = [];
  const rotations: number[] = [];
  const clips = arcs.map((arc): HubClip => {
    const { seconds = 1, speed = 0, turn = 0 } = arc;
    const frames = Math.round(seconds * FPS);
    const length = speed * seconds;
    const first = roots.length / 3;
    for (let frame = 0; frame < frames; frame++) {
      const [x, z, heading] = alongArc(length, turn, frame / frames);
      roots.push(x, 0.9, z);
      rotations.push(...[Math.cos(heading / 2), 0, Math.sin(heading / 2), 0].map((value) => Math.round(value * UNIT)));
    }
    const placement = alongArc(length, turn, 1);
    const distance = Math.hypot(placement[0], placement[1]);
    const controls = { seconds, distance, path: length, speed, turn, curvature: turn / Math.max(length, 0.1), direction: Math.atan2(placement[0], placement[1]) };
    const labels = arc.labels ?? {};
    return { name: arc.name, source: arc.from, target: arc.to, first, frames, placement, labels, controls, motion: arc.name, start: 0, stop: frames, supports: [] };
  });
  return {
    fps: FPS,
    skeleton: { name: "one", digest: "one", names: ["hips"], parents: [-1], offsets: new Float32Array(3), roles: { hips: 0 }, ends: [] },
    nodes: hubs.map((name) => ({ name, kind: "hub", planted: [false, false, false, false] })),
    clips,
    actions: [],
    hubs: hubs.length,
    leaving: hubs.map((_, node) => clips.flatMap((clip, c) => (clip.source === node ? [c] : []))),
    roots: new Float32Array(roots),
    rotations: new Int16Array(rotations),
    contacts: new Uint8Array(roots.length / 3),
    hubRoots: new Float32Array(hubs.flatMap(() => [0, 0.9, 0, 0, 0.9, 0, 0, 0.9, 0])),
    hubRotations: new Int16Array(hubs.flatMap(() => [UNIT, 0, 0, 0, UNIT, 0, 0, 0, UNIT, 0, 0, 0])),
  };
}
