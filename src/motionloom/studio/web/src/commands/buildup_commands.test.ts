import { beforeEach, describe, expect, it } from "vitest";
import { EMPTY } from "../api/constants";
import type * as T from "../api/types";
import { studio } from "../state.svelte";
import { addCharacter } from "./add_character";
import { addEdit } from "./add_edit";
import { addProp } from "./add_prop";
import { addStep } from "./add_step";
import { aimAtJoint } from "./aim_at_joint";
import { redo, undo } from "./command";
import { dropCharacter } from "./drop_character";
import { dropEdit } from "./drop_edit";
import { dropProp } from "./drop_prop";
import { dropStep } from "./drop_step";
import { castOf } from "./edit_buildup";
import { loadBuildup } from "./load_buildup";
import { moveEdit } from "./move_edit";
import { moveStart } from "./move_start";
import { moveProp } from "./move_prop";
import { setBuildupTakes } from "./set_buildup_takes";
import { setDuration } from "./set_duration";
import { setHit } from "./set_hit";
import { setStart } from "./set_start";

const step = { pose: { label: "walk" }, place: [0, 1], heading: null, for: null, within: null, way: 0, exact: false, clips: [] } as unknown as T.Step;
const edit: T.Edit = { kind: "insert", from: "30f", to: null, pose: { label: "run" }, place: null };
const prop: T.PropPart = { name: "prop 1", position: [1, 1.2, 0], colour: 0 };
const hit: T.Hit = { joint: "right_hand", point: [1, 1.2, 0], target: null, step: 1, at: null, exact: true };
const atHead: T.Hit = { joint: "hand", point: null, target: { character: "A", joint: "head" }, step: 1, at: null, exact: true };
const built = (): T.Built[] => castOf(studio.document.buildup.request);

beforeEach(() => {
  studio.document = EMPTY;
  [studio.past, studio.future] = [[], []];
});

