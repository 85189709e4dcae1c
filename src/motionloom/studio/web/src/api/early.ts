/** What the page will ask for first, asked while the rest of its program is still being read. */

const answers = new Map<string, Promise<Response>>();

/** Ask what is open and, where a corpus is, for its document, its takes and what can be made of them. */
export async function askFirst(): Promise<void> {
  try {
    const response = await askEarly("/api/session");
    const session = (await response.clone().json()) as { corpus?: unknown };
    if (!response.ok || (session.corpus ?? null) === null) return;
    void askEarly("/api/document");
    void askEarly("/api/methods");
    void askEarly("/api/takes");
  } catch {
    // whoever asks for it will be told
  }
}

/** The answer to something that was asked early; only the first who asks gets it, later ones ask anew. */
export function takeEarly(address: string): Promise<Response> | undefined {
  const answer = answers.get(address);
  answers.delete(address);
  return answer;
}

function askEarly(address: string): Promise<Response> {
  const answer = fetch(address);
  answer.catch(() => undefined); // whoever takes it is told
  answers.set(address, answer);
  return answer;
}
