/** Take a place away. */

import { withoutAt } from "../workspaces/timeline/request";
import { defineDocumentCommand } from "./command";
import { editRequest } from "./edit_request";

export interface RemoveWaypoint {
  index: number;
}

export const removeWaypointChange = editRequest<RemoveWaypoint>((request, { index }) => ({ ...request, places: withoutAt(request.places, index) }));

export const removeWaypoint = defineDocumentCommand<RemoveWaypoint>({
  kind: "remove_waypoint",
  describe: () => "Remove a place",
  change: removeWaypointChange,
});
