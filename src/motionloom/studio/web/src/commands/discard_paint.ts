/** Take back everything that was painted on a take and not accepted. */

import { withDraft } from "../workspaces/annotate/drafts";
import { defineDocumentCommand } from "./command";

export const discardPaint = defineDocumentCommand<{ take: string }>({
  kind: "discard paint",
  describe: ({ take }) => `Discard paint on ${take}`,
  change: (document, { take }) => withDraft(document, take, {}),
});
