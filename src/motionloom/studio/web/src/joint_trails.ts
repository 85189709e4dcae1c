/** Trails of joints of the main motion: where they are in all its frames, traced once and drawn at every time. */

import type { FrameStore } from "./motion/frames";
import { namesOf, type Standing } from "./joint_places";
import { type Trace, traceJoint, tracePoint } from "./motion/tracing";
import type { PickedName } from "./state.svelte";
import type { Trail } from "./view3d/types";

const COLOURS = ["--view-accent", "--view-left", "--view-right", "--must", "--unmet"];

interface Traced extends Pick<Standing, "skeleton"> {
  motion: Standing["motion"] & { fps: number };
  store: FrameStore;
}

/** The trails after that of a picked joint, or of the hips or the first point, was switched on or off. */
export function toggled(trails: PickedName[], picked: PickedName | null, motion: string, main: Pick<Standing, "skeleton" | "motion">): PickedName[] {
  if (picked === null && trails.length > 0) return [];
  const wanted = picked ?? { motion, joint: namesOf(main)[main.skeleton?.roles.hips ?? 0] };
  const others = trails.filter(({ joint }) => joint !== wanted.joint);
  return others.length < trails.length ? others : [...trails, wanted];
}

export class JointTrails {
  private traces: { joint: string; trace: Trace; colour: string }[] = [];
  private fps = 60;

  get isEmpty(): boolean {
    return this.traces.length === 0;
  }

  /** Trace joints of a motion, by their names; others are left out. */
  trace(joints: readonly string[], main: Traced | undefined): void {
    const style = getComputedStyle(document.documentElement);
    this.fps = main?.motion.fps ?? 60;
    this.traces = joints.flatMap((joint, i) => {
      const number = main === undefined ? -1 : namesOf(main).indexOf(joint);
      if (main === undefined || number < 0) return [];
      const { skeleton, store, motion } = main;
      const colour = style.getPropertyValue(COLOURS[i % COLOURS.length]).trim();
      const trace = skeleton === null ? tracePoint(store, number, motion.floor) : traceJoint(skeleton, store, number, motion.floor);
      return [{ joint, colour, trace }];
    });
  }

  /** What is drawn at a time, seconds. */
  at(time: number): Trail[] {
    return this.traces.map(({ joint, trace, colour }) => {
      const current = Math.round((time * this.fps) / trace.every);
      return { id: joint, joint, points: trace.points, current, colour };
    });
  }
}
