/** Give a label a row. */

import { rowsOf } from "../workspaces/timeline/request";
import { defineDocumentCommand } from "./command";
import { editTimeline } from "./edit_request";

export interface AddTrack {
  label: string;
}

export const addTrackChange = editTimeline<AddTrack>((part, { label }) => ({
  ...part,
  tracks: [...rowsOf(part).filter((row) => row !== label), label],
}));

export const addTrack = defineDocumentCommand<AddTrack>({
  kind: "add_track",
  describe: ({ label }) => `Add ${label}`,
  change: addTrackChange,
});
