/** The motion that follows the hand: shown as soon as it comes, changed in place by the next one. */

import type { Unpacked } from "../../api/packing";
import type * as T from "../../api/types";
import type { MadeFrames } from "../../made_motions";
import { stage } from "../../stage.svelte";

const LIVE = "answer:live"; // an answer like those of a search, but for its frames, which are here already
const KEPT = "answer:before";

export interface Live {
  motion: string; // id
  header: T.Dragged;
  looks: T.PointLooks | null;
  frames: MadeFrames;
}

/** Show a motion that has come. */
export function showLive({ header, arrays }: Unpacked, looks: T.PointLooks | null): Live {
  const dragged = header as unknown as T.Dragged;
  const frames = dragged.points
    ? { points: arrays.points as Float32Array }
    : { roots: arrays.roots as Float32Array, rotations: arrays.rotations as Int16Array };
  return make(LIVE, dragged, looks, frames);
}

/** A copy that stays as it is, while the motion goes on to change. */
export function keepLive({ header, looks, frames }: Live): Live {
  const copy = "points" in frames ? { points: frames.points.slice() } : { roots: frames.roots.slice(), rotations: frames.rotations.slice() };
  return make(KEPT, header, looks, copy);
}

function make(name: string, header: T.Dragged, looks: T.PointLooks | null, made: MadeFrames): Live {
  const { fps, frames, skeleton, points } = header;
  const motion = points === null ? `${name}/${frames}` : `${name}/points/${points.length}/${frames}`;
  const kind = points === null ? "body" : "points";
  stage.make({ id: motion, name: "Direct", kind, fps, frames, floor: 0, skeleton, points, looks: points === null ? null : looks }, made);
  return { motion, header, looks, frames: made };
}
