import { describe, expect, it } from "vitest";
import type * as T from "../../api/types";
import type { Draft } from "./drafts";
import { framesOf, labelTracks, stretchAt } from "./label_tracks";

const tracks: T.TakeTracks = {
  take: "a",
  frames: 240,
  fps: 60,
  labels: [
    { label: "walk", holds: [[0, 90]], verified: [[0, 60]], proposed: [{ start: 120, stop: 180, confidence: 0.7 }] },
    { label: "old", holds: [[0, 9]], verified: [], proposed: [] },
  ],
};
const look = (draft: Draft = {}) =>
  labelTracks({ tracks, vocabulary: ["walk", "run"], draft, selected: null, colourOf: () => "#123", canPaint: true });

describe("label tracks", () => {
  it("have one row for each label of the vocabulary, in its order", () => {
    expect(look().map((track) => track.id)).toEqual(["walk", "run"]);
    expect(look()[1].stretches).toEqual([]);
  });

  it("distinguish what is verified, annotated by people, and proposed", () => {
    const kinds = look()[0].stretches.map(({ kind, start, stop, confidence }) => ({ kind, start, stop, confidence }));
    expect(kinds).toEqual([
      { kind: "verified", start: 0, stop: 1, confidence: undefined },
      { kind: "holds", start: 1, stop: 1.5, confidence: undefined },
      { kind: "proposed", start: 2, stop: 3, confidence: 0.7 },
    ]);
    expect(look()[0].marks).toEqual([{ start: 0, stop: 1, kind: "met", title: "verified" }]);
  });

  it("show the paint instead of what lies under it", () => {
    const [walk] = look({ walk: [[150, 180, -1], [200, 210, 1]] });
    expect(walk.stretches.map(({ kind, start, stop }) => [kind, start * 60, stop * 60])).toEqual([
      ["verified", 0, 60],
      ["holds", 60, 90],
      ["proposed", 120, 150],
      ["must_not", 150, 180],
      ["must", 200, 210],
    ]);
  });

  it("find the stretch under the playhead, or the selected one, and its frames", () => {
    const [walk, run] = look();
    const here = stretchAt(walk, 130);
    expect(here && framesOf(here.id)).toEqual([120, 180]);
    expect(stretchAt(walk, 100)).toBeNull();
    expect(stretchAt(run, 130)).toBeNull();
    const [chosen] = labelTracks({
      tracks,
      vocabulary: ["walk"],
      draft: {},
      selected: { label: "walk", start: 121 },
      colourOf: () => "#123",
      canPaint: true,
    });
    expect(stretchAt(chosen, 5)?.kind).toBe("proposed");
  });
});
