/** Edits of what is on a button as changes of the document. */

import type * as T from "../api/types";

/** A button, and what is on it if the document has nothing for it: what was proposed when it was changed. */
export interface ButtonArgs {
  button: string;
  sign: string; // of the button, for people
  proposed: T.ButtonPart;
}

/** A change of the document from a change of one button. */
export function editButton<Args extends ButtonArgs>(
  edit: (part: T.ButtonPart, args: Args) => T.ButtonPart,
): (document: T.Document, args: Args) => T.Document {
  return (document, args) => {
    const { buttons } = document.control;
    const part = edit(buttons[args.button] ?? args.proposed, args);
    return { ...document, control: { ...document.control, buttons: { ...buttons, [args.button]: part } } };
  };
}
