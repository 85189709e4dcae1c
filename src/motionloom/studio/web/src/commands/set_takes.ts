/** Choose which takes the motion is made from. */

import { defineDocumentCommand } from "./command";
import { editRequest } from "./edit_request";

export interface SetTakes {
  takes: string[] | null; // patterns such as "walk/*"; null for all
}

export const setTakesChange = editRequest<SetTakes>((request, { takes }) => ({ ...request, takes }));

export const setTakes = defineDocumentCommand<SetTakes>({
  kind: "set_takes",
  describe: ({ takes }) => (takes === null ? "Use all takes" : `Use ${takes.join(", ")}`),
  change: setTakesChange,
});
