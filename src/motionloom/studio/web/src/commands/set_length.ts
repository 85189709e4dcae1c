/** Make the motion longer or shorter; what lies beyond its end is hidden, and comes back. */

import { withLength } from "../workspaces/timeline/length";
import { defineDocumentCommand } from "./command";
import { editTimeline } from "./edit_request";

export interface SetLength {
  frames: number;
  rates: Record<string, number>; // frames per second of the takes that are forced, or were
}

export const setLengthChange = editTimeline<SetLength>((part, { frames, rates }) => withLength(part, frames, rates));

export const setLength = defineDocumentCommand<SetLength>({
  kind: "set_length",
  describe: () => "Change the length",
  change: setLengthChange,
});
