/** Limits and defaults of a method's request, as its schema has them. */

import { studio } from "../../state.svelte";
import { type Field, readForm } from "./schema_fields";

const forms = new WeakMap<object, Field>();

/** The field of a request at a path, such as "places", 0, "weight"; null while the methods are not known. */
export function requestField(method: string, ...path: (string | number)[]): Field | null {
  const schema = studio.methods.find((known) => known.name === method)?.request_schema;
  if (schema === undefined) return null;
  const form = forms.get(schema) ?? readForm(schema);
  forms.set(schema, form);
  return path.reduce<Field | null>((field, part) => {
    if (field === null || typeof part === "number") return field?.item() ?? null;
    return field.fields().find(([name]) => name === part)?.[1] ?? null;
  }, form);
}

/** The least and the most that a number may be. */
export function limitsOf(method: string, ...path: (string | number)[]): { min?: number; max?: number } {
  const field = requestField(method, ...path);
  return { min: field?.least ?? undefined, max: field?.most ?? undefined };
}
