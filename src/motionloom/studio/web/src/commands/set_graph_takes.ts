/** Choose the takes that a graph is made from; match frames of takes that are left out go with them. */

import type * as T from "../api/types";
import { count } from "../words";
import { defineDocumentCommand } from "./command";
import { editGraph, hubName } from "./edit_graph";

export interface SetGraphTakes {
  takes: string[];
}

export const setGraphTakes = defineDocumentCommand<SetGraphTakes>({
  kind: "set_graph_takes",
  describe: ({ takes }) => (takes.length === 0 ? "Choose no takes" : `Choose ${count(takes.length, "take")} for the graph`),
  change: editGraph(({ request, colours }, { takes }) => {
    const isThere = (frame: T.TakeFrame): boolean => takes.some((take) => take === frame.take || take.endsWith(`/${frame.take}`));
    const kept = request.hubs.flatMap((hub, i) => {
      const frames = hub.frames.filter(isThere);
      const isLeft = hub.largest || (hub.like === null ? frames.length > 0 : isThere(hub.like));
      const [add, drop] = [hub.add.filter(isThere), hub.drop.filter(isThere)];
      return isLeft ? [{ ...hub, name: hubName(request, i), frames, add, drop }] : [];
    });
    const names = new Set(kept.map((hub) => hub.name));
    return {
      request: { ...request, takes, hubs: kept },
      colours: Object.fromEntries(Object.entries(colours).filter(([name]) => names.has(name))),
    };
  }),
});
