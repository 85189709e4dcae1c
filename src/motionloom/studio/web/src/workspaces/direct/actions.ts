/** Opening motions to direct, and beginning anew. */

import { EMPTY } from "../../api/constants";
import type * as T from "../../api/types";
import { undo } from "../../commands/command";
import { loadDirect } from "../../commands/load_direct";
import { notify, studio } from "../../state.svelte";
import { takeLines } from "../method/take_list.svelte";
import { directState } from "./direct.svelte";
import type { Kind } from "./kinds";

/** A blank request with the prior that was chosen, unless that was for another kind of motion. */
function blank(kind: Kind): T.DirectRequest {
  const { prior, method, prior_weight, fps } = studio.document.direct.request;
  if (kind !== directState.kind) return { ...EMPTY.direct.request, fps };
  return { ...EMPTY.direct.request, prior, method, prior_weight, fps };
}

const kindOfTake = (take: string): Kind => (takeLines.points.some(({ name }) => name === take) ? "points" : "body");

/** Begin with nothing, with a body or a face. */
export async function openNew(kind: Kind): Promise<void> {
  const request = blank(kind);
  directState.wantedKind = kind;
  if (!directState.isBlank) await load(request, "Begin anew", "The request was reset");
}

/** Edit a take. */
export async function openToDirect(take: string): Promise<void> {
  if (take === studio.document.direct.request.start_from) return;
  await load({ ...blank(kindOfTake(take)), start_from: take }, `Direct ${take}`, `${take} is opened; what was asked before is put away`);
}

async function load(request: T.DirectRequest, what: string, notice: string): Promise<void> {
  const wasBlank = directState.isBlank;
  directState.selected = null;
  directState.joint = null;
  directState.comparing = "after";
  const isDone = await loadDirect({ request, what });
  if (isDone && !wasBlank) notify("info", notice, { text: "Undo", run: () => void undo() });
}

/** Edit a take here, from another workspace. */
export function directTake(take: string): Promise<boolean> {
  return loadDirect({ request: { ...blank(kindOfTake(take)), start_from: take }, what: `Direct ${take}`, opens: true });
}

export async function beginAnew(): Promise<void> {
  directState.selected = null;
  if (await loadDirect({ request: EMPTY.direct.request, what: "Begin anew" })) notify("info", "The request was reset", { text: "Undo", run: () => void undo() });
}
