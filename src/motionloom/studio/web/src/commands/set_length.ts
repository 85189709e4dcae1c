/** Make the motion longer or shorter. */

import { withLength } from "../workspaces/timeline/request";
import { defineDocumentCommand } from "./command";
import { editRequest } from "./edit_request";

export interface SetLength {
  frames: number;
  rates: Record<string, number>; // frames per second of the takes that are forced
}

export const setLengthChange = editRequest<SetLength>((request, { frames, rates }) => withLength(request, frames, rates));

export const setLength = defineDocumentCommand<SetLength>({
  kind: "set_length",
  describe: () => "Change the length",
  change: setLengthChange,
});
