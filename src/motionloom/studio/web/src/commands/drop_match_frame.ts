/** Let a frame be no match frame of a hub any more. */

import type * as T from "../api/types";
import { defineDocumentCommand } from "./command";
import { editHub, isFrame, without } from "./edit_graph";

export interface DropMatchFrame {
  hub: string;
  frame: T.TakeFrame;
}

export const dropMatchFrame = defineDocumentCommand<DropMatchFrame>({
  kind: "drop_match_frame",
  describe: ({ hub }) => `Drop a match frame of ${hub}`,
  change: editHub((hub, { frame }) => {
    if (hub.add.some((added) => isFrame(added, frame))) return { ...hub, add: without(hub.add, frame) };
    if (hub.frames.length > 0) return { ...hub, frames: without(hub.frames, frame) };
    return { ...hub, drop: [...without(hub.drop, frame), frame] };
  }),
});
