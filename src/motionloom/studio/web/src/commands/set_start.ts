/** Set what a character begins with: a pose, or a take that it goes on from. */

import type * as T from "../api/types";
import { defineDocumentCommand } from "./command";
import { editBuilt } from "./edit_buildup";

export interface SetStart {
  character: number;
  pose: T.Pose | null;
  take: string | null; // instead of a pose
  what: string; // for people
  position?: [number, number]; // metres along x and z; where it was to begin if left out
  heading?: number; // degrees; likewise
}

export const setStartChange = editBuilt<SetStart>((built, { pose, take, position, heading }) => ({
  ...built,
  start: { pose, position: position ?? built.start.position, heading: heading ?? built.start.heading },
  start_from: take,
}));

export const setStart = defineDocumentCommand<SetStart>({
  kind: "set_start",
  describe: ({ what }) => `Begin with ${what}`,
  change: setStartChange,
});
