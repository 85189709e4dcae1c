import { describe, expect, it } from "vitest";
import type * as T from "./api/types";
import { isSameWork, merge, type Version } from "./merging";
import { studio } from "./state.svelte";

const empty = studio.document;
const step = (title: string, memory: unknown = null): T.CommandRecord => ({ kind: "k", title, args: null, memory });
const withWords = (document: T.Document, vocabulary: string[]): T.Document => ({ ...document, annotate: { ...document.annotate, vocabulary } });
const withTracks = (document: T.Document, tracks: string[]): T.Document => ({ ...document, timeline: { ...document.timeline, tracks } });
const changes = (...path: string[]): unknown => [{ path, before: [], after: [] }];
const version = (content: T.Document, past: T.CommandRecord[] = [], future: T.CommandRecord[] = []): Version => ({ content, past, future });
const titles = (steps: T.CommandRecord[]): string[] => steps.map((step) => step.title);

describe("what two windows did", () => {
  const base = version(empty, [step("first")]);

  it("is merged where they changed different things", () => {
    const mine = version(withWords(empty, ["walk"]), [step("first"), step("words")]);
    const theirs = version(withTracks(empty, ["run"]), [step("first"), step("row")]);
    const merged = merge(base, mine, theirs);
    expect(merged.content.annotate.vocabulary).toEqual(["walk"]);
    expect(merged.content.timeline.tracks).toEqual(["run"]);
    expect(titles(merged.past)).toEqual(["first", "row", "words"]);
    expect(merged.lost).toEqual([]);
  });

  it("is theirs where both changed the same, and mine can be restored", () => {
    const mine = version(withWords(empty, ["walk"]), [step("first"), step("words", changes("annotate", "vocabulary")), step("delete")]);
    const theirs = version(withWords(empty, ["run"]), [step("first"), step("other words")]);
    const merged = merge(base, mine, theirs);
    expect(merged.content.annotate.vocabulary).toEqual(["run"]);
    expect(merged.lost).toEqual([{ path: ["annotate", "vocabulary"], before: [], after: ["walk"] }]);
    expect(titles(merged.past)).toEqual(["first", "other words", "delete"]); // what changed the corpus can be undone
  });

  it("keeps each window's take and workspace", () => {
    const mine = version({ ...empty, workspace: "timeline" }, base.past);
    const theirs = version({ ...empty, workspace: "annotate", library: { take: "theirs" } }, base.past);
    const merged = merge(base, mine, theirs);
    expect(merged.content.workspace).toBe("timeline");
    expect(merged.content.library.take).toBeNull();
    expect(merged.lost).toEqual([]);
    expect(isSameWork(merged.content, theirs.content)).toBe(true);
  });

  it("changes nothing where the server has it already, and continues from there", () => {
    const done = step("words", changes("annotate", "vocabulary"));
    const theirs = version(withWords(empty, ["walk"]), [...base.past, done]);
    const mine = version(withTracks(withWords(empty, ["walk"]), ["run"]), [...base.past, done, step("row")]);
    const merged = merge(base, mine, theirs);
    expect(merged.content).toEqual(mine.content);
    expect(titles(merged.past)).toEqual(["first", "words", "row"]);
    expect(merged.lost).toEqual([]);
  });

  it("has what was undone undone, and what others did since done", () => {
    const started = version(withWords(empty, ["walk"]), [step("words")]);
    const mine = version(empty, [], [step("words")]);
    const theirs = version(withTracks(started.content, ["run"]), [step("words"), step("row")]);
    const merged = merge(started, mine, theirs);
    expect(merged.content.annotate.vocabulary).toEqual([]);
    expect(titles(merged.past)).toEqual(["row"]);
    expect(titles(merged.future)).toEqual(["words"]);
  });

  it("is the same where a full history has forgotten its first steps", () => {
    const many = Array.from({ length: 300 }, (_, i) => step(`${i}`));
    const merged = merge(
      version(empty, many),
      version(withWords(empty, ["walk"]), [...many.slice(1), step("words")]),
      version(withTracks(empty, ["run"]), [...many.slice(1), step("row")]),
    );
    expect(titles(merged.past).slice(-3)).toEqual(["299", "row", "words"]);
    expect(merged.past).toHaveLength(300);
  });
});
