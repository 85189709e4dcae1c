/** Let more frames be match frames of a hub, or only those that are more alike. */

import { defineDocumentCommand } from "./command";
import { editHub } from "./edit_graph";

export interface SetHubThreshold {
  hub: string;
  threshold: number; // metres
}

export const setHubThresholdChange = editHub<SetHubThreshold>((hub, { threshold }) => ({ ...hub, threshold }));

export const setHubThreshold = defineDocumentCommand<SetHubThreshold>({
  kind: "set_hub_threshold",
  describe: ({ hub, threshold }) => `Set the threshold of ${hub} to ${(100 * threshold).toFixed(1)} cm`,
  change: setHubThresholdChange,
});
