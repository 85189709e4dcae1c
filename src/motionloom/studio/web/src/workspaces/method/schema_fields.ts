/** The fields of a form, read from the JSON schema of a request. */

type Schema = Record<string, unknown>;

export type Kind = "text" | "number" | "flag" | "choice" | "list" | "tuple" | "object" | "data";

/** One value of a request: its input, and what it is made of. */
export interface Field {
  kind: Kind;
  title: string;
  about: string; // what it means
  isOptional: boolean; // it can be left out: null
  isWhole: boolean; // of a number
  least: number | null; // of a number; `isAbove`: it must be more than that
  most: number | null;
  isAbove: boolean;
  isBelow: boolean;
  choices: unknown[];
  pattern: string; // of a text
  example: string;
  initial: () => unknown; // its default, or a blank value
  fields: () => [string, Field][]; // of an object, by name
  parts: () => Field[]; // of a tuple
  item: () => Field; // of a list
  leastItems: number;
  mostItems: number;
}

/** The form of a whole request. */
export function readForm(schema: Schema): Field {
  return readField(schema, schema, "request", true);
}

/** The field of a part of a schema. */
function readField(root: Schema, given: Schema, name: string, isRequired: boolean): Field {
  const { node, isOptional } = simplify(root, given);
  const kind = kindOf(node);
  const properties = (node.properties ?? {}) as Record<string, Schema>;
  const required = (node.required ?? []) as string[];
  const [least, isAbove] = limit(node.minimum, node.exclusiveMinimum);
  const [most, isBelow] = limit(node.maximum, node.exclusiveMaximum);
  const field: Field = {
    kind,
    title: titleOf(given, name),
    about: String(given.description ?? (kind === "object" ? "" : (node.description ?? ""))),
    isOptional,
    isWhole: node.type === "integer",
    least,
    most,
    isAbove,
    isBelow,
    choices: (node.enum as unknown[] | undefined) ?? ("const" in node ? [node.const] : []),
    pattern: String(node.pattern ?? ""),
    example: String((node.examples as unknown[] | undefined)?.[0] ?? ""),
    initial: () => ("default" in given ? given.default : isOptional && !isRequired ? null : blank(field)),
    fields: () => Object.entries(properties).map(([key, inner]) => [key, readField(root, inner, key, required.includes(key))]),
    parts: () => ((node.prefixItems ?? []) as Schema[]).map((inner, index) => readField(root, inner, `${name} ${index + 1}`, true)),
    item: () => readField(root, (node.items ?? {}) as Schema, singular(name), true),
    leastItems: Number(node.minItems ?? 0),
    mostItems: Number(node.maxItems ?? Infinity),
  };
  return field;
}

/** Resolve references, and unions with null into optional values. */
function simplify(root: Schema, given: Schema): { node: Schema; isOptional: boolean } {
  const node = follow(root, given);
  const choices = ((node.anyOf ?? node.oneOf) as Schema[] | undefined)?.map((choice) => follow(root, choice));
  if (choices === undefined) return { node, isOptional: node.type === "null" };
  const kinds = choices.filter((choice) => choice.type !== "null");
  const isOptional = kinds.length < choices.length;
  // one or several: the form takes one, the text of the request several
  const lists = kinds.filter((choice) => choice.type === "array" && kinds.some((other) => isSame(follow(root, (choice.items ?? {}) as Schema), other)));
  const some = kinds.filter((choice) => !lists.includes(choice));
  if (some.length === 1) return { node: { ...node, anyOf: undefined, oneOf: undefined, ...some[0] }, isOptional };
  return { node: { description: node.description }, isOptional }; // one of several kinds: as data
}

function isSame(one: Schema, other: Schema): boolean {
  return one.type === other.type && one.pattern === other.pattern && typeof one.type === "string" && one.type !== "array";
}

function follow(root: Schema, node: Schema): Schema {
  const only = Array.isArray(node.allOf) && node.allOf.length === 1 ? (node.allOf[0] as Schema) : node;
  if (typeof only.$ref !== "string") return only === node ? node : { ...node, ...only };
  const definitions = (root.$defs ?? {}) as Record<string, Schema>;
  const found = definitions[only.$ref.split("/").at(-1) ?? ""] ?? {};
  return follow(root, { ...found, ...(node.description === undefined ? {} : { description: node.description }) });
}

function kindOf(node: Schema): Kind {
  if ("enum" in node || "const" in node) return "choice";
  switch (node.type) {
    case "string":
      return "text";
    case "number":
    case "integer":
      return "number";
    case "boolean":
      return "flag";
    case "array":
      return "prefixItems" in node ? "tuple" : "items" in node ? "list" : "data";
    case "object":
      return "properties" in node ? "object" : "data";
    default:
      return "data";
  }
}

function limit(with_: unknown, without: unknown): [number | null, boolean] {
  if (typeof without === "number") return [without, true];
  return [typeof with_ === "number" ? with_ : null, false];
}

/** The smallest valid value. */
export function blank(field: Field): unknown {
  switch (field.kind) {
    case "text":
      return field.pattern === "" ? "" : field.example;
    case "number":
      return blankNumber(field);
    case "flag":
      return false;
    case "choice":
      return field.choices[0] ?? null;
    case "list":
      return Array.from({ length: field.leastItems }, () => field.item().initial());
    case "tuple":
      return field.parts().map((part) => part.initial());
    case "object":
      return Object.fromEntries(field.fields().map(([name, inner]) => [name, inner.initial()]));
    case "data":
      return null;
  }
}

function blankNumber({ least, most, isAbove, isBelow }: Field): number {
  const low = least === null ? -Infinity : isAbove ? Math.min(least + 1, most ?? Infinity) : least;
  const high = most === null ? Infinity : isBelow ? Math.max(most - 1, least ?? -Infinity) : most;
  return Math.max(low, Math.min(0, high));
}

/** A readable title: "w_min" becomes "W min"; a title that was written by hand stays. */
function titleOf(given: Schema, name: string): string {
  const made = name.split("_").map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(" "); // as pydantic makes them
  if (typeof given.title === "string" && given.title !== made && !("properties" in given)) return given.title;
  const text = name.replaceAll("_", " ").trim();
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function singular(name: string): string {
  return /[^s]s$/.test(name) ? name.slice(0, -1) : name;
}
