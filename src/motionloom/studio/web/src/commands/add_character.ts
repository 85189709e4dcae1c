/** Let one character more stand on the floor, beside the others. */

import type * as T from "../api/types";
import { defineDocumentCommand } from "./command";
import { castOf, editBuildup } from "./edit_buildup";

export interface AddCharacter {
  position: [number, number]; // metres
  heading: number; // degrees
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

export const addCharacterChange = editBuildup<AddCharacter>((part, { position, heading }) => {
  const { request } = part;
  const named = castOf(request).reduce<T.Built[]>((all, built) => [...all, { ...built, name: built.name || freeName(all) }], []);
  const added: T.Built = { name: freeName(named), start: { pose: null, position, heading }, start_from: null, steps: [], edits: [], hits: [] };
  const alone = { name: "", start: { pose: null, position: null, heading: null }, start_from: null, steps: [], edits: [], hits: [] };
  return { ...part, request: { ...request, ...alone, characters: [...named, added] } };
});

export const addCharacter = defineDocumentCommand<AddCharacter>({
  kind: "add_character",
  describe: () => "Add a character",
  change: addCharacterChange,
});

function freeName(cast: readonly T.Built[]): string {
  return [...LETTERS].find((letter) => cast.every(({ name }) => name !== letter)) ?? `${cast.length + 1}`;
}
