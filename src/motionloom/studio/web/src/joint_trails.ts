/** Trails of joints of the main motion: where they are in all its frames, traced once and drawn at every time. */

import type { FrameStore } from "./motion/frames";
import { type Trace, traceJoint } from "./motion/tracing";
import type { SkeletonData } from "./motion/types";
import type { PickedName } from "./state.svelte";
import type { Trail } from "./view3d/types";

const COLOURS = ["--view-accent", "--view-left", "--view-right", "--must", "--unmet"];

interface Traced {
  motion: { fps: number; floor: number };
  store: FrameStore;
  skeleton: SkeletonData | null;
}

/** The trails after that of a picked joint, or of the hips, was switched on or off. */
export function toggled(trails: PickedName[], picked: PickedName | null, motion: string, { names, roles }: SkeletonData): PickedName[] {
  if (picked === null && trails.length > 0) return [];
  const wanted = picked ?? { motion, joint: names[roles.hips ?? 0] };
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
    const skeleton = main?.skeleton;
    const style = getComputedStyle(document.documentElement);
    this.fps = main?.motion.fps ?? 60;
    this.traces = !skeleton
      ? []
      : joints.flatMap((joint, i) => {
          const number = skeleton.names.indexOf(joint);
          if (number < 0) return [];
          const colour = style.getPropertyValue(COLOURS[i % COLOURS.length]).trim();
          return [{ joint, colour, trace: traceJoint(skeleton, main.store, number, main.motion.floor) }];
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
