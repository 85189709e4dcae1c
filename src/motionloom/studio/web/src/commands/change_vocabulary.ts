/** Choose the labels to annotate with. Annotations with labels that are removed stay in the corpus. */

import { defineDocumentCommand } from "./command";

export const changeVocabulary = defineDocumentCommand<{ words: string[]; title: string }>({
  kind: "change vocabulary",
  describe: ({ title }) => title,
  change: (document, { words }) => ({ ...document, annotate: { ...document.annotate, vocabulary: words } }),
});
