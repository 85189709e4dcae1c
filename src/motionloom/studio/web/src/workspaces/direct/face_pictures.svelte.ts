/** Pictures of key faces for the timeline: their sketches, drawn once for each theme. */

import type * as T from "../../api/types";
import { sketches } from "../../sketches.svelte";
import { studio } from "../../state.svelte";
import { linePath, outlinePath } from "../../widgets/sketch_paths";

const SIZE = 92; // pixels: twice the height of a row
const WIDE = 0.78; // of that: a face is higher than wide
const THIN = 0.008; // of the picture
const THICK = 0.03;

const keyOf = ({ take, frame }: T.Frame): string => `${take}\n${frame}`;

class FacePictures {
  private drawn = $state.raw<ReadonlyMap<string, ImageBitmap>>(new Map());
  private isDark: boolean | null = null;

  of(face: T.Frame): ImageBitmap | undefined {
    return this.drawn.get(keyOf(face));
  }

  /** Draw those whose sketches have come; to be called in an effect, which runs again when more come. */
  draw(faces: readonly T.Frame[], revision: number): void {
    const known = this.isDark === studio.isDark ? this.drawn : new Map<string, ImageBitmap>();
    this.isDark = studio.isDark;
    const pictures = new Map<string, ImageBitmap>();
    for (const face of faces) {
      const { take, frame } = face;
      sketches.want(take, frame, revision);
      const sketch = sketches.of(take, frame);
      const picture = known.get(keyOf(face)) ?? (sketch ? drawSketch(sketch) : undefined);
      if (picture !== undefined) pictures.set(keyOf(face), picture);
    }
    const isSame = pictures.size === this.drawn.size && [...pictures].every(([key, picture]) => this.drawn.get(key) === picture);
    if (!isSame) this.drawn = pictures;
  }
}

function drawSketch({ lines, outlines }: T.Sketch): ImageBitmap | undefined {
  const canvas = new OffscreenCanvas(WIDE * SIZE, SIZE);
  const context = canvas.getContext("2d");
  if (context === null) return undefined;
  const style = getComputedStyle(document.documentElement);
  context.scale(SIZE, SIZE);
  context.translate((WIDE - 1) / 2, 0);
  context.lineCap = context.lineJoin = "round";
  for (const [path, width, token] of [[linePath(lines), THIN, "--text-faint"], [outlinePath(outlines), THICK, "--accent"]] as const) {
    context.lineWidth = width;
    context.strokeStyle = style.getPropertyValue(token).trim();
    context.stroke(new Path2D(path));
  }
  return canvas.transferToImageBitmap();
}

export const facePictures = new FacePictures();
