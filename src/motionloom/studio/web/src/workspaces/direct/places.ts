/** Places on the ground: of key poses, and where the root has to be. */

import type * as T from "../../api/types";
import { editDirect } from "../../commands/edit_direct";
import type { DragPhase } from "../../view3d/types";
import { entryOf, idOf, nameOf, newEntry } from "./demands";
import { directState } from "./direct.svelte";
import { follow, withEntry } from "./gestures";
import { atFrame } from "./times";

const round = (value: number, digits = 3): number => Number(value.toFixed(digits));

/** A disc is dragged, or its arrow turned. */
export function onWaypoint(id: string, x: number, z: number, heading: number | null, phase: DragPhase): void {
  const entry = entryOf(id);
  const { request } = directState;
  if (entry === null || (entry.list !== "poses" && entry.list !== "root") || entry.index >= request[entry.list].length) return;
  directState.selected = id;
  if (phase === "start") {
    directState.search.cancel();
    directState.keepGhost();
    return;
  }
  const degrees = heading === null ? null : round((heading * 180) / Math.PI, 1);
  const place: [number, number] = [round(x), round(z)];
  const changes =
    entry.list === "poses"
      ? withEntry<T.KeyPose>(entry, (pose) => ({ ...pose, place, heading: degrees, as_recorded: false }))
      : withEntry<T.Root>(entry, (root) => ({ ...root, position: place, heading: degrees }));
  follow(phase, { changes, what: `Move ${nameOf(request, entry)}` });
  if (phase !== "move") directState.before = null;
}

/** A double click on the ground: the root has to be there now. */
export function onGround(x: number, z: number): void {
  const { request, frame, frames, isBlank } = directState;
  if (isBlank || frames === 0) return;
  const position: [number, number] = [round(x), round(z)];
  const at = atFrame(frame);
  const same = request.root.findIndex((root) => root.at === at && root.position != null);
  const root = same < 0 ? [...request.root, newEntry("root", { at, position })] : request.root.map((each, n) => (n === same ? { ...each, position } : each));
  directState.selected = idOf({ list: "root", index: same < 0 ? request.root.length : same });
  void editDirect({ changes: { root }, what: "Place the body" });
}
