// Made by `python -m motionloom.studio.server.client` from the server's messages and routes; do not edit.

import { ask, askBinary, send } from "./asking";
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
export const steps = (id: string): Promise<T.Footprints> =>
  ask<T.Footprints>("GET", "/api/steps", { id });

/** A skeleton for drawing. */
export const skeleton = (digest: string): Promise<T.Skeleton> =>
  ask<T.Skeleton>("GET", `/api/skeletons/${encodeURIComponent(digest)}`);

/** The skinned body of a skeleton, as a binary message. */
export const body = (digest: string): Promise<ArrayBuffer> =>
  askBinary("GET", `/api/bodies/${encodeURIComponent(digest)}`);

/** All takes, with what is known about them. */
export const takes = (): Promise<T.TakeList> =>
  ask<T.TakeList>("GET", "/api/takes");

/** Badges that were measured since the page last asked. */
export const newBadges = (since: number): Promise<T.NewBadges> =>
  ask<T.NewBadges>("GET", "/api/takes/badges", { since });

/** The labels of one take. */
export const takeLabels = (take: string): Promise<T.TakeLabel[]> =>
  ask<T.TakeLabel[]>("GET", "/api/takes/labels", { take });

/** Curves of a take as a binary message. */
export const takePlots = (take: string): Promise<ArrayBuffer> =>
  askBinary("GET", "/api/takes/plots", { take });

/** The colours of all labels of the corpus. */
export const knownLabelColours = (): Promise<T.LabelColours> =>
  ask<T.LabelColours>("GET", "/api/labels/colours");

/** The same with further words, whose colours are decided now. */
export const moreLabelColours = (body: T.LabelNames): Promise<T.LabelColours> =>
  ask<T.LabelColours>("POST", "/api/labels/colours", {}, body);

/** Remove takes; they can be brought back. */
export const removeTakes = (body: T.TakeNames): Promise<T.RemovedTakes> =>
  ask<T.RemovedTakes>("POST", "/api/takes/remove", {}, body);

/** Bring removed takes back. */
export const restoreTakes = (body: T.RestoreTakes): Promise<T.Done> =>
  ask<T.Done>("POST", "/api/takes/restore", {}, body);

/** Give a take another name. */
export const renameTake = (body: T.RenameTake): Promise<T.Done> =>
  ask<T.Done>("POST", "/api/takes/rename", {}, body);

/** Show all takes on the skeleton of another take; what is made of them is made again when it is needed. */
export const chooseReference = (body: T.ChooseReference): Promise<T.ChosenReference> =>
  ask<T.ChosenReference>("POST", "/api/reference", {}, body);

/** Bring a reference skeleton back that was replaced. */
export const restoreReference = (body: T.StoredReference): Promise<T.ReferenceSkeleton> =>
  ask<T.ReferenceSkeleton>("POST", "/api/reference/restore", {}, body);

/** Mirror takes into new ones. */
export const mirrorTakes = (body: T.TakeNames): Promise<T.Job> =>
  ask<T.Job>("POST", "/api/takes/mirror", {}, body);

/** Keep some frames of a take as a new one. */
export const trimTake = (body: T.TrimTake): Promise<T.Job> =>
  ask<T.Job>("POST", "/api/takes/trim", {}, body);

/** Clean takes into new ones. */
export const cleanTakes = (body: T.CleanTakes): Promise<T.Job> =>
  ask<T.Job>("POST", "/api/takes/clean", {}, body);

/** What a job has made of takes. */
export const madeTakes = (job: number): Promise<T.MadeTakes> =>
  ask<T.MadeTakes>("GET", "/api/takes/made", { job });

/** Take in one file of a batch, as raw bytes. */
export const upload = (batch: string, file: string, body: Blob): Promise<T.Uploaded> =>
  send<T.Uploaded>("PUT", "/api/upload", { batch, file }, body);

/** Throw uploaded files away. */
export const dropUpload = (body: T.ImportBatch): Promise<T.Done> =>
  ask<T.Done>("POST", "/api/upload/drop", {}, body);

/** Import the uploaded files of a batch. */
export const importUploaded = (body: T.ImportBatch): Promise<T.Job> =>
  ask<T.Job>("POST", "/api/import", {}, body);

/** How far an import is, file by file. */
export const importState = (batch: string): Promise<T.ImportState> =>
  ask<T.ImportState>("GET", "/api/import", { batch });

/** Get takes ready to be fetched as a file. */
export const exportTakes = (body: T.ExportTakes): Promise<T.Export> =>
  ask<T.Export>("POST", "/api/exports", {}, body);

/** The file of an export. */
export const fetchExport = (number: number): Promise<ArrayBuffer> =>
  askBinary("GET", `/api/exports/${encodeURIComponent(number)}`);

/** Frames of takes as a few strokes. */
export const sketches = (body: T.WantedSketches): Promise<T.Sketches> =>
  ask<T.Sketches>("POST", "/api/sketches", {}, body);

/** All methods, with what can be asked of them. */
export const methods = (): Promise<T.MethodDescription[]> =>
  ask<T.MethodDescription[]>("GET", "/api/methods");

/** Search the motion of a request; a search of the method that runs is given up for it. */
export const searchMethod = (method: string, body: T.SearchRequest): Promise<T.Job> =>
  ask<T.Job>("POST", `/api/methods/${encodeURIComponent(method)}/search`, {}, body);

/** A request as the YAML file that the command line runs. */
export const requestText = (method: string, body: T.MethodRequest): Promise<T.RequestText> =>
  ask<T.RequestText>("POST", `/api/methods/${encodeURIComponent(method)}/text`, {}, body);

