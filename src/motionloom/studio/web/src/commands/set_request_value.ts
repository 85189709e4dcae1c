/** Change one value of what is asked of a method, in the form that was made from its schema. */

import type * as T from "../api/types";
import { type Path, withValue } from "../workspaces/generated/request_paths";
import { defineDocumentCommand } from "./command";

export interface SetRequestValue {
  method: string;
  path: Path;
  value: unknown;
  what: string; // the field, for people
  from?: Record<string, unknown>; // the request that is changed, where the document has none yet
}

export function setRequestValueChange(document: T.Document, { method, path, value, from }: SetRequestValue): T.Document {
  const request = withValue(document.methods[method]?.request ?? from ?? {}, path, value) as Record<string, unknown>;
  return { ...document, methods: { ...document.methods, [method]: { request } } };
}

export const setRequestValue = defineDocumentCommand<SetRequestValue>({
  kind: "set_request_value",
  describe: ({ method, what }) => `Change ${what.toLowerCase()} of ${method}`,
  change: setRequestValueChange,
});
