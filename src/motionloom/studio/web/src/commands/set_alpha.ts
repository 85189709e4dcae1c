/** Let labels count more, or continuity. */

import { defineDocumentCommand } from "./command";
import { editRequest } from "./edit_request";

export interface SetAlpha {
  alpha: number;
}

export const setAlphaChange = editRequest<SetAlpha>((request, { alpha }) => ({ ...request, alpha }));

export const setAlpha = defineDocumentCommand<SetAlpha>({
  kind: "set_alpha",
  describe: ({ alpha }) => `Set alpha to ${alpha}`,
  change: setAlphaChange,
});
