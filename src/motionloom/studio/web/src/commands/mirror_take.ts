/** Mirror takes into new ones. */

import * as api from "../api/client";
import type * as T from "../api/types";
import { count } from "../words";
import { defineMaking, waitForTakes } from "./made_takes";

const keep = defineMaking("mirror_take", ({ of = [] }) =>
  of.length === 1 ? `Mirror ${of[0]}` : `Mirror ${count(of.length, "take")}`,
);

export async function mirrorTakes(takes: string[]): Promise<T.MadeTake[]> {
  const made = await waitForTakes(await api.mirrorTakes({ takes }));
  const names = made.flatMap((take) => take.made ?? []);
  if (names.length > 0) await keep({ takes: names, of: takes });
  return made;
}
