/** Paint a stretch of a label: must, must not, or erase it. */

import { paintOver, type Value } from "../workspaces/timeline/paint";
import { defineDocumentCommand } from "./command";
import { editRequest } from "./edit_request";

export interface PaintLabel {
  label: string;
  start: number; // frames [start, stop) of the request
  stop: number;
  value: Value | null; // null erases
}

const WORDS = { must: "Paint", must_not: "Paint not" } as const;

export const paintChange = editRequest<PaintLabel>((request, { label, start, stop, value }) =>
  paintOver(request, label, start, stop, value),
);

export const paintLabel = defineDocumentCommand<PaintLabel>({
  kind: "paint_label",
  describe: ({ label, value }) => `${value === null ? "Erase" : WORDS[value]} ${label}`,
  change: paintChange,
});
