/** Set how long the last step takes; the way there is searched for again. */

import { defineDocumentCommand } from "./command";
import { editBuilt } from "./edit_buildup";

export interface SetDuration {
  character: number;
  seconds: number;
}

export const setDurationChange = editBuilt<SetDuration>((built, { seconds }) => ({
  ...built,
  steps: built.steps.map((step, n) => (n < built.steps.length - 1 ? step : { ...step, for: `${seconds.toFixed(2)}s`, clips: null })),
}));

export const setDuration = defineDocumentCommand<SetDuration>({
  kind: "set_duration",
  describe: ({ seconds }) => `Arrive after ${seconds.toFixed(1)} s`,
  change: setDurationChange,
});
