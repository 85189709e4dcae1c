/** Rename a hub; it keeps its colour. */

import { defineDocumentCommand } from "./command";
import { editGraph, hubName } from "./edit_graph";

export interface RenameHub {
  hub: string;
  name: string;
}

export const renameHub = defineDocumentCommand<RenameHub>({
  kind: "rename_hub",
  describe: ({ hub, name }) => `Rename ${hub} to ${name}`,
  change: editGraph(({ request, colours }, { hub, name }) => ({
    request: { ...request, hubs: request.hubs.map((hubRequest, i) => (hubName(request, i) === hub ? { ...hubRequest, name } : hubRequest)) },
    colours: Object.fromEntries(Object.entries(colours).map(([known, colour]) => [known === hub ? name : known, colour])),
  })),
});
