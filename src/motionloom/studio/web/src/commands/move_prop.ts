/** Move a prop, with what is to hit it. */

import { defineDocumentCommand } from "./command";
import { editBuildup } from "./edit_buildup";
import { withProp } from "./edit_props";

export interface MoveProp {
  index: number;
  position: [number, number, number]; // metres
  name: string;
}

export const movePropChange = editBuildup<MoveProp>((part, { index, position }) => withProp(part, index, { ...part.props[index], position }));

export const moveProp = defineDocumentCommand<MoveProp>({
  kind: "move_prop",
  describe: ({ name }) => `Move ${name}`,
  change: movePropChange,
});
