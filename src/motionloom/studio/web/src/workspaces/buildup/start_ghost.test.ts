import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EMPTY } from "../../api/constants";
import type * as T from "../../api/types";
import { castOf } from "../../commands/edit_buildup";
import { undo } from "../../commands/command";
import { stage } from "../../stage.svelte";
import { studio } from "../../state.svelte";
import { beginWith } from "./actions";
import { buildupState } from "./buildup.svelte";
import { START, startGhost } from "./start_ghost.svelte";

vi.mock("../../session", () => ({ sendMessage: () => undefined }));

const card: T.PoseCard = { group: 1, take: "walk", frame: 5, labels: ["walk"], seconds: 1, root: [0, 1, 0], rotations: [1, 0, 0, 0] };
const root = (): number[] => [...(startGhost.pose?.root ?? [])].map((metres) => Number(metres.toFixed(6)));
const start = (): T.Start => castOf(studio.document.buildup.request)[0].start;

beforeEach(() => {
  vi.useFakeTimers();
  studio.document = EMPTY;
  [studio.past, studio.future] = [[], []];
  buildupState.poses.value = { fps: 60, skeleton: "s", near: 0.3, points: [], seconds: 15, cards: [card] };
  buildupState.standings = [{ key: "k", steps: [], why_not: [], edits: [], is_whole: true, soonest: [] }];
  vi.spyOn(stage, "poseOf").mockReturnValue({ root: new Float32Array([0, 1, 0.2]), rotations: new Float32Array([1, 0, 0, 0]) });
  startGhost.arrive();
});
afterEach(() => {
  startGhost.giveUp();
  buildupState.drop();
  vi.useRealTimers();
});

describe("the place where a motion begins", () => {
  it("is a disc that is dragged, with the first pose above it, until it is let go", async () => {
    expect(startGhost.disc).toMatchObject({ id: START, x: 0, z: 0, heading: 0 });
    startGhost.drag(START, 2, 1, Math.PI / 2, "move");
    expect(startGhost.disc).toMatchObject({ x: 2, z: 1, heading: Math.PI / 2 });
    const [x, y, z] = startGhost.pose?.root ?? [];
    expect([x, y, z].map((metres) => Number(metres.toFixed(6)))).toEqual([2.2, 1, 1]);
    expect(start().position).toBeNull();
    startGhost.drag(START, 2.004, 1, Math.PI / 2, "end");
    await vi.advanceTimersByTimeAsync(0);
    expect([start().position, start().heading]).toEqual([[2, 1], 90]);
    expect(startGhost.disc).toMatchObject({ x: 2.004, z: 1 });
    startGhost.arrive();
    expect(startGhost.disc).toMatchObject({ x: 2, z: 1 });
    await undo();
    expect(start().position).toBeNull();
  });

  it("shows the first pose as it was seen last, also while the next motion is loaded", async () => {
    startGhost.drag(START, 2, 0, 0, "end");
    await vi.advanceTimersByTimeAsync(0);
    vi.mocked(stage.poseOf).mockReturnValue(null);
    expect(root()).toEqual([2, 1, 0.2]);
    startGhost.nudge(0, 1);
    startGhost.arrive(); // while it is on its way elsewhere
    expect(root()).toEqual([2, 1, -0.05]);
    await vi.advanceTimersByTimeAsync(1_000);
    vi.mocked(stage.poseOf).mockReturnValue({ root: new Float32Array([2, 1, -0.05]), rotations: new Float32Array([1, 0, 0, 0]) });
    startGhost.arrive();
    expect(root()).toEqual([]);
    startGhost.nudge(0, 1);
    expect(root()).toEqual([2, 1, -0.3]);
  });

  it("holds nothing back that was written down, whatever is done before it is seen", async () => {
    startGhost.drag(START, 2, 0, 0, "end");
    await vi.advanceTimersByTimeAsync(0);
    await undo();
    startGhost.arrive();
    expect([startGhost.disc?.x, startGhost.giveUp()]).toEqual([0, false]);
    startGhost.nudge(1, 0);
    await vi.advanceTimersByTimeAsync(1_000);
    buildupState.aim({ card, place: null, heading: null, seconds: null });
    startGhost.arrive();
    await undo();
    buildupState.drop();
    expect([startGhost.disc?.x, startGhost.giveUp()]).toEqual([0, false]);
  });

  it("shows the first pose as soon as it is seen, where that is after the drag began", () => {
    startGhost.drag(START, 2, 1, 0, "move");
    vi.mocked(stage.poseOf).mockReturnValue({ root: new Float32Array([0.5, 1, 0.25]), rotations: new Float32Array([1, 0, 0, 0]) });
    startGhost.arrive();
    expect(root()).toEqual([2.5, 1, 1.25]);
  });

  it("is given up where a drag is", async () => {
    startGhost.drag(START, 2, 1, 0, "move");
    startGhost.drag(START, 2, 1, 0, "cancel");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(startGhost.disc).toMatchObject({ x: 0, z: 0 });
    expect(start().position).toBeNull();
  });

  it("is moved and turned by keys, in one step of the history", async () => {
    expect([startGhost.nudge(1, 0), startGhost.nudge(1, 0), startGhost.turn(1)]).toEqual([true, true, true]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([start().position?.map(Math.abs), start().heading]).toEqual([[0.5, 0], 15]);
    expect(studio.past).toHaveLength(1);
  });

  it("stays while a pose is tried, once there are steps, and where a take is gone on from", async () => {
    buildupState.aim({ card, place: null, heading: null, seconds: null });
    expect([startGhost.disc, startGhost.nudge(1, 0)]).toEqual([null, false]);
    buildupState.drop();
    const { request } = EMPTY.buildup;
    studio.document = { ...EMPTY, buildup: { ...EMPTY.buildup, request: { ...request, start_from: "walk" } } };
    expect(startGhost.disc).toBeNull();
    studio.document = { ...EMPTY, buildup: { ...EMPTY.buildup, request: { ...request, steps: [{ clips: [] } as unknown as T.Step] } } };
    expect(startGhost.disc).toBeNull();
  });
});

describe("beginning with the pose that is tried", () => {
  it("begins where its disc is, the way its arrow looks", async () => {
    buildupState.aim({ card, place: [1.234, -2], heading: 45, seconds: null });
    await beginWith();
    expect(start()).toMatchObject({ pose: { take: "walk", frame: 5 }, position: [1.23, -2], heading: 45 });
  });

  it("begins where it was to begin, where it was tried nowhere", async () => {
    studio.document = { ...EMPTY, buildup: { ...EMPTY.buildup, request: { ...EMPTY.buildup.request, start: { pose: null, position: [3, 4], heading: 10 } } } };
    buildupState.aim({ card, place: null, heading: null, seconds: null });
    await beginWith();
    expect(start()).toMatchObject({ pose: { take: "walk", frame: 5 }, position: [3, 4], heading: 10 });
  });
});
