/** Choose the takes that poses and ways come from. */

import { defineDocumentCommand } from "./command";
import { editBuildup } from "./edit_buildup";

export interface SetBuildupTakes {
  takes: string[] | null; // patterns; null: all recordings
}

export const setBuildupTakesChange = editBuildup<SetBuildupTakes>((part, { takes }) => ({ ...part, request: { ...part.request, takes } }));

export const setBuildupTakes = defineDocumentCommand<SetBuildupTakes>({
  kind: "set_buildup_takes",
  describe: ({ takes }) => (takes === null ? "Build from all recordings" : `Build from ${takes.join(", ")}`),
  change: setBuildupTakesChange,
});
