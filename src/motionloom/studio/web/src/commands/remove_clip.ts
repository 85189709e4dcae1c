/** Force some frames no longer. */

import { withoutAt } from "../workspaces/timeline/request";
import { defineDocumentCommand } from "./command";
import { editRequest } from "./edit_request";

export interface RemoveClip {
  index: number;
  take: string;
}

export const removeClipChange = editRequest<RemoveClip>((request, { index }) => ({ ...request, frames: withoutAt(request.frames, index) }));

export const removeClip = defineDocumentCommand<RemoveClip>({
  kind: "remove_clip",
  describe: ({ take }) => `Force ${take} no longer`,
  change: removeClipChange,
});
