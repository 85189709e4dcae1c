/** Skeletons, bodies and metadata of motions: requested once, then cached. */

import * as api from "../api/client";
import type * as T from "../api/types";
import { unpack } from "../api/packing";
import type { BodyData, SkeletonData } from "./types";

const skeletons = new Map<string, Promise<SkeletonData>>();
const bodies = new Map<string, Promise<BodyData>>();
const steps = new Map<string, Promise<T.Footprints>>();
const MOST_STEPS = 40;

function once<Thing>(kept: Map<string, Promise<Thing>>, key: string, ask: () => Promise<Thing>): Promise<Thing> {
  const found = kept.get(key);
  if (found !== undefined) return found;
  const asked = ask();
  kept.set(key, asked);
  asked.catch(() => kept.delete(key)); // another try may succeed
  return asked;
}

export function loadSkeleton(digest: string): Promise<SkeletonData> {
  return once(skeletons, digest, async () => {
    const skeleton = await api.skeleton(digest);
    return { ...skeleton, offsets: new Float32Array(skeleton.offsets.flat()) };
  });
}

export function loadBody(digest: string): Promise<BodyData> {
  return once(bodies, digest, async () => {
    const { arrays } = unpack(await api.body(digest));
    return {
      digest,
      vertices: arrays.vertices as Float32Array,
      normals: arrays.normals as Float32Array,
      triangles: arrays.triangles as Uint32Array,
      joints: arrays.joints as Uint16Array,
      weights: arrays.weights as Float32Array,
      bindPositions: arrays.bind_positions as Float32Array,
      bindRotations: arrays.bind_rotations as Float32Array,
    };
  });
}

export function loadSteps(motion: string): Promise<T.Footprints> {
  if (steps.size > MOST_STEPS) steps.delete(steps.keys().next().value as string);
  return once(steps, motion, () => api.steps(motion));
}

/** Forget what belongs to takes, such as after they were changed. */
export function forgetSteps(): void {
  steps.clear();
}
