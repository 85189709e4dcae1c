/** The strokes of a sketch as paths. */

import type * as T from "../api/types";

/** From place to place, each on its own. */
export const linePath = (lines: T.Sketch["lines"]): string => lines.map(([x1, y1, x2, y2]) => `M${x1} ${y1}L${x2} ${y2}`).join("");

/** Through all places of each. */
export const outlinePath = (outlines: T.Sketch["outlines"]): string =>
  outlines.filter((outline) => outline.length > 1).map((outline) => `M${outline.map(([x, y]) => `${x} ${y}`).join("L")}`).join("");
