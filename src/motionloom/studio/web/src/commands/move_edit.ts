/** Move the pose that an edit in the middle passes through, or turn it; edits behind it go with what they change. */

import type * as T from "../api/types";
import { framesOf } from "../workspaces/buildup/times";
import { defineDocumentCommand } from "./command";
import { editBuilt } from "./edit_buildup";

export interface MoveEdit {
  character: number;
  index: number;
  place: [number, number]; // metres along x and z
  heading: number | null; // degrees; null: whichever
  later: { from: number; by: number; fps: number } | null; // frames from one on come so many later; null: none does
  what: string; // the pose, for people
}

export const moveEditChange = editBuilt<MoveEdit>((built, { index, place, heading, later }) => ({
  ...built,
  edits: built.edits.map((edit, n) => (n < index ? edit : n === index ? { ...edit, place, heading } : withTimes(edit, later))),
}));

export const moveEdit = defineDocumentCommand<MoveEdit>({
  kind: "move_edit",
  describe: ({ what }) => `Move ${what}`,
  change: moveEditChange,
});

function withTimes(edit: T.Edit, later: MoveEdit["later"]): T.Edit {
  if (later === null || later.by === 0) return edit;
  const shifted = (time: string): string => {
    const frames = framesOf(time, later.fps);
    return frames === null || frames < later.from ? time : `${frames + later.by}f`;
  };
  return { ...edit, from: shifted(edit.from), to: edit.to ? shifted(edit.to) : edit.to };
}
