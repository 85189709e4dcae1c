/** Place a waypoint: where to be at a time. */

import type * as T from "../api/types";
import { withPlace } from "../workspaces/timeline/request";
import { defineDocumentCommand } from "./command";
import { editRequest } from "./edit_request";

export interface PlaceWaypoint {
  place: T.Place;
}

export const placeWaypointChange = editRequest<PlaceWaypoint>((request, { place }) => withPlace(request, place));

export const placeWaypoint = defineDocumentCommand<PlaceWaypoint>({
  kind: "place_waypoint",
  describe: ({ place }) => `Place at ${place.at}`,
  change: placeWaypointChange,
});
