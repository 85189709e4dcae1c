/** Accept a way: what is built goes on to a pose. */

import type * as T from "../api/types";
import { defineDocumentCommand } from "./command";
import { editBuilt } from "./edit_buildup";

export interface AddStep {
  character: number;
  step: T.Step;
  what: string; // the pose, for people
}

export const addStepChange = editBuilt<AddStep>((built, { step }) => ({ ...built, steps: [...built.steps, step] }));

export const addStep = defineDocumentCommand<AddStep>({
  kind: "add_step",
  describe: ({ what }) => `Go on to ${what}`,
  change: addStepChange,
});
