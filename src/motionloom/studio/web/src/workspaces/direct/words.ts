/** Sentences of the method as the page says them. */

/** What a request file calls `within` and `hard` has other names on the page. */
export const inPlainWords = (sentence: string): string =>
  sentence
    .replace("give it a smaller `within`, or make it `hard`", "give it a smaller usual deviation, or let it hold exactly")
    .replace(/let one of them be not `hard`/, "let one of them not hold exactly")
    .replaceAll("`", "");
