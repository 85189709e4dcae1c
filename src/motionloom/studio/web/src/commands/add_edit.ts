/** Change what is built in the middle: put a pose in, replace a stretch by a way through one, or take it out. */

import type * as T from "../api/types";
import { defineDocumentCommand } from "./command";
import { editBuilt } from "./edit_buildup";

export interface AddEdit {
  character: number;
  edit: T.Edit;
  what: string; // the pose, for people; "" for none
}

const WORDS = { insert: "Put in", replace: "Replace by", delete: "Take out a stretch" } as const;

export const addEditChange = editBuilt<AddEdit>((built, { edit }) => ({ ...built, edits: [...built.edits, edit] }));

export const addEdit = defineDocumentCommand<AddEdit>({
  kind: "add_edit",
  describe: ({ edit, what }) => `${WORDS[edit.kind]} ${what}`.trim(),
  change: addEditChange,
});
