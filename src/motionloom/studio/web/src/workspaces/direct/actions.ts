/** Opening motions to direct, and beginning anew. */

import { EMPTY } from "../../api/constants";
import type * as T from "../../api/types";
import { undo } from "../../commands/command";
import { loadDirect } from "../../commands/load_direct";
import { notify, studio } from "../../state.svelte";
import { directState } from "./direct.svelte";

/** A blank request with the prior that was chosen. */
function blank(): T.DirectRequest {
  const { prior, method, prior_weight, fps } = studio.document.direct.request;
  return { ...EMPTY.direct.request, prior, method, prior_weight, fps };
}

/** Edit a take, or begin with nothing (null). */
export async function openToDirect(take: string | null): Promise<void> {
  const { start_from } = studio.document.direct.request;
  if (take === (start_from ?? null)) return;
  const wasBlank = directState.isBlank;
  directState.selected = null;
  const isDone = await loadDirect({ request: { ...blank(), start_from: take }, what: take === null ? "Begin anew" : `Direct ${take}` });
  if (isDone && !wasBlank) notify("info", take === null ? "The request was reset" : `${take} is opened; what was asked before is put away`, { text: "Undo", run: () => void undo() });
}

/** Edit a take here, from another workspace. */
export function directTake(take: string): Promise<boolean> {
  return loadDirect({ request: { ...blank(), start_from: take }, what: `Direct ${take}`, opens: true });
}

export async function beginAnew(): Promise<void> {
  directState.selected = null;
  if (await loadDirect({ request: EMPTY.direct.request, what: "Begin anew" })) notify("info", "The request was reset", { text: "Undo", run: () => void undo() });
}
