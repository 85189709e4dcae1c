/** Paint on a take where a label holds or does not, or move a stretch; it counts once the take is accepted. */

import { draftOf, move, paint, type Sign, withDraft } from "../workspaces/annotate/drafts";
import type { Range } from "../workspaces/annotate/ranges";
import { defineDocumentCommand } from "./command";

interface Args {
  take: string;
  label: string;
  range: Range; // frames
  sign: Sign | 0; // 0 takes paint away
  from?: Range; // where the stretch was that is moved
}

export const paintLabels = defineDocumentCommand<Args>({
  kind: "paint labels",
  describe: ({ label, sign, from }) => {
    if (from) return `Move ${label}`;
    return sign === 0 ? `Take back paint of ${label}` : sign > 0 ? `Paint ${label}` : `Paint not ${label}`;
  },
  change(document, { take, label, range, sign, from }) {
    const draft = draftOf(document, take);
    return withDraft(document, take, from ? move(draft, label, from, range) : paint(draft, label, range, sign));
  },
});
