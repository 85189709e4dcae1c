/** Let a frame be a match frame of a hub. */

import type * as T from "../api/types";
import { defineDocumentCommand } from "./command";
import { editHub, isFrame, without } from "./edit_graph";

export interface AddMatchFrame {
  hub: string;
  frame: T.TakeFrame;
}

export const addMatchFrame = defineDocumentCommand<AddMatchFrame>({
  kind: "add_match_frame",
  describe: ({ hub }) => `Add a match frame to ${hub}`,
  change: editHub((hub, { frame }) => {
    if (hub.drop.some((dropped) => isFrame(dropped, frame))) return { ...hub, drop: without(hub.drop, frame) };
    if (hub.frames.length > 0) return { ...hub, frames: [...without(hub.frames, frame), frame] };
    return { ...hub, add: [...without(hub.add, frame), frame] };
  }),
});
