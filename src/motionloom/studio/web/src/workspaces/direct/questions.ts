/** What was asked of the desk and has no answer yet. */

/** The text of each question by its tag; an answer may come late, but none after that to a newer question. */
export class Questions {
  private readonly open = new Map<string, string>(); // in the order in which they were asked

  ask(tag: string, text: string): void {
    this.open.set(tag, text);
  }

  /** What an answer is about; null where it is not awaited, or a newer one is there. */
  answer(tag: string): string | null {
    const text = this.open.get(tag);
    if (text === undefined) return null;
    for (const known of [...this.open.keys()]) {
      this.open.delete(known);
      if (known === tag) break;
    }
    return text;
  }

  forget(): void {
    this.open.clear();
  }
}
