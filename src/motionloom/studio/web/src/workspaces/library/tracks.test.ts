import { describe, expect, it } from "vitest";
import { curveTracks, labelTracks, readCurves, spread } from "./tracks";

describe("tracks of a take", () => {
  it("have a row for each label, the longest first", () => {
    const labels = [
      { label: "turn", start: 0, stop: 30, source: "user" },
      { label: "walk", start: 0, stop: 60, source: "performer" },
      { label: "walk", start: 90, stop: 120, source: "performer" },
    ];
    const tracks = labelTracks(labels, 60, () => "red");
    expect(tracks.map((track) => track.name)).toEqual(["walk", "turn"]);
    expect(tracks[0].stretches.map((stretch) => [stretch.start, stretch.stop])).toEqual([
      [0, 1],
      [1.5, 2],
    ]);
    expect(tracks[0].stretches[0].title).toContain("from performer");
  });

  it("mark contacts on the curves of the feet, which share one scale", () => {
    const values = { speed: new Float32Array([0, 1]), left_heel: new Float32Array([0, 20]), right_ball: new Float32Array([-3, 5]) };
    const tracks = curveTracks({ frames: 2, values }, { left_heel: [[0, 30]] }, 60);
    expect(tracks.map((track) => track.id)).toEqual(["speed", "left_heel", "right_ball"]);
    expect(tracks[1].marks).toMatchObject([{ start: 0, stop: 0.5, kind: "contact" }]);
    expect([tracks[1].plot?.low, tracks[1].plot?.high]).toEqual([tracks[2].plot?.low, tracks[2].plot?.high]);
    expect(tracks[1].plot?.low).toBe(-3);
  });

  it("get a value for every frame if only some were sent", () => {
    expect([...spread(new Float32Array([0, 3, 6]), 7, 3)]).toEqual([0, 1, 2, 3, 4, 5, 6]);
    const message = { header: { frames: 5, every: 2 }, arrays: { speed: new Float32Array([0, 2, 4]) }, shapes: {} };
    expect([...readCurves(message).values.speed]).toEqual([0, 1, 2, 3, 4]);
  });
});
