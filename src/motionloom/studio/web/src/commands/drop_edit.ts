/** Take an edit back, and those after it, whose times are those of the motion it left. */

import { defineDocumentCommand } from "./command";
import { editBuilt } from "./edit_buildup";

export interface DropEdit {
  character: number;
  index: number;
}

export const dropEditChange = editBuilt<DropEdit>((built, { index }) => ({ ...built, edits: built.edits.slice(0, index) }));

export const dropEdit = defineDocumentCommand<DropEdit>({
  kind: "drop_edit",
  describe: ({ index }) => `Take back edit ${index + 1}`,
  change: dropEditChange,
});
