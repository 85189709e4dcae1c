/** Rename what a button does. */

import { defineDocumentCommand } from "./command";
import { type ButtonArgs, editButton } from "./edit_buttons";

export interface RenameButton extends ButtonArgs {
  name: string; // "": named after its clips
}

export const renameButtonChange = editButton<RenameButton>((part, { name }) => ({ ...part, name: name.trim().slice(0, 40) }));

export const renameButton = defineDocumentCommand<RenameButton>({
  kind: "rename button",
  describe: ({ sign, name }) => (name ? `Call ${sign} ${name}` : `Call ${sign} like its clips`),
  change: renameButtonChange,
});
