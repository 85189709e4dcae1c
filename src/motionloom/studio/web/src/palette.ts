/**
 * Colours of labels: twelve that stay apart for colour-blind eyes, lightness and hue both varied. Which of them a label
 * has is decided by the server, once for ever; so it is the same in every workspace and every document of a corpus.
 */
import * as api from "./api/client";
import { studio } from "./state.svelte";

const COLOURS = [
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
const UNDECIDED = "var(--text-faint)"; // for a moment: the server is being asked

export const palette: readonly string[] = COLOURS;

const asked = new Set<string>(); // words whose colours the server was asked for
let waiting: string[] = [];

/** The colour of a label; of one that is new, as soon as the server has decided it. */
export function labelColour(label: string): string {
  if (Object.hasOwn(studio.labelNumbers, label)) return paletteColour(studio.labelNumbers[label]);
  askFor(label);
  return UNDECIDED;
}

/** The colour of something that is no label, such as a take: by a hash of its name. */
export function nameColour(name: string): string {
  return paletteColour([...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7));
}

/** The colour of a button or an action: of the label it is called by, if it is one. */
export function actionColour(name: string): string {
  return Object.hasOwn(studio.labelNumbers, name) ? labelColour(name) : nameColour(name);
}

export function paletteColour(number: number): string {
  return COLOURS[number % COLOURS.length] ?? COLOURS[0];
}

/** Load the colours of the labels of the corpus that is open; those of another one are forgotten. */
export async function loadLabelColours(): Promise<void> {
  asked.clear();
  try {
    studio.labelNumbers = (await api.knownLabelColours()).numbers;
  } catch {
    studio.labelNumbers = {}; // they are asked for one by one
  }
}

/** Ask the server for the colour of a word, together with all others that are drawn at the same time. */
function askFor(label: string): void {
  if (asked.has(label)) return;
  asked.add(label);
  if (waiting.push(label) === 1) setTimeout(() => void askNow(), 0);
}

async function askNow(): Promise<void> {
  const labels = waiting;
  waiting = [];
  try {
    const { numbers } = await api.moreLabelColours({ labels });
    studio.labelNumbers = { ...studio.labelNumbers, ...numbers };
  } catch {
    // they stay undecided until the connection is back
  }
}
