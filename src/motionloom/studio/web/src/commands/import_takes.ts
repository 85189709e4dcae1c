/** Write down that files were imported. */

import { count } from "../words";
import { defineMaking } from "./made_takes";

export const keepImported = defineMaking("import_takes", ({ takes }) =>
  takes.length === 1 ? `Import ${takes[0]}` : `Import ${count(takes.length, "take")}`,
);
