/** Take a clip off a button. */

import { defineDocumentCommand } from "./command";
import { type ButtonArgs, editButton } from "./edit_buttons";

export interface UnassignClip extends ButtonArgs {
  clip: string;
}

export const withoutClip = editButton<UnassignClip>((part, { clip }) => {
  const clips = part.clips.filter((assigned) => assigned !== clip);
  return { name: clips.length === 0 ? "" : part.name, clips };
});

export const unassignClip = defineDocumentCommand<UnassignClip>({
  kind: "unassign clip",
  describe: ({ clip, sign }) => `Take ${clip} off ${sign}`,
  change: withoutClip,
});
