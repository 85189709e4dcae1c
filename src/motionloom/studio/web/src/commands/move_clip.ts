/** Play forced frames at another time, or other frames. */

import type * as T from "../api/types";
import { replacedAt } from "../workspaces/timeline/request";
import { defineDocumentCommand } from "./command";
import { editRequest } from "./edit_request";

export interface MoveClip {
  index: number;
  clip: T.ForcedFrames;
}

export const moveClipChange = editRequest<MoveClip>((request, { index, clip }) => ({
  ...request,
  frames: replacedAt(request.frames, index, clip),
}));

export const moveClip = defineDocumentCommand<MoveClip>({
  kind: "move_clip",
  describe: ({ clip }) => `Move ${clip.take}`,
  change: moveClipChange,
});
