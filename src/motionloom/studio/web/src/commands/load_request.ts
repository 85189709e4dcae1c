/** Load the request of the timeline from a file; or reset it. */

import type * as T from "../api/types";
import { EMPTY } from "../api/constants";
import { defineDocumentCommand } from "./command";
import { editTimeline } from "./edit_request";

export interface LoadRequest {
  request: T.Request;
  name: string; // of the file; empty: reset
}

export const loadRequestChange = editTimeline<LoadRequest>((part, { request, name }) => ({
  tracks: name ? [...new Set(request.labels.map((paint) => paint.label))] : part.tracks,
  request,
  beyond: EMPTY.timeline.beyond,
}));

export const loadRequest = defineDocumentCommand<LoadRequest>({
  kind: "load_request",
  describe: ({ name }) => (name ? `Load ${name}` : "Reset the request"),
  change: loadRequestChange,
});
