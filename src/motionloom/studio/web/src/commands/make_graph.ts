/** Make a hub graph of takes in one step: the largest match sets become its hubs. */

import type * as T from "../api/types";
import { count } from "../words";
import { defineDocumentCommand } from "./command";
import { editGraph, makeHub } from "./edit_graph";

export interface MakeGraph {
  takes: string[];
  hubs: number;
}

export const makeGraphChange = editGraph<MakeGraph>(({ request }, { takes, hubs }) => {
  const made: T.Hub[] = Array.from({ length: hubs }, (_, n) => makeHub(`hub ${n + 1}`, { largest: true }));
  return {
    request: { ...request, takes, hubs: made, actions: null },
    colours: Object.fromEntries(made.map((hub, n) => [hub.name ?? "", n])),
  };
});

export const makeGraph = defineDocumentCommand<MakeGraph>({
  kind: "make_graph",
  describe: ({ takes }) => `Make a graph of ${count(takes.length, "take")}`,
  change: makeGraphChange,
});
