/** The hub graph of the document: built by the server, held here, played by whoever plays. */

import { studio } from "./state.svelte";

/** Have the document's graph built, unless it is there or under way; resolves when `studio.hubs` is as new as it gets. */
export async function ensureBuilt(): Promise<void> {
  await Promise.resolve(studio.hubs);
}
