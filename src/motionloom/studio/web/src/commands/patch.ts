/** What a command changed in a document, so that it can be undone: paths, with the values before and after. */

export type Plain = null | boolean | number | string | Plain[] | { [name: string]: Plain | undefined };

export interface Change {
  path: string[];
  before?: unknown; // left out where there was nothing
  after?: unknown;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether two plain values are the same. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((value, i) => isSame(value, b[i]));
  if (!isObject(a) || !isObject(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => isSame(a[name], b[name]));
}

/** The paths at which two plain objects differ; lists are compared as a whole. */
export function findChanges(before: unknown, after: unknown, path: string[] = []): Change[] {
  if (isSame(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [{ path, before, after }];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => findChanges(before[name], after[name], [...path, name]));
}

/** A copy of the object with the changes applied, or undone. */
export function applyChanges<Thing>(thing: Thing, changes: Change[], direction: "forward" | "back"): Thing {
  return changes.reduce<Thing>(
    (result, change) => put(result, change.path, direction === "forward" ? change.after : change.before) as Thing,
    thing,
  );
}

function put(thing: unknown, path: string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const copy: Record<string, unknown> = isObject(thing) ? { ...thing } : {};
  const inner = put(copy[name], rest, value);
  if (inner === undefined) delete copy[name];
  else copy[name] = inner;
  return copy;
}
