/** Make the skeleton of a take the reference that all takes are shown on together. */

import * as api from "../api/client";
import type * as T from "../api/types";
import { defineCommand } from "./command";

export const chooseReference = defineCommand<{ take: string }, T.StoredReference>({
  kind: "choose_reference",
  describe: ({ take }) => `Show all takes on the skeleton of ${take}`,
  async execute({ take }) {
    return (await api.chooseReference({ take })).before;
  },
  async undo(_args, before) {
    await api.restoreReference(before);
  },
});
