/** Prefetching: the first requests of the page are sent while its scripts are still being loaded. */

const answers = new Map<string, Promise<Response>>();

/** Prefetch the session and, if a corpus is open, its document, its takes, the colours of labels and the methods. */
export async function askFirst(): Promise<void> {
  try {
    const response = await askEarly("/api/session");
    const session = (await response.clone().json()) as { corpus?: unknown };
    if (!response.ok || (session.corpus ?? null) === null) return;
    void askEarly("/api/document");
    void askEarly("/api/methods");
    void askEarly("/api/takes");
    void askEarly("/api/labels/colours");
  } catch {
    // the caller that takes the answer gets the error
  }
}

/** The answer to a prefetched request; only the first caller gets it, later ones send a new request. */
export function takeEarly(address: string): Promise<Response> | undefined {
  const answer = answers.get(address);
  answers.delete(address);
  return answer;
}

function askEarly(address: string): Promise<Response> {
  const answer = fetch(address);
  answer.catch(() => undefined); // the caller that takes it gets the error
  answers.set(address, answer);
  return answer;
}