describe("steps of building up", () => {
  it("can all be undone and redone, from the saved history alone", async () => {
    const seen = [JSON.stringify(studio.document)];
    const commands = [
      () => setBuildupTakes({ takes: ["walk/*"] }),
      () => setStart({ character: 0, pose: { label: "walk" }, take: null, what: "walk" }),
      () => setStart({ character: 0, pose: { label: "run" }, take: null, what: "run", position: [1, 2], heading: 30 }),
      () => moveStart({ character: 0, position: [0, 1], heading: -30 }),
      () => addStep({ character: 0, step, what: "walk" }),
      () => addProp({ prop }),
      () => setHit({ character: 0, prop, hit }),
      () => moveProp({ index: 0, position: [2, 1, 0], name: "prop 1" }),
      () => addEdit({ character: 0, edit, what: "run" }),
      () => moveEdit({ character: 0, index: 0, place: [1, 2], heading: 90, later: null, what: "run" }),
      () => setDuration({ character: 0, seconds: 2 }),
      () => addCharacter({ position: [1.5, 0], heading: 180 }),
      () => addStep({ character: 1, step, what: "walk" }),
      () => aimAtJoint({ character: 1, index: null, hit: atHead, what: "A's head" }),
      () => aimAtJoint({ character: 1, index: 0, hit: { ...atHead, joint: "left_hand" }, what: "A's head" }),
      () => aimAtJoint({ character: 1, index: 0, hit: null, what: "A's head" }),
      () => dropCharacter({ character: 0, name: "A" }),
      () => dropProp({ index: 0, name: "prop 1" }),
      () => dropStep({ character: 0 }),
      () => loadBuildup({ request: EMPTY.buildup.request, name: "" }),
    ];
    for (const run of commands) {
      expect(await run()).toBe(true);
      seen.push(JSON.stringify(studio.document));
    }
    const reload = (): void => void ([studio.past, studio.future] = [JSON.parse(JSON.stringify(studio.past)), JSON.parse(JSON.stringify(studio.future))]);
    reload();
    for (const before of seen.slice(0, -1).reverse()) {
      await undo();
      expect(JSON.parse(JSON.stringify(studio.document))).toEqual(JSON.parse(before));
    }
    reload();
    for (const after of seen.slice(1)) {
      await redo();
      expect(JSON.parse(JSON.stringify(studio.document))).toEqual(JSON.parse(after));
    }
  });

  it("take what is hit at the end of a step away with it, and move hits with their prop", async () => {
    await addStep({ character: 0, step, what: "walk" });
    await addProp({ prop });
    await setHit({ character: 0, prop, hit });
    await moveProp({ index: 0, position: [2, 1, 0], name: "prop 1" });
    expect(built()[0].hits).toEqual([{ ...hit, point: [2, 1, 0] }]);
    await dropStep({ character: 0 });
    expect(built()[0].hits).toEqual([]);
  });

  it("hit something by the ways that were chosen for it, in one step", async () => {
    const clips = (take: string): T.PlayedClip[] => [{ take, start: 0, stop: 9 }];
    for (const take of ["a", "b", "c"]) await addStep({ character: 0, step: { ...step, clips: clips(take) }, what: take });
    await setHit({ character: 0, prop, hit: { ...hit, step: 2 }, ways: { step: 1, clips: [clips("d"), null] } });
    expect(built()[0].steps.map((each) => each.clips?.[0].take)).toEqual(["a", "d", "c"]);
    await aimAtJoint({ character: 0, index: null, hit: { ...atHead, step: 1 }, what: "head", ways: { step: 0, clips: [clips("e"), clips("f"), null] } });
    expect(built()[0].steps.map((each) => each.clips?.[0].take)).toEqual(["e", "f", "c"]);
    await undo();
    await undo();
    expect(built()[0].steps.map((each) => each.clips?.[0].take)).toEqual(["a", "b", "c"]);
    expect(built()[0].hits).toEqual([]);
  });

  it("give characters names when there are several, and none when one is left", async () => {
    await addCharacter({ position: [1, 0], heading: 0 });
    await addCharacter({ position: [2, 0], heading: 0 });
    expect(built().map(({ name }) => name)).toEqual(["A", "B", "C"]);
    await dropCharacter({ character: 0, name: "A" });
    await dropCharacter({ character: 0, name: "B" });
    expect(built().map(({ name, start }) => [name, start.position])).toEqual([["", [2, 0]]]);
    expect(studio.document.buildup.request.characters).toEqual([]);
  });

  it("move the pose of an edit, and what comes later with it", async () => {
    const edits: T.Edit[] = [edit, { ...edit, from: "10f" }, { ...edit, kind: "replace", from: "2s", to: "180f" }, { ...edit, from: "end" }];
    for (const each of edits) await addEdit({ character: 0, edit: each, what: "run" });
    await moveEdit({ character: 0, index: 0, place: [1, 2], heading: null, later: { from: 60, by: -20, fps: 60 }, what: "run" });
    expect(built()[0].edits.map(({ from, to, place }) => [from, to, place])).toEqual([
      ["30f", null, [1, 2]],
      ["10f", null, null],
      ["100f", "160f", null],
      ["end", null, null],
    ]);
  });

  it("take hits of a character away when that goes", async () => {
    await addCharacter({ position: [1, 0], heading: 0 });
    await addCharacter({ position: [2, 0], heading: 0 });
    await addStep({ character: 1, step, what: "walk" });
    await aimAtJoint({ character: 1, index: null, hit: atHead, what: "A's head" });
    expect(built()[1].hits).toEqual([atHead]);
    await dropCharacter({ character: 0, name: "A" });
    expect(built()[0].hits).toEqual([]);
  });

  it("take back an edit with those after it", async () => {
    for (let n = 0; n < 3; n++) await addEdit({ character: 0, edit, what: "run" });
    await dropEdit({ character: 0, index: 1 });
    expect(built()[0].edits).toHaveLength(1);
  });
});
