/** Take a hub out of the graph. */

import { defineDocumentCommand } from "./command";
import { editGraph, hubName } from "./edit_graph";

export interface DropHub {
  hub: string;
}

export const dropHub = defineDocumentCommand<DropHub>({
  kind: "drop_hub",
  describe: ({ hub }) => `Drop ${hub}`,
  change: editGraph(({ request, colours }, { hub }) => ({
    request: { ...request, hubs: request.hubs.filter((_, i) => hubName(request, i) !== hub) },
    colours: Object.fromEntries(Object.entries(colours).filter(([name]) => name !== hub)),
  })),
});
