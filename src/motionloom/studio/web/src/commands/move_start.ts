/** Move where a character begins: another place on the ground, looking another way. */

import { defineDocumentCommand } from "./command";
import { editBuilt } from "./edit_buildup";

export interface MoveStart {
  character: number;
  position: [number, number]; // metres along x and z
  heading: number; // degrees
}

export const moveStartChange = editBuilt<MoveStart>((built, { position, heading }) => ({ ...built, start: { ...built.start, position, heading } }));

export const moveStart = defineDocumentCommand<MoveStart>({
  kind: "move_start",
  describe: () => "Begin elsewhere",
  change: moveStartChange,
});
