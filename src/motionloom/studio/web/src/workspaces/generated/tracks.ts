/** The rows of a generated workspace: what every character plays, piece by piece. */

import type * as T from "../../api/types";
import { nameColour } from "../../palette";
import type { Track } from "../../widgets/timeline/types";

const THIN = 24; // pixels

const idOf = (character: number, piece: number): string => `character:${character}@${piece}`;

export function makeTracks(answer: T.Answer, selected: string | null): Track[] {
  return answer.characters.map(({ name, pieces }, character) => ({
    id: `character:${character}`,
    height: THIN,
    name: name || "Result",
    colour: "var(--holds)",
    note: pieces.length > 1 ? `${pieces.length - 1} ${pieces.length === 2 ? "join" : "joins"}` : undefined,
    paintable: false,
    movable: false,
    stretches: pieces.map((piece, index) => ({
      id: idOf(character, index),
      start: piece.start / answer.fps,
      stop: piece.stop / answer.fps,
      kind: "piece",
      text: piece.name,
      title: piece.name,
      colour: nameColour(piece.name),
      selected: selected === idOf(character, index),
    })),
    marks: pieces.slice(1).map((piece) => ({ start: piece.start / answer.fps, stop: piece.start / answer.fps, kind: "join", title: `on to ${piece.name}` })),
  }));
}

/** When the piece that was selected begins, in seconds; null where nothing is. */
export function startOf(answer: T.Answer | null, selected: string | null): number | null {
  if (answer === null || selected === null) return null;
  for (const [character, { pieces }] of answer.characters.entries()) {
    for (const [index, piece] of pieces.entries()) if (idOf(character, index) === selected) return piece.start / answer.fps;
  }
  return null;
}
