/** Remove dead ends, or keep them. */

import type * as T from "../api/types";
import { defineDocumentCommand } from "./command";
import { editGraphRequest } from "./edit_graph";

export interface SetMending {
  mend: T.GraphRequest["mend"];
}

export const setMending = defineDocumentCommand<SetMending>({
  kind: "set_mending",
  describe: ({ mend }) => (mend === "remove" ? "Remove dead ends" : "Keep dead ends"),
  change: editGraphRequest((request, { mend }) => ({ ...request, mend })),
});
