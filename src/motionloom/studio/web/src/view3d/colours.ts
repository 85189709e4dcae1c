/** The colours of the 3D view, read from the custom properties of tokens.css so that both themes come from one file. */

import { Color, SRGBColorSpace } from "three";

import { ACCENT } from "./types";

/** The property of each colour, and what is used where a page has no tokens (the tests' bare pages). */
const TOKENS = {
  sky: ["--view-sky", "#eef0f3"],
  ground: ["--view-ground", "#f4f5f7"],
  grid: ["--view-grid", "#d9dce2"],
  gridStrong: ["--view-grid-strong", "#aab0bb"],
  shadow: ["--view-shadow", "#3b4252"],
  body: ["--view-body", "#c3c7cf"],
  body2: ["--view-body-2", "#d9b27c"],
  body3: ["--view-body-3", "#9cbf9f"],
  left: ["--view-left", "#2a7ab8"],
  right: ["--view-right", "#d97324"],
  support: ["--view-support", "#cdb894"],
  terrain: ["--view-terrain", "#b8bda0"],
  accent: ["--view-accent", "#3b6fe0"],
  unmet: ["--unmet", "#c98a12"],
} as const;

export type ColourName = keyof typeof TOKENS;
export type ViewColours = Record<ColourName, Color>;

/** Colours with their fallbacks; `readColours` fills in those of the page. */
export function makeColours(): ViewColours {
  const names = Object.keys(TOKENS) as ColourName[];
  return Object.fromEntries(names.map((name) => [name, new Color(TOKENS[name][1])])) as ViewColours;
}

/** Read all colours as they are inherited at an element, into the same Color objects. */
export function readColours(element: HTMLElement, colours: ViewColours): void {
  const probe = element.ownerDocument.createElement("span");
  probe.style.display = "none";
  (element.parentElement ?? element.ownerDocument.body).append(probe);
  const painter = makePainter(element.ownerDocument);
  for (const name of Object.keys(TOKENS) as ColourName[]) {
    const [property, fallback] = TOKENS[name];
    probe.style.color = `var(${property}, ${fallback})`;
    setColour(colours[name], getComputedStyle(probe).color, fallback, painter);
  }
  probe.remove();
}

/** Any CSS colour, also one that three cannot parse, such as oklch(...), as a three Color. */
export function parseColour(css: string, fallback: Color, owner: Document = document): Color {
  const colour = fallback.clone();
  setColour(colour, css.startsWith("var(") ? readToken(css, owner) : css, `#${fallback.getHexString()}`, makePainter(owner));
  return colour;
}

/** A colour that is named by a token, as it is now. */
function readToken(css: string, owner: Document): string {
  const probe = owner.createElement("span");
  probe.style.display = "none";
  probe.style.color = css;
  owner.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

export function bodyColour(colours: ViewColours, hue: number): Color {
  return hue === ACCENT ? colours.accent : [colours.body, colours.body2, colours.body3][hue % 3];
}

function makePainter(owner: Document): CanvasRenderingContext2D | null {
  const canvas = owner.createElement("canvas");
  canvas.width = canvas.height = 1;
  try {
    return canvas.getContext("2d", { willReadFrequently: true }) ?? null;
  } catch {
    return null; // a document without pictures
  }
}

function setColour(colour: Color, css: string, fallback: string, painter: CanvasRenderingContext2D | null): void {
  if (painter === null || css === "") {
    const parsed = /^(#|rgb)/.test(css) ? css : fallback;
    colour.setStyle(parsed);
    return;
  }
  painter.clearRect(0, 0, 1, 1);
  painter.fillStyle = fallback;
  painter.fillStyle = css; // keeps the fallback where this cannot be read
  painter.fillRect(0, 0, 1, 1);
  const [r, g, b] = painter.getImageData(0, 0, 1, 1).data;
  colour.setRGB(r / 255, g / 255, b / 255, SRGBColorSpace);
}
