/** Delete takes. They stay in the corpus, out of sight, until it is purged on the command line. */

import * as api from "../api/client";
import { count } from "../words";
import { defineCommand } from "./command";

export const removeTakes = defineCommand<{ takes: string[] }, null>({
  kind: "remove_takes",
  describe: ({ takes }) => (takes.length === 1 ? `Delete ${takes[0]}` : `Delete ${count(takes.length, "take")}`),
  async execute({ takes }) {
    await api.removeTakes({ takes });
    return null;
  },
  async undo({ takes }) {
    await api.restoreTakes({ takes });
  },
});
