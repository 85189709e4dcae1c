/** Put a prop into space. */

import type * as T from "../api/types";
import { defineDocumentCommand } from "./command";
import { editBuildup } from "./edit_buildup";

export interface AddProp {
  prop: T.PropPart;
}

export const addPropChange = editBuildup<AddProp>((part, { prop }) => ({ ...part, props: [...part.props, prop] }));

export const addProp = defineDocumentCommand<AddProp>({
  kind: "add_prop",
  describe: ({ prop }) => `Add ${prop.name}`,
  change: addPropChange,
});
