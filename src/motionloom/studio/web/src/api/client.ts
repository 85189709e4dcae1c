// Made by `python -m motionloom.studio.server.client` from the server's messages and routes; do not edit.

import { ask, askBinary } from "./asking";
import type * as T from "./types";

/** How things stand. */
export const session = (): Promise<T.Session> =>
  ask<T.Session>("GET", "/api/session");

/** The corpora that can be opened. */
export const corpora = (): Promise<T.CorpusEntry[]> =>
  ask<T.CorpusEntry[]>("GET", "/api/corpora");

/** Open a corpus of the home folder. */
export const openCorpus = (body: T.CorpusName): Promise<T.Done> =>
  ask<T.Done>("POST", "/api/corpora/open", {}, body);

/** Make an empty corpus and open it. */
export const newCorpus = (body: T.CorpusName): Promise<T.Done> =>
  ask<T.Done>("POST", "/api/corpora/new", {}, body);

/** Make the demo corpus, and open it when it is complete. */
export const demoCorpus = (): Promise<T.Job> =>
  ask<T.Job>("POST", "/api/corpora/demo");

/** The open document. */
export const document = (): Promise<T.DocumentState> =>
  ask<T.DocumentState>("GET", "/api/document");

/** Save the document. */
export const saveDocument = (body: T.SaveDocument): Promise<T.Saved> =>
  ask<T.Saved>("PUT", "/api/document", {}, body);

/** Open another document. */
export const openDocument = (body: T.DocumentName): Promise<T.DocumentState> =>
  ask<T.DocumentState>("POST", "/api/document/open", {}, body);

/** Make a document and open it. */
export const newDocument = (body: T.DocumentName): Promise<T.DocumentState> =>
  ask<T.DocumentState>("POST", "/api/document/new", {}, body);

/** Give the open document another name. */
export const renameDocument = (body: T.DocumentName): Promise<T.DocumentState> =>
  ask<T.DocumentState>("POST", "/api/document/rename", {}, body);

/** All jobs. */
export const jobs = (): Promise<T.Job[]> =>
  ask<T.Job[]>("GET", "/api/jobs");

/** Stop a job. */
export const cancelJob = (number: number): Promise<T.Done> =>
  ask<T.Done>("POST", `/api/jobs/${encodeURIComponent(number)}/cancel`);

/** What there is to know about a motion. */
export const motion = (id: string): Promise<T.Motion> =>
  ask<T.Motion>("GET", "/api/motion", { id });

/** Footprints and contacts of a motion. */
export const steps = (id: string): Promise<T.Steps> =>
  ask<T.Steps>("GET", "/api/steps", { id });

/** A skeleton for drawing. */
export const skeleton = (digest: string): Promise<T.Skeleton> =>
  ask<T.Skeleton>("GET", `/api/skeletons/${encodeURIComponent(digest)}`);

/** The skinned body of a skeleton, as a binary message. */
export const body = (digest: string): Promise<ArrayBuffer> =>
  askBinary("GET", `/api/bodies/${encodeURIComponent(digest)}`);
