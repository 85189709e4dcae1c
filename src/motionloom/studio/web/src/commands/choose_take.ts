/** Look at another take. It is remembered with the document but is no step of the work, so undo passes over it. */

import { saveSoon } from "../saving";
import { studio } from "../state.svelte";

export function chooseTake(take: string | null): void {
  if (studio.document.library.take === take) return;
  studio.document = { ...studio.document, library: { ...studio.document.library, take } };
  saveSoon();
}
