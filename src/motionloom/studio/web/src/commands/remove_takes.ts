/** Delete takes. They stay in the corpus, out of sight, until it is purged on the command line. */

import * as api from "../api/client";
import type * as T from "../api/types";
import { count } from "../words";
import { defineCommand } from "./command";

export const removeTakes = defineCommand<{ takes: string[] }, T.RemovedTakes | null>({
  kind: "remove_takes",
  describe: ({ takes }) => (takes.length === 1 ? `Delete ${takes[0]}` : `Delete ${count(takes.length, "take")}`),
  async execute({ takes }) {
    return api.removeTakes({ takes });
  },
  async undo({ takes }, removed) {
    await api.restoreTakes({ takes, numbers: removed?.numbers ?? null });
  },
});
