/** Keep a motion that was found as a take. */

import * as api from "../api/client";
import { defineCommand } from "./command";

export const saveAnswer = defineCommand<{ answer: string; name: string }, { take: string }>({
  kind: "save_answer",
  describe: ({ name }) => `Save ${name}`,
  async execute({ answer, name }) {
    return { take: (await api.keepAnswer({ answer, name })).take };
  },
  async undo(_args, { take }) {
    await api.removeTakes({ takes: [take] });
  },
  async redo(_args, memory) {
    await api.restoreTakes({ takes: [memory.take], numbers: null });
    return memory;
  },
});
