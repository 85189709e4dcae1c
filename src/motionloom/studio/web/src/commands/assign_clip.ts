/** Put a clip on a button, from the list or from another button. */

import type * as T from "../api/types";
import { defineDocumentCommand } from "./command";
import { type ButtonArgs, editButton } from "./edit_buttons";
import { withoutClip } from "./unassign_clip";

export interface AssignClip extends ButtonArgs {
  clip: string;
  from?: ButtonArgs; // the button that it leaves
}

const put = editButton<AssignClip>((part, { clip }) => {
  if (part.clips.includes(clip)) return part;
  return { name: part.clips.length === 0 ? "" : part.name, clips: [...part.clips, clip] };
});

export function assignClipChange(document: T.Document, args: AssignClip): T.Document {
  const left = args.from === undefined || args.from.button === args.button ? document : withoutClip(document, { ...args.from, clip: args.clip });
  return put(left, args);
}

export const assignClip = defineDocumentCommand<AssignClip>({
  kind: "assign clip",
  describe: ({ clip, sign }) => `Put ${clip} on ${sign}`,
  change: assignClipChange,
});
