/** Ask for what a file asks for, instead of what was painted; an empty request begins anew. */

import type * as T from "../api/types";
import { defineDocumentCommand } from "./command";
import { editTimeline } from "./edit_request";

export interface LoadRequest {
  request: T.Request;
  name: string; // of the file; empty to begin anew
}

export const loadRequestChange = editTimeline<LoadRequest>((part, { request, name }) => ({
  tracks: name ? [...new Set(request.labels.map((paint) => paint.label))] : part.tracks,
  request,
}));

export const loadRequest = defineDocumentCommand<LoadRequest>({
  kind: "load_request",
  describe: ({ name }) => (name ? `Load ${name}` : "Begin anew"),
  change: loadRequestChange,
});
