/** Paths in a request: reading and writing values, and finding the path that an error message is about. */

export type Path = (string | number)[];

/** A copy of the request with another value at a path. */
export function withValue(thing: unknown, path: Path, value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (typeof first === "number") {
    const list = Array.isArray(thing) ? [...(thing as unknown[])] : [];
    list[first] = withValue(list[first], rest, value);
    return list;
  }
  const object = typeof thing === "object" && thing !== null && !Array.isArray(thing) ? thing : {};
  return { ...object, [first]: withValue((object as Record<string, unknown>)[first], rest, value) };
}

/** As the server writes it: "labels[0].to". */
export function pathText(path: Path): string {
  return path.reduce<string>((text, part) => (typeof part === "number" ? `${text}[${part}]` : text ? `${text}.${part}` : part), "");
}

export interface Problem {
  path: string; // "" if it is about the whole request
  sentence: string; // without the path
}

/** The path of an error message: "labels[0].to: it should be ..." or "'take' is missing". */
export function problemOf(sentence: string): Problem {
  const missing = /^'([\w.[\]]+)' is missing/.exec(sentence);
  if (missing !== null) return { path: missing[1], sentence: "It is missing" };
  const found = /^([\w.[\]]+): (.+)$/s.exec(sentence);
  if (found === null) return { path: "", sentence };
  return { path: found[1], sentence: found[2].slice(0, 1).toUpperCase() + found[2].slice(1) };
}
