/** Change how labels are learnt: classifier, kernel, gamma. */

import type * as T from "../api/types";
import { defineDocumentCommand } from "./command";

type Changes = Partial<Pick<T.AnnotatePart, "classifier" | "kernel" | "gamma">>;

export const changeClassifier = defineDocumentCommand<Changes>({
  kind: "change classifier",
  describe: (changes) => `Learn with another ${Object.keys(changes)[0] ?? "setting"}`,
  change: (document, changes) => ({ ...document, annotate: { ...document.annotate, ...changes } }),
});
