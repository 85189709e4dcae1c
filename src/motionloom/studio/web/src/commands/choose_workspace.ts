/** Go to another workspace. It is remembered with the document but is no step of the work, so undo passes over it. */

import { studio, type WorkspaceName } from "../state.svelte";
import { saveSoon } from "../saving";

export function chooseWorkspace(workspace: WorkspaceName): void {
  if (studio.document.workspace === workspace) return;
  studio.document = { ...studio.document, workspace };
  saveSoon();
}
