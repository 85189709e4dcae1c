/** Hatches: what a stretch means can be seen without its colour. */

export type Hatch = "stripes" | "warning" | "dots";

const made = new Map<string, CanvasPattern>();

/** A pattern in one colour, sharp at the screen's resolution. */
export function hatch(context: CanvasRenderingContext2D, kind: Hatch, colour: string, ratio: number): CanvasPattern | string {
  const key = `${kind} ${colour} ${ratio}`;
  let pattern = made.get(key);
  if (!pattern) {
    const tile = drawTile(kind, colour, ratio);
    const fresh = tile && context.createPattern(tile, "repeat");
    if (!fresh) return colour;
    if (ratio !== 1) fresh.setTransform(new DOMMatrix().scale(1 / ratio));
    if (made.size > 200) made.clear(); // many themes and colours later
    made.set(key, fresh);
    pattern = fresh;
  }
  return pattern;
}

const SIZES: Record<Hatch, number> = { stripes: 7, warning: 9, dots: 5 };

function drawTile(kind: Hatch, colour: string, ratio: number): HTMLCanvasElement | null {
  const size = Math.round(SIZES[kind] * ratio);
  const tile = document.createElement("canvas");
  tile.width = tile.height = size;
  const pen = tile.getContext("2d");
  if (!pen) return null;
  pen.strokeStyle = pen.fillStyle = colour;
  if (kind === "dots") {
    pen.beginPath();
    pen.arc(size / 2, size / 2, 0.85 * ratio, 0, 2 * Math.PI);
    pen.fill();
    return tile;
  }
  // Lines are drawn three times so that they meet at the tile's borders.
  const slope = kind === "stripes" ? 1 : -1;
  pen.lineWidth = (kind === "stripes" ? 1.6 : 3) * ratio;
  for (const shift of [-size, 0, size]) {
    pen.beginPath();
    pen.moveTo(shift - size, slope > 0 ? 2 * size : -size);
    pen.lineTo(shift + 2 * size, slope > 0 ? -size : 2 * size);
    pen.stroke();
  }
  return tile;
}
