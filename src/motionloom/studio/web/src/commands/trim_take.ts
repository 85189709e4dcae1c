/** Make some frames of a take a take of their own. */

import * as api from "../api/client";
import type * as T from "../api/types";
import { defineMaking, waitForTakes } from "./made_takes";

const keep = defineMaking("trim_take", ({ of = [] }) => `Trim ${of[0]}`);

export async function trimTake(take: string, start: number, stop: number): Promise<T.MadeTake[]> {
  const made = await waitForTakes(await api.trimTake({ take, start, stop }));
  const names = made.flatMap((take) => take.made ?? []);
  if (names.length > 0) await keep({ takes: names, of: [take] });
  return made;
}
