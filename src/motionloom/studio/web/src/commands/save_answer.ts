/** Keep the motions of an answer as takes. */

import * as api from "../api/client";
import { defineCommand } from "./command";

type Kept = { takes: string[] } | { take: string }; // older histories have one take

const takesOf = (kept: Kept): string[] => ("takes" in kept ? kept.takes : [kept.take]);

export const saveAnswer = defineCommand<{ answer: string; name: string }, Kept>({
  kind: "save_answer",
  describe: ({ name }) => `Save ${name}`,
  async execute({ answer, name }) {
    return { takes: (await api.keepAnswer({ answer, name })).takes };
  },
  async undo(_args, kept) {
    await api.removeTakes({ takes: takesOf(kept) });
  },
  async redo(_args, kept) {
    await api.restoreTakes({ takes: takesOf(kept), numbers: null });
    return kept;
  },
});
