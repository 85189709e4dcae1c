/** Load what a motion has to meet from a file, open a motion to direct it, or begin anew. */

import type * as T from "../api/types";
import { defineDocumentCommand } from "./command";

export interface LoadDirect {
  request: T.DirectRequest;
  what: string; // for people: "Load jump.yaml"
  opens?: boolean; // go to the workspace, too
}

export const loadDirect = defineDocumentCommand<LoadDirect>({
  kind: "load_direct",
  describe: ({ what }) => what,
  change: (document, { request, opens }) => ({
    ...document,
    workspace: opens ? "direct" : document.workspace,
    direct: { ...document.direct, request },
  }),
});
