/** A guest of the stage. */

import type { CharacterSpec } from "./view3d/types";

/** A character that is moved by a workspace itself, frame by frame, such as one that is driven live. */
export interface Guest {
  spec: Omit<CharacterSpec, "id" | "style">;
  dressed?(): void; // the view has it: give it a pose with `stage.view.pose(MAIN, ...)`, and trails
  toggle(): void;
  seek(time: number): void;
  step(frames: number): void;
}
