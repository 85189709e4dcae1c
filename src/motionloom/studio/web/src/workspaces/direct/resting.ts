/** A foot that rests where it is now. */

import type * as T from "../../api/types";
import { stage } from "../../stage.svelte";

/** The place of a contact in the pose that is shown. */
export function hereContact({ joint }: T.Contact): Partial<T.Contact> {
  const now = stage.placeOf(joint.replace(/_(heel|ball)$/, "_foot"));
  return now === null ? {} : { place: [Number(now[0].toFixed(3)), Number(now[2].toFixed(3))] };
}
