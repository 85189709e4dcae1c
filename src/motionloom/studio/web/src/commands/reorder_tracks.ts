/** Put a row elsewhere. */

import { reordered } from "../workspaces/timeline/request";
import { defineDocumentCommand } from "./command";
import { editTimeline } from "./edit_request";

export interface ReorderTracks {
  label: string;
  before: string | null; // the row that it comes before; null: the last
}

export const reorderTracksChange = editTimeline<ReorderTracks>((part, { label, before }) => reordered(part, label, before));

export const reorderTracks = defineDocumentCommand<ReorderTracks>({
  kind: "reorder_tracks",
  describe: ({ label }) => `Move the row ${label}`,
  change: reorderTracksChange,
});
