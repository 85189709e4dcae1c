/** Let more frames be match frames of a hub, or only those that are more alike. */

import type * as T from "../api/types";
import { defineDocumentCommand } from "./command";
import { editHub } from "./edit_graph";

export interface SetHubThreshold {
  hub: string;
  threshold: number; // metres
  like: T.TakeFrame | null; // what it is grown from: the largest set stays the one that it is while it gets smaller
}

export const setHubThresholdChange = editHub<SetHubThreshold>((hub, { threshold, like }) => ({
  ...hub,
  threshold,
  largest: hub.largest && like === null,
  like: hub.largest ? like : hub.like,
}));

export const setHubThreshold = defineDocumentCommand<SetHubThreshold>({
  kind: "set_hub_threshold",
  describe: ({ hub, threshold }) => `Set the threshold of ${hub} to ${(100 * threshold).toFixed(1)} cm`,
  change: setHubThresholdChange,
});
