/** What directing does with a pose that is carried out of the palette: over the floor it is asked for there. */

import type * as T from "../../api/types";
import type { Bearer } from "../poses/carrying";
import { directState } from "./direct.svelte";
import { addPose } from "./gestures";

export function bearPose(card: T.PoseCard): Bearer {
  const end = (): void => void (directState.carried = null);
  return {
    overFloor: (place) => (directState.carried = { card, place }),
    besideFloor: end,
    dropped(place) {
      end();
      if (place !== null) addPose(card, directState.frame, place);
    },
    givenUp: end,
  };
}
