/**
 * Colours of labels: twelve that stay apart for colour-blind eyes, lightness and hue both varied;
 * the same label has the same colour in every workspace.
 */
const LABEL_COLOURS = [
  "#0072b2",
  "#d55e00",
  "#009e73",
  "#cc79a7",
  "#b08b00",
  "#56a3d9",
  "#8c4a2f",
  "#6a51a3",
  "#5c8a00",
  "#c43c5c",
  "#3f8f8f",
  "#7a7a7a",
] as const;

/** The colour of a label among those that the corpus knows; others get one by their letters. */
export function labelColour(label: string, known: readonly string[] = []): string {
  const place = known.indexOf(label);
  const number = place >= 0 ? place : [...label].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
  return LABEL_COLOURS[number % LABEL_COLOURS.length] ?? LABEL_COLOURS[0];
}

export const labelColours: readonly string[] = LABEL_COLOURS;
