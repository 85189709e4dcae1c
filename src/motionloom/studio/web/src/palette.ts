/**
 * Colours of labels: twelve that stay apart for colour-blind eyes, lightness and hue both varied;
 * the same label has the same colour in every workspace.
 */
import { studio } from "./state.svelte";

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

/**
 * The colour of a label: by its place in the vocabulary, so that it stays the same while labels come and go; then among
 * those that the corpus knows; others get a colour by a hash of their name.
 */
export function labelColour(label: string, known: readonly string[] = []): string {
  const { vocabulary } = studio.document.annotate;
  const first = vocabulary.indexOf(label);
  const others = known.filter((label) => !vocabulary.includes(label));
  const place = first >= 0 ? first : others.includes(label) ? vocabulary.length + others.indexOf(label) : -1;
  const number = place >= 0 ? place : [...label].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
  return LABEL_COLOURS[number % LABEL_COLOURS.length] ?? LABEL_COLOURS[0];
}

export const labelColours: readonly string[] = LABEL_COLOURS;
