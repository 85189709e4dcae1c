/** Load what is built up from a file; or begin anew. */

import type * as T from "../api/types";
import { defineDocumentCommand } from "./command";
import { editBuildup } from "./edit_buildup";

export interface LoadBuildup {
  request: T.BuildupRequest;
  name: string; // of the file; empty: begin anew
}

export const loadBuildupChange = editBuildup<LoadBuildup>((part, { request }) => ({ ...part, request }));

export const loadBuildup = defineDocumentCommand<LoadBuildup>({
  kind: "load_buildup",
  describe: ({ name }) => (name ? `Load ${name}` : "Begin anew"),
  change: loadBuildupChange,
});
