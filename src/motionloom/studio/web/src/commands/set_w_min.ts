/** Set how far apart match frames are at least. */

import { defineDocumentCommand } from "./command";
import { editGraphRequest } from "./edit_graph";

export interface SetWMin {
  seconds: number;
}

export const setWMin = defineDocumentCommand<SetWMin>({
  kind: "set_w_min",
  describe: ({ seconds }) => `Keep match frames ${seconds.toFixed(2)} s apart`,
  change: editGraphRequest((request, { seconds }) => ({ ...request, w_min: seconds })),
});
