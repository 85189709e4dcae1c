/** Take a row away, and what is painted on it. */

import { withoutLabel } from "../workspaces/timeline/request";
import { defineDocumentCommand } from "./command";
import { editTimeline } from "./edit_request";

export interface RemoveTrack {
  label: string;
}

export const removeTrackChange = editTimeline<RemoveTrack>((part, { label }) => withoutLabel(part, label));

export const removeTrack = defineDocumentCommand<RemoveTrack>({
  kind: "remove_track",
  describe: ({ label }) => `Remove ${label}`,
  change: removeTrackChange,
});
