/** Two frames laid over each other in the view, as their distance compares them. */

import * as api from "../../api/client";
import { unpack } from "../../api/packing";
import { UNIT } from "../../api/constants";
import { stage } from "../../stage.svelte";
import { studio } from "../../state.svelte";
import { graphState } from "./graph.svelte";

export const PAIR = ["page:pair:0", "page:pair:1"] as const;

let isAsking = false;
let next: [number, number] | null = null;

/** Show two frames; while the pointer is faster than the answers, only the last pair is shown. */
export function showPair(pair: [number, number] | null): void {
  graphState.hover = pair;
  next = pair;
  if (pair === null) graphState.isPaired = false;
  else if (!isAsking) void ask();
}

async function ask(): Promise<void> {
  isAsking = true;
  while (next !== null && graphState.material !== null) {
    const [pair, { takes, skeleton, fps }] = [next, graphState.material];
    next = null;
    try {
      const { arrays } = unpack(await api.snapPoses({ takes: takes.map((take) => take.name), fps, frames: pair }));
      const rotations = arrays.rotations as Float32Array;
      const size = rotations.length / 2;
      PAIR.forEach((id, k) => {
        const whole = Int16Array.from(rotations.subarray(k * size, (k + 1) * size), (value) => Math.round(value * UNIT));
        const motion = { id, name: "pair", kind: "body" as const, fps: 60, frames: 1, floor: 0, skeleton, points: null, looks: null };
        stage.make(motion, { roots: (arrays.roots as Float32Array).slice(k * 3, k * 3 + 3), rotations: whole });
      });
      if (graphState.hover !== null && !graphState.isPaired) remember();
      graphState.isPaired = graphState.hover !== null;
    } catch {
      graphState.isPaired = false; // the next move of the pointer tries again
    }
  }
  isAsking = false;
}

/** Remember where what plays is left; it goes on from there when the pointer has gone. */
function remember(): void {
  const motion = studio.cast[0]?.motion ?? "";
  if (motion.startsWith("page:pair")) return;
  graphState.left = { motion, time: studio.time, loop: studio.loop, isPlaying: studio.playing };
}
