/** Remove a character with all that it does. */

import { defineDocumentCommand } from "./command";
import { castOf, editBuildup } from "./edit_buildup";

export interface DropCharacter {
  character: number;
  name: string;
}

export const dropCharacterChange = editBuildup<DropCharacter>((part, { character }) => {
  const gone = castOf(part.request)[character]?.name;
  const kept = castOf(part.request).filter((_, n) => n !== character);
  if (kept.length === 0) return part;
  const free = kept.map((built) => ({ ...built, hits: built.hits.filter((hit) => hit.target?.character !== gone) }));
  const { request } = part;
  return { ...part, request: free.length === 1 ? { ...request, ...free[0], name: "", characters: [] } : { ...request, characters: free } };
});

export const dropCharacter = defineDocumentCommand<DropCharacter>({
  kind: "drop_character",
  describe: ({ name }) => `Remove character ${name}`,
  change: dropCharacterChange,
});
