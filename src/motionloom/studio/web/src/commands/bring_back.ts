/** Bring back what was done here while another window changed the same. */

import { defineDocumentCommand } from "./command";
import { applyChanges, type Change } from "./patch";

export const bringBack = defineDocumentCommand<{ changes: Change[] }>({
  kind: "bring_back",
  describe: () => "Bring back what was not saved",
  change: (document, { changes }) => applyChanges(document, changes, "forward"),
});
