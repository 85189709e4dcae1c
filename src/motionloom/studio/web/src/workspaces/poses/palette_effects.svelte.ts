/** Effects of every workspace with a palette of poses; to be called in the script of a component. */

import { untrack } from "svelte";
import { loadBody, loadSkeleton } from "../../motion/loading";
import { studio } from "../../state.svelte";
import { makePortraits } from "../../view3d/portraits";
import type { Looks, PosePalette } from "./palette.svelte";
import { PORTRAIT } from "./Portrait.svelte";

/** Load the body of the poses, and draw their pictures, again where the theme changes. */
export function runPaletteEffects(palette: PosePalette): void {
  $effect(() => {
    const digest = palette.value?.skeleton;
    if (digest === undefined) return;
    void Promise.all([loadSkeleton(digest), loadBody(digest).catch(() => null)]).then(
      ([skeleton, body]) => (palette.looks = { skeleton, body }),
      () => undefined, // ghosts stay away until the connection is back
    );
  });

  $effect(() => {
    const { cards, looks } = palette;
    void studio.isDark;
    if (looks.skeleton !== null && cards.length > 0) untrack(() => void draw(palette, looks));
  });
}

/** Draw the pictures of all poses. */
async function draw(palette: PosePalette, { skeleton, body }: Looks): Promise<void> {
  const { cards } = palette;
  if (skeleton === null) return;
  const colour = getComputedStyle(document.documentElement).getPropertyValue("--view-body").trim();
  const poses = cards.map(({ root, rotations }) => ({ root: new Float32Array(root), rotations: new Float32Array(rotations) }));
  try {
    const pictures = await makePortraits(skeleton, body, poses, { colour, width: 2 * PORTRAIT.width, height: 2 * PORTRAIT.height });
    if (cards === palette.cards) palette.portraits = new Map(cards.map((card, n) => [card.group, pictures[n]]));
  } catch {
    // a browser without WebGL: the names are there
  }
}
