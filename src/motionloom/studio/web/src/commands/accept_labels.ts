/** Accept a stretch of a take as it is shown: for these labels it is verified, and the classifier is trained again. */

import * as api from "../api/client";
import type * as T from "../api/types";
import { count, percent } from "../words";
import { notify, studio } from "../state.svelte";
import { type Draft, draftOf, withDraft, without } from "../workspaces/annotate/drafts";
import { defineCommand } from "./command";

interface Memory {
  acceptance: T.Acceptance;
  draft: Draft; // as it was painted
}

export const acceptLabels = defineCommand<T.AcceptLabels, Memory>({
  kind: "accept labels",
  describe: ({ take }) => `Accept ${take}`,
  async execute(args) {
    const draft = draftOf(studio.document, args.take);
    const accepted = await api.acceptLabels(args);
    studio.document = withDraft(studio.document, args.take, without(draft, [args.start, args.stop]));
    notifyAgreement(args.take, accepted);
    return { acceptance: accepted.acceptance, draft };
  },
  async undo({ take }, { acceptance, draft }) {
    await api.undoAcceptance(acceptance);
    const document = withDraft(studio.document, take, draft);
    studio.document = { ...document, annotate: { ...document.annotate, take } }; // what was undone is in view
  },
});

function notifyAgreement(take: string, { agreement, proposals, right_proposals, corrections }: T.Accepted): void {
  if (agreement == null) notify("good", `${take} is verified`);
  else {
    const right = proposals > 0 ? `${right_proposals} of ${count(proposals, "proposal")} right, ` : "";
    notify("good", `${take} is verified: ${right}${percent(agreement)} of the time, ${count(corrections, "correction")}`);
  }
}
