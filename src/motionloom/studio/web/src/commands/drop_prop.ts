/** Remove a prop, with what is to hit it. */

import { defineDocumentCommand } from "./command";
import { editBuildup } from "./edit_buildup";
import { withProp } from "./edit_props";

export interface DropProp {
  index: number;
  name: string;
}

export const dropPropChange = editBuildup<DropProp>((part, { index }) => withProp(part, index, null));

export const dropProp = defineDocumentCommand<DropProp>({
  kind: "drop_prop",
  describe: ({ name }) => `Remove ${name}`,
  change: dropPropChange,
});
