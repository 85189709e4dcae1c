/** Load the request of a method from a file; or reset it. */

import { defineDocumentCommand } from "./command";

export interface LoadMethodRequest {
  method: string;
  request: Record<string, unknown>;
  name: string; // of the file; empty: reset
}

export const loadMethodRequest = defineDocumentCommand<LoadMethodRequest>({
  kind: "load_method_request",
  describe: ({ method, name }) => (name ? `Load ${name}` : `Reset the request of ${method}`),
  change: (document, { method, request }) => ({ ...document, methods: { ...document.methods, [method]: { request } } }),
});
