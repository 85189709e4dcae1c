/** The labels of a vocabulary. */

/** Labels that were typed, separated by commas or lines; none that is known already, none twice. */
export function splitLabels(typed: string, known: readonly string[] = []): string[] {
  const labels = typed.split(/[,;\n]+/).map((label) => label.trim().replace(/\s+/g, " "));
  return [...new Set(labels)].filter((label) => label !== "" && !known.includes(label));
}

/** Why a name cannot be a label of the vocabulary; empty if it can. */
export function labelProblem(name: string, known: readonly string[]): string {
  const trimmed = name.trim();
  if (trimmed === "") return "Type a label";
  if (known.includes(trimmed)) return `${trimmed} is there already`;
  return "";
}
