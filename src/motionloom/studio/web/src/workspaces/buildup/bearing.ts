/** What building up does with a pose that is carried out of the palette: over the floor its ghost follows. */

import type * as T from "../../api/types";
import type { Bearer } from "../poses/carrying";
import { tryPose } from "./actions";
import { buildupState } from "./buildup.svelte";

export function bearPose(card: T.PoseCard): Bearer {
  const before = buildupState.wish;
  const dropNew = (): void => {
    buildupState.isDragged = false;
    if (buildupState.wish !== before) buildupState.drop();
  };
  return {
    overFloor(place) {
      buildupState.isDragged = true;
      tryPose(card, place);
    },
    besideFloor(isOverTimeline) {
      buildupState.isDragged = false;
      if (isOverTimeline && buildupState.wish !== null) buildupState.drop(); // the row is as long as what is built
    },
    dropped(place) {
      buildupState.isDragged = false;
      if (place === null) dropNew();
    },
    givenUp: dropNew,
  };
}
