/** Selecting rows: a click chooses one, Ctrl adds and removes, Shift extends from the anchor. */

export interface Selection {
  names: ReadonlySet<string>;
  current: string | null; // the one that is shown
  anchor: string | null; // where Shift extends from
}

export const NOTHING: Selection = { names: new Set(), current: null, anchor: null };

export interface Keys {
  ctrl: boolean;
  shift: boolean;
}

export function only(name: string): Selection {
  return { names: new Set([name]), current: name, anchor: name };
}

export function select(old: Selection, order: readonly string[], name: string, keys: Keys): Selection {
  if (keys.shift && old.anchor !== null && order.includes(old.anchor)) {
    const [from, to] = [order.indexOf(old.anchor), order.indexOf(name)].sort((a, b) => a - b);
    const reached = order.slice(from, to + 1);
    return { names: new Set(keys.ctrl ? [...old.names, ...reached] : reached), current: name, anchor: old.anchor };
  }
  if (!keys.ctrl) return only(name);
  const names = new Set(old.names);
  if (names.has(name) && names.size > 1) {
    names.delete(name);
    const current = old.current === name ? (names.values().next().value as string) : old.current;
    return { names, current, anchor: name };
  }
  return { names: names.add(name), current: name, anchor: name };
}

/** Move by some rows from the current one; the first or last row where there are no more. */
export function move(old: Selection, order: readonly string[], by: number, keys: Keys): Selection {
  if (order.length === 0) return old;
  const now = old.current === null ? -1 : order.indexOf(old.current);
  const to = now < 0 ? (by > 0 ? 0 : order.length - 1) : Math.min(order.length - 1, Math.max(0, now + by));
  const anchor = old.anchor ?? order[to];
  return keys.shift ? select({ ...old, anchor }, order, order[to], { ctrl: false, shift: true }) : only(order[to]);
}

/** What is left of a selection when takes are gone: the next one in the old order becomes current. */
export function keepThose(old: Selection, before: readonly string[], now: ReadonlySet<string>): Selection {
  const names = new Set([...old.names].filter((name) => now.has(name)));
  if (old.current === null || now.has(old.current)) return { ...old, names };
  const place = before.indexOf(old.current);
  const next = [...before.slice(place + 1), ...before.slice(0, Math.max(0, place)).reverse()].find((name) => now.has(name));
  if (next === undefined) return NOTHING;
  return names.size > 0 ? { names: names.add(next), current: next, anchor: next } : only(next);
}

/** Two takes that are shown at once. */
export interface Comparison {
  main: string;
  beside: string; // translucent
}

/** What is left of a comparison when another take becomes the current one: it goes, unless it is about that take. */
export function comparisonAfter(comparison: Comparison | null, before: string | null, current: string | null): Comparison | null {
  return before === current || comparison?.main === current ? comparison : null;
}
