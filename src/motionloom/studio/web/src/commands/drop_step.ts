/** Back up: the last pose is taken away, with what was to be hit there. */

import { defineDocumentCommand } from "./command";
import { editBuilt } from "./edit_buildup";

export interface DropStep {
  character: number;
}

export const dropStepChange = editBuilt<DropStep>((built) => ({
  ...built,
  steps: built.steps.slice(0, -1),
  hits: built.hits.filter(({ step }) => step === null || step < built.steps.length),
}));

export const dropStep = defineDocumentCommand<DropStep>({
  kind: "drop_step",
  describe: () => "Back up",
  change: dropStepChange,
});
