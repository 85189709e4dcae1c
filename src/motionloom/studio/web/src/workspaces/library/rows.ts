/** Which rows of a long list are on the screen. */

export interface Rows {
  first: number;
  last: number; // the row after the last
}

export const SPARE = 6; // rows above and below the screen

/** How many rows are on the screen at most: a row and the one that many farther on can share an element. */
export function mostRows(height: number, rowHeight: number, spare = SPARE): number {
  return Math.ceil(height / rowHeight) + 1 + 2 * spare;
}

/** The rows that can be seen, and some above and below so that scrolling shows no gaps. */
export function visibleRows(scrolled: number, height: number, rowHeight: number, count: number, spare = SPARE): Rows {
  const first = Math.max(0, Math.floor(scrolled / rowHeight) - spare);
  const last = Math.min(count, Math.ceil((scrolled + height) / rowHeight) + spare);
  return { first: Math.min(first, last), last };
}

/** Where to scroll so that a row is seen whole; where it is seen already, stay. */
export function scrollTo(row: number, scrolled: number, height: number, rowHeight: number): number {
  const top = row * rowHeight;
  if (top < scrolled) return top;
  if (top + rowHeight > scrolled + height) return Math.max(0, top + rowHeight - height);
  return scrolled;
}
