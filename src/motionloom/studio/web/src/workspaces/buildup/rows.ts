/** The rows of the timeline: the poses of each character, in the order in which it comes to them. */

import type * as T from "../../api/types";
import type { Stretch, Track } from "../../widgets/timeline/types";
import { cardOf, cardOfPose, colourOf, nameOf } from "../poses/poses";
import { framesOf } from "./times";

const TALL = 46; // pixels
const ABOUT = 1; // seconds that a pose which is put in is shown to take, until its bridge is known
const HUES = ["var(--view-body)", "var(--view-body-2)", "var(--view-body-3)"]; // of characters, as in the view

export const rowOf = (character: number): string => `character:${character}`;
export const stretchOf = (character: number, part: number | "wish"): string => `${rowOf(character)}@${part}`;

/** The character and the part of what it built that a stretch shows; null for the pose that is tried. */
export function partOf(stretch: string | null): { character: number; part: number } | null {
  const found = /^character:(\d+)@(\d+)$/.exec(stretch ?? "");
  return found === null ? null : { character: Number(found[1]), part: Number(found[2]) };
}

/** The edit that a stretch stands for while it is being made; -1 for none. */
export function pendingEditOf(stretch: string | null): number {
  return Number(/^character:\d+@pending:(\d+)$/.exec(stretch ?? "")?.[1] ?? -1);
}

/** The edit whose bridge plays a frame; -1 for none. */
export function editAt(edits: readonly T.BuiltEdit[], frame: number): number {
  return edits.reduce((found, { start, stop }, n) => (start !== null && start <= frame && frame < (stop ?? start + 1) ? n : found), -1);
}

/** Seconds of all that a character has built. */
export function builtSeconds(standing: T.Standing | null, fps: number): number {
  return (standing?.steps.at(-1)?.stop ?? 0) / fps;
}

export interface Row {
  name: string;
  standing: T.Standing | null;
  edits: readonly T.Edit[]; // that were asked
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
    colour: HUES[character % HUES.length],
    height: TALL,
    paintable: false,
    movable: true,
    stretches: [...stretches(row, character, looks), ...pending(row, character, looks), ...wished(row, character, looks)],
    marks: (row.standing?.steps ?? []).flatMap(({ step, start, stop }) => {
      const why = step === null ? "" : (row.standing?.why_not[step] ?? "");
      return why === "" ? [] : [{ start: start / looks.fps, stop: stop / looks.fps, kind: "missed" as const, title: why }];
    }),
  }));
}

function stretches({ standing, edits, wish }: Row, character: number, { fps, cards, pictures, selected }: Looks): Stretch[] {
  const last = standing?.steps.at(-1);
  const isTried = wish !== null;
  return (standing?.steps ?? []).flatMap((part, index) => {
    const edit = part.step === null && index > 0 ? edits[editAt(standing?.edits ?? [], part.start)] : undefined;
    const card = (edit && cardOfPose(cards, edit.pose ?? null)) ?? cardOf(cards, part.group);
    if (part.step === null && part.stop - part.start < 2) return []; // one pose has no length to be shown
    const name = card === null ? `step ${index}` : nameOf(cards, card);
    const text = part.step === null && index === 0 ? "start" : edit !== undefined && !edit.pose ? "bridge" : name;
    const id = stretchOf(character, index);
    return [
      {
        id,
        start: part.start / fps,
        stop: part.stop / fps,
        kind: edit !== undefined ? ("piece" as const) : ("clip" as const),
        text,
        title: `${text}, after ${((part.stop - part.start) / fps).toFixed(1)} s`,
        colour: card === null ? undefined : colourOf(cards, card),
        picture: pictures.get(card?.group ?? part.group),
        selected: id === selected,
        fixed: part !== last || part.step === null || isTried,
      },
    ];
  });
}

/** Edits that were asked and are not made yet: where they will be. */
function pending({ standing, edits }: Row, character: number, { fps, cards, pictures }: Looks): Stretch[] {
  const end = builtSeconds(standing, fps);
  return edits.slice(standing?.edits.length ?? edits.length).map((edit, n) => {
    const card = cardOfPose(cards, edit.pose ?? null);
    const start = Math.min(end, (framesOf(edit.from, fps) ?? end * fps) / fps);
    const stop = edit.to == null ? start + ABOUT : (framesOf(edit.to, fps) ?? end * fps) / fps;
    const name = card === null ? "" : nameOf(cards, card);
    return {
      id: `${rowOf(character)}@pending:${(standing?.edits.length ?? 0) + n}`,
      start,
      stop: Math.max(start, Math.min(stop, end)),
      kind: "proposed",
      text: `${name} …`.trim(),
      title: "Looking for a bridge there and back",
      colour: "var(--accent)",
      picture: card === null ? undefined : pictures.get(card.group),
      fixed: true,
    };
  });
}

function wished({ standing, wish }: Row, character: number, { fps, cards, pictures }: Looks): Stretch[] {
  if (wish === null || wish.seconds <= 0) return [];
  const start = builtSeconds(standing, fps);
  return [
    {
      id: stretchOf(character, "wish"),
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
