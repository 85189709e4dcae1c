/** The tokens of the page as a canvas can use them: resolved once, read again when the theme changes. */

export interface Colours {
  must: string;
  mustNot: string;
  unmet: string;
  accent: string;
  line: string;
  text: string;
  textDim: string;
  panel: string;
  panel2: string;
  holds: string;
  proposed: string;
  verified: string;
  font: string; // family
  /** Any CSS colour, custom properties too. */
  resolve: (css: string) => string;
  /** A colour that can be seen as a thin line on a panel: as it is, or nearer to the text's. */
  legible: (css: string) => string;
  /** The ink, of text and panel, that is easier to read on a colour. */
  inkOn: (colour: string) => string;
}

export function readColours(host: HTMLElement): Colours {
  const probe = document.createElement("span");
  probe.style.display = "none";
  host.append(probe);
  const known = new Map<string, string>();
  const resolve = (css: string): string => {
    let colour = known.get(css);
    if (colour === undefined) {
      if (!probe.isConnected) host.append(probe);
      probe.style.color = "";
      probe.style.color = css;
      colour = getComputedStyle(probe).color || css;
      known.set(css, colour);
      probe.remove();
    }
    return colour;
  };
  const token = (name: string) => resolve(`var(--${name})`);
  const text = token("text");
  const panel = token("panel");
  const inks = new Map<string, string>();
  const inkOn = (colour: string): string => {
    let ink = inks.get(colour);
    if (ink === undefined) {
      const ground = brightness(colour);
      ink = contrast(ground, brightness(panel)) > contrast(ground, brightness(text)) ? panel : text;
      inks.set(colour, ink);
    }
    return ink;
  };
  const legibles = new Map<string, string>();
  const legible = (css: string): string => {
    let colour = legibles.get(css);
    if (colour === undefined) {
      const ground = brightness(panel);
      colour = resolve(css);
      for (let part = 85; part >= 40 && contrast(brightness(colour), ground) < 3; part -= 15) {
        colour = resolve(`color-mix(in srgb, ${css} ${part}%, ${text})`);
      }
      legibles.set(css, colour);
    }
    return colour;
  };
  return {
    must: token("must"),
    mustNot: token("must-not"),
    unmet: token("unmet"),
    accent: token("accent"),
    line: token("line"),
    text,
    textDim: token("text-dim"),
    panel,
    panel2: token("panel-2"),
    holds: token("holds"),
    proposed: token("proposed"),
    verified: token("verified"),
    font: getComputedStyle(host).fontFamily || "sans-serif",
    resolve,
    legible,
    inkOn,
  };
}

/** Calls back when the theme may have changed: on the root element, or in the system. */
export function watchTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["class", "data-theme", "style"] });
  const system = typeof matchMedia === "function" ? matchMedia("(prefers-color-scheme: dark)") : null;
  system?.addEventListener?.("change", changed);
  return () => {
    observer.disconnect();
    system?.removeEventListener?.("change", changed);
  };
}

let pixel: CanvasRenderingContext2D | null | undefined;

/** Relative luminance, 0 to 1, of any colour a canvas understands. */
function brightness(colour: string): number {
  if (pixel === undefined) {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    pixel = canvas.getContext("2d", { willReadFrequently: true });
  }
  if (!pixel) return 0.5;
  pixel.clearRect(0, 0, 1, 1);
  pixel.fillStyle = colour;
  pixel.fillRect(0, 0, 1, 1);
  const [r, g, b] = [...pixel.getImageData(0, 0, 1, 1).data].map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
