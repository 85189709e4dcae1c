/** Add a hub to the graph. */

import type * as T from "../api/types";
import { defineDocumentCommand } from "./command";
import { editGraph } from "./edit_graph";

export interface AddHub {
  hub: T.Hub;
  colour: number; // of the palette
}

export const addHub = defineDocumentCommand<AddHub>({
  kind: "add_hub",
  describe: ({ hub }) => `Add ${hub.name ?? "a hub"}`,
  change: editGraph((part, { hub, colour }) => ({
    request: { ...part.request, hubs: [...part.request.hubs, hub] },
    colours: hub.name ? { ...part.colours, [hub.name]: colour } : part.colours,
  })),
});
