/** Choose the words that are labelled. What was said with words that go stays in the corpus. */

import { defineDocumentCommand } from "./command";

export const changeVocabulary = defineDocumentCommand<{ words: string[]; title: string }>({
  kind: "change vocabulary",
  describe: ({ title }) => title,
  change: (document, { words }) => ({ ...document, annotate: { ...document.annotate, vocabulary: words } }),
});
