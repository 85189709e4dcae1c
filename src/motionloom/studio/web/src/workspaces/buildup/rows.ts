/** The rows of the timeline: the poses of each character, in the order in which it comes to them. */

import type * as T from "../../api/types";
import type { Stretch, Track } from "../../widgets/timeline/types";
import { cardOf, colourOf, nameOf } from "./poses";

const TALL = 46; // pixels

export const rowOf = (character: number): string => `character:${character}`;
export const stretchOf = (character: number, step: number): string => `${rowOf(character)}@${step}`;

/** Seconds of all that a character has built. */
export function builtSeconds(standing: T.Standing | null, fps: number): number {
  return (standing?.steps.at(-1)?.stop ?? 0) / fps;
}

export interface Row {
  name: string;
  standing: T.Standing | null;
  wish: { card: T.PoseCard; seconds: number } | null; // what is tried now, and how long it takes
}

interface Looks {
  fps: number;
  cards: readonly T.PoseCard[];
  pictures: ReadonlyMap<number, ImageBitmap>;
  selected: string | null;
}

export function makeRows(rows: readonly Row[], looks: Looks): Track[] {
  return rows.map((row, character) => ({
    id: rowOf(character),
    name: row.name || (rows.length > 1 ? `Character ${character + 1}` : "Poses"),
    colour: "var(--accent)",
    height: TALL,
    paintable: false,
    movable: false,
    takesDrops: true,
    stretches: [...stretches(row, character, looks), ...wished(row, character, looks)],
    marks: (row.standing?.steps ?? []).flatMap(({ step, start, stop }) => {
      const why = step === null ? "" : (row.standing?.why_not[step] ?? "");
      return why === "" ? [] : [{ start: start / looks.fps, stop: stop / looks.fps, kind: "missed" as const, title: why }];
    }),
  }));
}

function stretches({ standing }: Row, character: number, { fps, cards, pictures, selected }: Looks): Stretch[] {
  return (standing?.steps ?? []).flatMap((part) => {
    const card = cardOf(cards, part.group);
    if (part.step === null && part.stop - part.start < 2) return []; // one pose has no length to be shown
    const text = part.step === null ? "start" : card === null ? `step ${part.step + 1}` : nameOf(cards, card);
    const id = stretchOf(character, part.step ?? -1);
    return [
      {
        id,
        start: part.start / fps,
        stop: part.stop / fps,
        kind: "clip" as const,
        text,
        title: `${text}, after ${((part.stop - part.start) / fps).toFixed(1)} s`,
        colour: card === null ? undefined : colourOf(cards, card),
        picture: pictures.get(part.group),
        selected: id === selected,
      },
    ];
  });
}

function wished({ standing, wish }: Row, character: number, { fps, cards, pictures }: Looks): Stretch[] {
  if (wish === null || wish.seconds <= 0) return [];
  const start = builtSeconds(standing, fps);
  return [
    {
      id: `${rowOf(character)}@wish`,
      start,
      stop: start + wish.seconds,
      kind: "proposed",
      confidence: 0.7,
      text: nameOf(cards, wish.card),
      colour: "var(--accent)",
      picture: pictures.get(wish.card.group),
    },
  ];
}
