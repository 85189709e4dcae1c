/** Change a place: where it is, which way it looks, when, how much it counts. */

import type * as T from "../api/types";
import { withPlaceChanged } from "../workspaces/timeline/request";
import { defineDocumentCommand } from "./command";
import { editRequest } from "./edit_request";

export interface MoveWaypoint {
  index: number;
  changes: Partial<T.Place>;
}

export const moveWaypointChange = editRequest<MoveWaypoint>((request, { index, changes }) => withPlaceChanged(request, index, changes));

export const moveWaypoint = defineDocumentCommand<MoveWaypoint>({
  kind: "move_waypoint",
  describe: () => "Move a place",
  change: moveWaypointChange,
});
