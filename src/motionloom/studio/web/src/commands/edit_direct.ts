/** Change what a directed motion has to meet. */

import type * as T from "../api/types";
import { defineDocumentCommand } from "./command";

export interface EditDirect {
  changes: Partial<T.DirectRequest>; // parts of the request that are replaced whole
  what: string; // for people: "Drag right hand"
}

export function editDirectChange(document: T.Document, { changes }: EditDirect): T.Document {
  return { ...document, direct: { ...document.direct, request: { ...document.direct.request, ...changes } } };
}

export const editDirect = defineDocumentCommand<EditDirect>({
  kind: "edit_direct",
  describe: ({ what }) => what,
  change: editDirectChange,
});
