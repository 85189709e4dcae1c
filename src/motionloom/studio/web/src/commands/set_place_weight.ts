/** Let all places count more, or less. */

import { defineDocumentCommand } from "./command";
import { editRequest } from "./edit_request";

export interface SetPlaceWeight {
  weight: number;
}

export const setPlaceWeightChange = editRequest<SetPlaceWeight>((request, { weight }) => ({
  ...request,
  places: request.places.map((place) => ({ ...place, weight })),
}));

export const setPlaceWeight = defineDocumentCommand<SetPlaceWeight>({
  kind: "set_place_weight",
  describe: ({ weight }) => `Weigh places ${weight}`,
  change: setPlaceWeightChange,
});
