import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EMPTY } from "../../api/constants";
import type * as T from "../../api/types";
import { castOf } from "../../commands/edit_buildup";
import { undo } from "../../commands/command";
import { studio } from "../../state.svelte";
import { buildupState } from "./buildup.svelte";
import { editGhost, editId, selectedStretch } from "./edit_ghost.svelte";

const sent = vi.hoisted(() => [] as T.Browse[]);
vi.mock("../../session", () => ({ sendMessage: (message: T.Browse) => sent.push(message) }));

const card: T.PoseCard = { group: 1, take: "walk", frame: 5, labels: ["walk"], seconds: 1, root: [0, 1, 0], rotations: [1, 0, 0, 0] };
const edit = (from: string): T.Edit => ({ kind: "insert", from, to: null, pose: { take: "walk", frame: 5 }, place: null, heading: null });
const made = (start: number): T.BuiltEdit => ({ why_not: "", frames: 30, start, stop: start + 30, frame: start + 10, place: [1, 2, 0.5] });
const built = (): T.Edit[] => castOf(studio.document.buildup.request)[0].edits;

function answer(seconds: number | null, why_not = ""): void {
  const ways = seconds === null ? [] : [{ seconds, place: [2.9, 4.1, 1], clips: [] }];
  const arrays = { path0: new Float32Array(4), root0: new Float32Array(3), rotations0: new Float32Array(4) };
  editGhost.receive(sent.at(-1)?.tag ?? "", { header: { type: "browsed", is_known: true, ways, why_not }, arrays, shapes: {} } as never);
}

async function rested(): Promise<void> {
  await vi.advanceTimersByTimeAsync(1_000);
}

beforeEach(() => {
  vi.useFakeTimers();
  sent.length = 0;
  const request = { ...EMPTY.buildup.request, edits: [edit("60f"), edit("200f")] };
  studio.document = { ...EMPTY, buildup: { ...EMPTY.buildup, request } };
  [studio.past, studio.future] = [[], []];
  buildupState.poses.value = { fps: 60, skeleton: "s", near: 0.3, points: [], seconds: 15, cards: [card] };
  const steps = [{ start: 60, stop: 90, place: [1, 2, 0], group: 1, step: null }] as T.BuiltStep[];
  buildupState.standings = [{ key: "k", steps, why_not: [], edits: [made(60), made(230)], is_whole: true, soonest: [] }];
  buildupState.selected = editId(0);
});

afterEach(() => {
  editGhost.giveUp();
  vi.useRealTimers();
});

describe("the ghost of an edit", () => {
  it("stands where the motion passes its pose, and is selected by its stretch too", () => {
    expect([editGhost.chosen?.place, editGhost.chosen?.heading, editGhost.chosen?.looks, editGhost.chosen?.seconds]).toEqual([[1, 2], null, 0.5, 0.5]);
    expect(selectedStretch()).toBe("character:0@0");
    expect(editGhost.chosen?.stands).toEqual([1, 2, 0.5]);
    buildupState.selected = "character:0@0";
    expect(editGhost.chosen?.index).toBe(0);
    buildupState.selected = null;
    expect(editGhost.chosen).toBeNull();
  });

  it("is told of before it is known where its pose is passed, and where it cannot be", () => {
    expect(editGhost.told).toMatchObject({ card, seconds: 0.5, whyNot: "" });
    const standing = buildupState.standings[0] as T.Standing;
    buildupState.standings = [{ ...standing, edits: [] }];
    expect([editGhost.chosen, editGhost.told]).toEqual([null, { card, seconds: null, whyNot: "" }]);
    const failed: T.BuiltEdit = { why_not: "there is no bridge", frames: 0, start: null, stop: null, frame: null, place: null };
    buildupState.standings = [{ ...standing, edits: [failed] }];
    expect(editGhost.told).toEqual({ card, seconds: null, whyNot: "there is no bridge" });
    buildupState.selected = null;
    expect(editGhost.told).toBeNull();
  });

  it("asks for the bridge with the edits before it while it is dragged, and is moved when it is let go", async () => {
    buildupState.selected = editId(1);
    editGhost.drag(editId(1), 3, 4, null, "start");
    editGhost.drag(editId(1), 3, 4, null, "move");
    expect(sent[0].edits.map(({ from, place }) => [from, place])).toEqual([["60f", null], ["200f", [3, 4]]]);
    expect([editGhost.chosen?.place, editGhost.chosen?.seconds, built()[1].place]).toEqual([[3, 4], null, null]);
    expect(editGhost.chosen?.stands).toEqual([3, 4, 0.5]);
    answer(1.5);
    expect([editGhost.chosen?.seconds, editGhost.chosen?.looks]).toEqual([1.5, 1]);
    editGhost.drag(editId(1), 3.004, 4, Math.PI / 2, "end");
    await rested();
    expect([built()[1].place, built()[1].heading]).toEqual([[3, 4], 90]);
    await undo();
    expect([built()[1].place, built()[1].heading]).toEqual([null, null]);
  });

  it("waits for its bridge where edits follow, which come as much later as it is longer", async () => {
    editGhost.drag(editId(0), 3, 4, null, "move");
    editGhost.drag(editId(0), 3, 4, null, "end");
    await rested();
    expect(built()[0].place).toBeNull();
    answer(1.5);
    await rested();
    expect(built().map(({ from, place }) => [from, place])).toEqual([["60f", [3, 4]], ["260f", null]]);
  });

  it("is moved all the same where there is no bridge, and says why; what is behind comes sooner", async () => {
    editGhost.drag(editId(0), 30, 4, null, "move");
    answer(null, "out of reach");
    expect(editGhost.chosen?.whyNot).toBe("out of reach");
    editGhost.drag(editId(0), 30, 4, null, "end");
    answer(null, "out of reach");
    await rested();
    expect(built().map(({ from, place }) => [from, place])).toEqual([["60f", [30, 4]], ["170f", null]]);
  });

  it("moves by keys, as one step, and can be given up before", async () => {
    buildupState.selected = editId(1);
    expect(editGhost.turn(1)).toBe(true);
    expect(editGhost.turn(1)).toBe(true);
    expect(editGhost.chosen?.heading).toBe(60);
    await rested();
    expect([built()[1].heading, studio.past.length]).toEqual([60, 1]);
    editGhost.nudge(1, 0);
    expect(editGhost.giveUp()).toBe(true);
    await rested();
    expect(studio.past.length).toBe(1);
    expect(editGhost.giveUp()).toBe(false);
  });

  it("stays where it is held when what was built is known again, and goes where that has it when it rests", () => {
    editGhost.drag(editId(0), 3, 4, null, "move");
    editGhost.arrive();
    expect(editGhost.chosen?.place).toEqual([3, 4]);
    editGhost.drag(editId(0), 3, 4, null, "cancel");
    expect(editGhost.chosen?.place).toEqual([1, 2]);
  });
});
