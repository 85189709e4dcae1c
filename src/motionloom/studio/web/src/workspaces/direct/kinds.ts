/** Whether a body is directed, or markers. */

import type * as T from "../../api/types";

export type Kind = T.Director["kind"];

/** What a request is about: what the takes have that it names; null where it names none that is known. */
export function kindOf(request: T.DirectRequest, takes: { bodies: readonly string[]; points: readonly string[] }): Kind | null {
  for (const take of namedTakes(request)) {
    if (takes.points.includes(take)) return "points";
    if (takes.bodies.includes(take)) return "body";
  }
  return null;
}

/** The takes that a request names, the one that is edited first. */
export function namedTakes(request: T.DirectRequest): string[] {
  const frames = [...request.poses.map(({ pose }) => pose), ...request.points.map(({ like }) => like), ...request.root.map(({ like }) => like)];
  const head = [request.head?.like, request.head?.still];
  const names = [request.start_from, ...[...frames, ...head].map((frame) => frame?.take), request.contacts_like?.take];
  return names.filter((name): name is string => name != null);
}
