/** Ask of a method what a file asks for, instead of what was typed; or begin anew. */

import { defineDocumentCommand } from "./command";

export interface LoadMethodRequest {
  method: string;
  request: Record<string, unknown>;
  name: string; // of the file; empty to begin anew
}

export const loadMethodRequest = defineDocumentCommand<LoadMethodRequest>({
  kind: "load_method_request",
  describe: ({ method, name }) => (name ? `Load ${name}` : `Begin ${method} anew`),
  change: (document, { method, request }) => ({ ...document, methods: { ...document.methods, [method]: { request } } }),
});
