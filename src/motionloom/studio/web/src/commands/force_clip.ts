/** Force frames of a take at a time. */

import type * as T from "../api/types";
import { defineDocumentCommand } from "./command";
import { editRequest } from "./edit_request";

export interface ForceClip {
  clip: T.ForcedFrames;
}

export const forceClipChange = editRequest<ForceClip>((request, { clip }) => ({ ...request, frames: [...request.frames, clip] }));

export const forceClip = defineDocumentCommand<ForceClip>({
  kind: "force_clip",
  describe: ({ clip }) => `Force ${clip.take}`,
  change: forceClipChange,
});
