/** What is drawn in the view and on the timeline, computed again only where something of it has changed. */

import { directState } from "./direct.svelte";
import { extras } from "./extras";
import { facePictures } from "./face_pictures.svelte";
import { makeRows } from "./rows";

class Drawn {
  readonly extras = $derived(extras());
  readonly rows = $derived(
    makeRows(directState.request, {
      isOfPoints: directState.isPoints,
      frames: directState.frames,
      selected: directState.selected,
      cards: directState.poses.cards,
      pictures: directState.poses.portraits,
      faceOf: (frame) => facePictures.of(frame),
      resting: directState.resting,
      outcome: (entry) => directState.outcome(entry),
    }),
  );
}

export const drawn = new Drawn();