/** The request of a YAML file, with all defaults; a mistake is reported with its line. */
export const parseRequest = (method: string, body: T.RequestText): Promise<Record<string, unknown>> =>
  ask<Record<string, unknown>>("POST", `/api/methods/${encodeURIComponent(method)}/parse`, {}, body);

/** Keep an answer as a take, or as several. */
export const keepAnswer = (body: T.SaveAnswer): Promise<T.SavedAnswer> =>
  ask<T.SavedAnswer>("POST", "/api/answers/save", {}, body);

/** An answer as a file: bvh, glb, npz, csv, c3d, png, mp4, or json for the report; several characters come as a zip. */
export const downloadAnswer = (answer: string, extension: string, skeleton?: string | null): Promise<ArrayBuffer> =>
  askBinary("GET", "/api/answers/export", { answer, extension, skeleton });

/** How things stand with labelling. */
export const annotateState = (): Promise<T.AnnotateState> =>
  ask<T.AnnotateState>("GET", "/api/annotate/state");

/** The state of all labels of a take. */
export const takeTracks = (take: string): Promise<T.TakeTracks> =>
  ask<T.TakeTracks>("GET", "/api/annotate/tracks", { take });

/** Choose words and settings, learn from what is verified, and propose for all takes. */
export const learnLabels = (body: T.LearningChoice): Promise<T.Job> =>
  ask<T.Job>("POST", "/api/annotate/learn", {}, body);

/** Say that labels of a stretch are right as they are shown; then learn again. */
export const acceptLabels = (body: T.AcceptLabels): Promise<T.Accepted> =>
  ask<T.Accepted>("POST", "/api/annotate/accept", {}, body);

/** Put back what was there before something was accepted; then learn again. */
export const undoAcceptance = (body: T.Acceptance): Promise<T.Done> =>
  ask<T.Done>("POST", "/api/annotate/undo", {}, body);

/** Rename a label in all takes. */
export const renameWord = (body: T.RenameWord): Promise<T.Renamed> =>
  ask<T.Renamed>("POST", "/api/annotate/rename", {}, body);

/** What can be painted with some takes. */
export const paintableLabels = (body: T.ChosenTakes): Promise<T.PaintableLabel[]> =>
  ask<T.PaintableLabel[]>("POST", "/api/timeline/labels", {}, body);

/** Compare takes with each other; others that are being compared are given up for it. */
export const snapMaterial = (body: T.GetMaterial): Promise<T.Job> =>
  ask<T.Job>("POST", "/api/snap/material", {}, body);

/** A part of the distance image: (height, width) shades, 0 nearest, 254 far, 255 cannot be compared. */
export const snapImage = (body: T.DistanceImage): Promise<ArrayBuffer> =>
  askBinary("POST", "/api/snap/image", {}, body);

/** How far all frames are from one, in metres, and where each take comes nearest. */
export const snapSlice = (body: T.FrameSlice): Promise<ArrayBuffer> =>
  askBinary("POST", "/api/snap/slice", {}, body);

/** Frames laid over the first of them, as their distance compares them. */
export const snapPoses = (body: T.FramePoses): Promise<ArrayBuffer> =>
  askBinary("POST", "/api/snap/poses", {}, body);

/** What can join the match set of a frame, nearest first. */
export const snapGrow = (body: T.GrowSet): Promise<T.GrownSet> =>
  ask<T.GrownSet>("POST", "/api/snap/grow", {}, body);

/** The match sets of a graph, and what could be its next hub, the best first. */
export const snapResolve = (body: T.ResolveSets): Promise<T.ResolvedGraph> =>
  ask<T.ResolvedGraph>("POST", "/api/snap/resolve", {}, body);

/** Build a graph; one that is being built is given up for it. */
export const snapBuild = (body: T.BuildGraph): Promise<T.Job> =>
  ask<T.Job>("POST", "/api/snap/build", {}, body);

/** The file of a graph that was built. */
export const snapGraph = (digest: string): Promise<ArrayBuffer> =>
  askBinary("GET", `/api/snap/graph/${encodeURIComponent(digest)}`);

/** Make clips of a graph, one after another, an answer that can be kept. */
export const snapWalk = (body: T.WalkGraph): Promise<T.WalkedGraph> =>
  ask<T.WalkedGraph>("POST", "/api/snap/walk", {}, body);

/** Find the poses to choose from; others that are being found are given up for it. */
export const posePalette = (body: T.GetPalette): Promise<T.Job> =>
  ask<T.Job>("POST", "/api/buildup/palette", {}, body);

/** Where a character stands, and what can be reached from there. */
export const findStanding = (body: T.GetStanding): Promise<T.Standing> =>
  ask<T.Standing>("POST", "/api/buildup/standing", {}, body);

/** The way of a step that is best for its hit, and the ways of the steps after it. */
export const chooseWays = (body: T.ChooseWays): Promise<T.ChosenWays> =>
  ask<T.ChosenWays>("POST", "/api/buildup/ways", {}, body);

/** Prepare the model of a request; another one that is being prepared is given up for it. */
export const getDirector = (body: T.GetDirector): Promise<T.Job> =>
  ask<T.Job>("POST", "/api/direct/ready", {}, body);

/** Takes of the markers that a take has, or that most takes have, with frames that tell most of each. */
export const markerTakes = (like?: string | null): Promise<T.MarkerTakes> =>
  ask<T.MarkerTakes>("GET", "/api/direct/keys", { like });
