/** The motion that follows the hand: shown as soon as it comes, changed in place by the next one. */

import type { Unpacked } from "../../api/packing";
import type * as T from "../../api/types";
import { stage } from "../../stage.svelte";

const LIVE = "answer:live"; // an answer like those of a search, but for its frames, which are here already
const KEPT = "answer:before";

export interface Live {
  motion: string; // id
  header: T.Dragged;
  roots: Float32Array;
  rotations: Int16Array;
}

/** Show a motion that has come. */
export function showLive({ header, arrays }: Unpacked): Live {
  const dragged = header as unknown as T.Dragged;
  const motion = `${LIVE}/${dragged.frames}`;
  return make(motion, dragged, arrays.roots as Float32Array, arrays.rotations as Int16Array);
}

/** A copy that stays as it is, while the motion goes on to change. */
export function keepLive({ header, roots, rotations }: Live): Live {
  return make(`${KEPT}/${header.frames}`, header, roots.slice(), rotations.slice());
}

function make(motion: string, header: T.Dragged, roots: Float32Array, rotations: Int16Array): Live {
  const { fps, frames, skeleton } = header;
  stage.make({ id: motion, name: "Direct", kind: "body", fps, frames, floor: 0, skeleton, points: null, looks: null }, roots, rotations);
  return { motion, header, roots, rotations };
}
