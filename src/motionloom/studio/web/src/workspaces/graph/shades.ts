/** Distances as colours: near is dark, far is pale, what cannot be compared is as the panel. */

export type Colour = [number, number, number];

/** 256 colours, as one number for each pixel of a canvas. */
export function makeShades(near: Colour, middle: Colour, far: Colour, none: Colour): Uint32Array {
  const shades = new Uint32Array(256);
  for (let value = 0; value < 255; value++) {
    const part = value / 254;
    const [from, to, at] = part < 0.5 ? [near, middle, part * 2] : [middle, far, part * 2 - 1];
    shades[value] = packed(from.map((channel, k) => channel + (to[k] - channel) * at) as Colour);
  }
  shades[255] = packed(none);
  return shades;
}

/** "#0d1420" as numbers. */
export function readColour(text: string): Colour {
  const digits = text.trim().replace("#", "");
  const [r, g, b] = [0, 2, 4].map((at) => parseInt(digits.slice(at, at + 2), 16));
  return [r, g, b].some(Number.isNaN) ? [128, 128, 128] : [r, g, b];
}

/** As canvases hold pixels: alpha, blue, green, red from the highest byte on. */
function packed([r, g, b]: Colour): number {
  return ((255 << 24) | (Math.round(b) << 16) | (Math.round(g) << 8) | Math.round(r)) >>> 0;
}
