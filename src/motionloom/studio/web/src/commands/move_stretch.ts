/** Move a painted stretch, or one of its edges. */

import { moveStroke } from "../workspaces/timeline/paint";
import { defineDocumentCommand } from "./command";
import { editRequest } from "./edit_request";

export interface MoveStretch {
  label: string;
  from: number; // frame at which it begins now
  start: number; // frames [start, stop) where it shall be
  stop: number;
}

export const moveStretchChange = editRequest<MoveStretch>((request, { label, from, start, stop }) =>
  moveStroke(request, label, from, start, stop),
);

export const moveStretch = defineDocumentCommand<MoveStretch>({
  kind: "move_stretch",
  describe: ({ label }) => `Move ${label}`,
  change: moveStretchChange,
});
