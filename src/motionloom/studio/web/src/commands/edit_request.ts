/** Edits of the timeline's request as changes of the document. */

import type * as T from "../api/types";

type Change<Args> = (document: T.Document, args: Args) => T.Document;

/** A change of the document from a change of the request. */
export function editRequest<Args>(edit: (request: T.Request, args: Args) => T.Request): Change<Args> {
  return editTimeline((part, args) => ({ ...part, request: edit(part.request, args) }));
}

/** A change of the document from a change of the timeline's part of it. */
export function editTimeline<Args>(edit: (part: T.TimelinePart, args: Args) => T.TimelinePart): Change<Args> {
  return (document, args) => ({ ...document, timeline: edit(document.timeline, args) });
}
