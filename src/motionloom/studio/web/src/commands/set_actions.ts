/** Choose which clips do what; null: as the labels propose. */

import type * as T from "../api/types";
import { defineDocumentCommand } from "./command";
import { editGraphRequest } from "./edit_graph";

export interface SetActions {
  actions: T.ClipsOfAction[] | null;
  title: string; // "Let punch 2 be a punch"
}

export const setActions = defineDocumentCommand<SetActions>({
  kind: "set_actions",
  describe: ({ title }) => title,
  change: editGraphRequest((request, { actions }) => ({ ...request, actions })),
});
