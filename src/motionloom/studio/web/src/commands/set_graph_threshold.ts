/** Set how alike the frames of a suggestion are at least. */

import { defineDocumentCommand } from "./command";
import { editGraphRequest } from "./edit_graph";

export interface SetGraphThreshold {
  threshold: number | null; // metres; null: the default for the takes
}

export const setGraphThresholdChange = editGraphRequest<SetGraphThreshold>((request, { threshold }) => ({ ...request, threshold }));

export const setGraphThreshold = defineDocumentCommand<SetGraphThreshold>({
  kind: "set_graph_threshold",
  describe: ({ threshold }) =>
    threshold === null ? "Suggest hubs with the usual threshold" : `Suggest hubs up to ${(100 * threshold).toFixed(1)} cm`,
  change: setGraphThresholdChange,
});
