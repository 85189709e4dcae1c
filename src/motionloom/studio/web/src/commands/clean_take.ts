/** Clean takes into new ones: the old ones stay, so that both can be compared. */

import * as api from "../api/client";
import type * as T from "../api/types";
import { count } from "../words";
import { defineMaking, waitForTakes } from "./made_takes";

const keep = defineMaking("clean_take", ({ of = [] }) =>
  of.length === 1 ? `Clean ${of[0]}` : `Clean ${count(of.length, "take")}`,
);

export async function cleanTakes(takes: string[], what: { feet: boolean; spikes: boolean }): Promise<T.MadeTake[]> {
  const made = await waitForTakes(await api.cleanTakes({ takes, ...what }));
  const names = made.flatMap((take) => take.made ?? []);
  if (names.length > 0) await keep({ takes: names, of: takes });
  return made;
}
