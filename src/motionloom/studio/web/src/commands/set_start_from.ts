/** Go on from a motion that is there already, or begin freely. */

import { defineDocumentCommand } from "./command";
import { editRequest } from "./edit_request";

export interface SetStartFrom {
  take: string | null;
}

export const setStartFromChange = editRequest<SetStartFrom>((request, { take }) => ({ ...request, start_from: take }));

export const setStartFrom = defineDocumentCommand<SetStartFrom>({
  kind: "set_start_from",
  describe: ({ take }) => (take === null ? "Begin freely" : `Go on from ${take}`),
  change: setStartFromChange,
});
