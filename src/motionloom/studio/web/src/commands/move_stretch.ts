/** Move a painted stretch, also to another row, or one of its edges. */

import { moveStroke } from "../workspaces/timeline/paint";
import { defineDocumentCommand } from "./command";
import { editRequest } from "./edit_request";

export interface MoveStretch {
  label: string;
  from: number; // frame at which it begins now
  start: number; // frames [start, stop) where it shall be
  stop: number;
  to?: string; // the label of another row
}

export const moveStretchChange = editRequest<MoveStretch>((request, { label, from, start, stop, to }) =>
  moveStroke(request, label, from, start, stop, to),
);

export const moveStretch = defineDocumentCommand<MoveStretch>({
  kind: "move_stretch",
  describe: ({ label, to }) => (to ? `Move ${label} to ${to}` : `Move ${label}`),
  change: moveStretchChange,
});
