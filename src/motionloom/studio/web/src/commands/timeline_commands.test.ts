import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type * as T from "../api/types";
import { studio } from "../state.svelte";
import { addTrack } from "./add_track";
import { redo, undo } from "./command";
import { forceClip } from "./force_clip";
import { loadRequest } from "./load_request";
import { moveClip } from "./move_clip";
import { moveStretch } from "./move_stretch";
import { moveWaypoint } from "./move_waypoint";
import { paintChange, paintLabel } from "./paint_label";
import { placeWaypoint } from "./place_waypoint";
import { removeClip } from "./remove_clip";
import { removeTrack } from "./remove_track";
import { removeWaypoint } from "./remove_waypoint";
import { reorderTracks } from "./reorder_tracks";
import { setAlpha } from "./set_alpha";
import { setLength } from "./set_length";
import { setPlaceWeight } from "./set_place_weight";
import { setStartFrom } from "./set_start_from";
import { setTakes } from "./set_takes";

const clip: T.ForcedFrames = { at: "1s", take: "kick", frame: null, start: 0, stop: 60 };
const place: T.Place = { at: "end", position: [1, 2], heading: null, weight: 1 };
const before = studio.document;

describe("steps of the timeline", () => {
  beforeEach(() => {
    studio.document = before;
    studio.past = [];
    studio.future = [];
  });
  afterEach(() => void (studio.draft = null));

  it("can all be undone and redone, from the saved history alone", async () => {
    const seen: string[] = [JSON.stringify(studio.document)];
    const steps = [
      () => addTrack({ label: "run" }),
      () => paintLabel({ label: "walk", start: 0, stop: 240, value: "must" }),
      () => paintLabel({ label: "run", start: 300, stop: 500, value: "must_not" }),
      () => moveStretch({ label: "walk", from: 0, start: 30, stop: 200 }),
      () => moveStretch({ label: "run", from: 300, start: 320, stop: 520, to: "walk" }),
      () => reorderTracks({ label: "walk", before: "run" }),
      () => forceClip({ clip }),
      () => moveClip({ index: 0, clip: { ...clip, at: "2s" } }),
      () => placeWaypoint({ place }),
      () => moveWaypoint({ index: 0, changes: { position: [3, 4], heading: 90 } }),
      () => setPlaceWeight({ weight: 5 }),
      () => setAlpha({ alpha: 0.3 }),
      () => setTakes({ takes: ["walk/*"] }),
      () => setStartFrom({ take: "walk/one" }),
      () => setLength({ frames: 400, rates: {} }),
      () => removeClip({ index: 0, take: "kick" }),
      () => removeWaypoint({ index: 0 }),
      () => removeTrack({ label: "run" }),
      () => loadRequest({ request: before.timeline.request, name: "" }),
    ];
    for (const step of steps) {
      expect(await step()).toBe(true);
      seen.push(JSON.stringify(studio.document));
      expect(seen.at(-1)).not.toBe(seen.at(-2));
    }
    expect(studio.past).toHaveLength(steps.length);
    studio.past = JSON.parse(JSON.stringify(studio.past)) as T.CommandRecord[]; // as after a reload
    for (let i = steps.length - 1; i >= 0; i--) {
      await undo();
      expect(JSON.parse(JSON.stringify(studio.document))).toEqual(JSON.parse(seen[i]));
    }
    for (let i = 1; i <= steps.length; i++) {
      await redo();
      expect(JSON.parse(JSON.stringify(studio.document))).toEqual(JSON.parse(seen[i]));
    }
  });

  it("leave the document alone while they are only tried", () => {
    const tried = paintChange(studio.document, { label: "walk", start: 0, stop: 60, value: "must" });
    expect(tried.timeline.request.labels).toHaveLength(1);
    expect(studio.document).toBe(before);
  });

  it("leave no step if nothing changes", async () => {
    await paintLabel({ label: "walk", start: 10, stop: 10, value: "must" });
    expect(studio.past).toEqual([]);
  });
});
