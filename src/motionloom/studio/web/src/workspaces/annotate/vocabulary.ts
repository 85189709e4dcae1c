/** Words of a vocabulary. */

/** Words that were typed, parted by commas or lines; none that is known already, none twice. */
export function splitWords(typed: string, known: readonly string[] = []): string[] {
  const words = typed.split(/[,;\n]+/).map((word) => word.trim().replace(/\s+/g, " "));
  return [...new Set(words)].filter((word) => word !== "" && !known.includes(word));
}

/** Why something cannot be a word of the vocabulary; empty where it can. */
export function wordProblem(word: string, known: readonly string[]): string {
  const trimmed = word.trim();
  if (trimmed === "") return "Type a word";
  if (known.includes(trimmed)) return `${trimmed} is there already`;
  return "";
}
