import { beforeEach, describe, expect, it } from "vitest";
import { EMPTY } from "../../api/constants";
import type * as T from "../../api/types";
import { castOf } from "../../commands/edit_buildup";
import type { Pose, SkeletonData } from "../../motion/types";
import { studio } from "../../state.svelte";
import { buildupState } from "./buildup.svelte";
import { calledBy, changeHit, hitJoint, jointHitsOf, jointNumber, measureHits, othersOf, partsOf, tappedJoint } from "./joint_hits";

const hitAt = (character: string, joint = "head"): T.Hit => ({ joint: "hand", point: null, target: { character, joint }, step: 1, at: null, exact: true });
const built = (name: string, ...hits: T.Hit[]): T.Built => ({ ...castOf(EMPTY.buildup.request)[0], name, hits });
const skeleton = {
  digest: "s",
  names: ["hips", "Head", "lhand", "rhand"],
  parents: [-1, 0, 0, 0],
  offsets: new Float32Array([0, 0, 0, 0, 0.6, 0, 0.5, 0, 0, -0.5, 0, 0]),
  roles: { hips: 0, head: 1, left_hand: 2, right_hand: 3 } as Record<string, number>,
} as SkeletonData;
const at = (x: number): Pose => ({ root: new Float32Array([x, 1, 0]), rotations: new Float32Array([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]) });

describe("who can be aimed at", () => {
  it("is everyone else who does not wait for this one, directly or through others", () => {
    const cast = [built("A"), built("B", hitAt("A")), built("C", hitAt("B")), built("D")];
    expect(cast.map((_, n) => othersOf(cast, n).map(({ name }) => name))).toEqual([["D"], ["A", "D"], ["A", "B", "D"], ["A", "B", "C"]]);
  });

  it("is offered by the parts that the body has, and found by joint, role or what a joint carries", () => {
    expect(partsOf(skeleton.roles)).toEqual(["head", "chin", "hips", "left_hand", "right_hand"]);
    expect(["Head", "head", "chin", "left_fist", "tail"].map((joint) => jointNumber(skeleton, joint))).toEqual([1, 1, 1, 2, -1]);
    expect(["Head", "lhand", "tail"].map((joint) => calledBy(skeleton, joint))).toEqual(["head", "left_hand", "tail"]);
  });
});

describe("a joint that is aimed at", () => {
  const cast = [built("A"), built("B", hitAt("A"))];
  const hits = jointHitsOf(cast[1]);

  it("is where the other one has it, as far as the nearer hand, or the one that is meant", () => {
    const poseOf = (n: number): Pose => at(n === 0 ? 1 : 0);
    const [near] = measureHits(skeleton, at(0), hits, cast, ["left_hand", "right_hand"], poseOf);
    expect(near.position.map((value) => Number(value.toFixed(3)))).toEqual([1, 1.6, 0]);
    expect(near.metres).toBeCloseTo(Math.hypot(0.5, 0.6));
    const right = [{ ...hits[0], hit: { ...hits[0].hit, joint: "right_fist" } }];
    expect(measureHits(skeleton, at(0), right, cast, ["left_hand", "right_hand"], poseOf)[0].metres).toBeCloseTo(Math.hypot(1.5, 0.6));
  });

  it("is nowhere while it is not known how the other one stands", () => {
    expect(measureHits(skeleton, at(0), hits, cast, ["left_hand"], () => null)).toEqual([]);
  });
});

describe("aiming at a joint", () => {
  const step = { pose: { label: "walk" }, place: [0, 1], heading: null, for: null, within: null, way: 0, exact: false, clips: [] } as unknown as T.Step;
  const characters = (): T.Built[] => studio.document.buildup.request.characters;

  beforeEach(() => {
    const cast = [built("A"), { ...built("B"), steps: [step, step] }];
    studio.document = { ...EMPTY, buildup: { ...EMPTY.buildup, request: { ...EMPTY.buildup.request, characters: cast } } };
    [studio.past, studio.future] = [[], []];
    buildupState.character = 1;
  });

  it("hits it at the end of the last pose, once, and with another joint when asked again", async () => {
    await hitJoint({ character: "A", joint: "head" }, "hand");
    await hitJoint({ character: "A", joint: "head" }, "left_foot");
    expect(characters()[1].hits).toEqual([{ ...hitAt("A"), joint: "left_foot", step: 2 }]);
    await changeHit(jointHitsOf(characters()[1])[0], "right_hand");
    expect(characters()[1].hits[0].joint).toBe("right_hand");
    await changeHit(jointHitsOf(characters()[1])[0], null);
    expect(characters()[1].hits).toEqual([]);
  });

  it("has to wait for a pose whose end can hit it", async () => {
    buildupState.character = 0;
    await hitJoint({ character: "B", joint: "head" }, "hand");
    expect(characters()[0].hits).toEqual([]);
    expect(studio.notices.at(-1)?.text).toContain("Accept a pose first");
  });

  it("begins with a tap on another character, not on oneself", () => {
    const answer = { id: "answer:1", characters: [{ motion: "answer:1" }, { motion: "answer:1/2" }] } as T.Answer;
    buildupState.search.found = { tag: "t", best: answer, others: [], isFinal: true } as never;
    buildupState.joints = skeleton;
    studio.picked = { motion: "answer:1", joint: "Head" };
    expect(tappedJoint()).toEqual({ character: "A", joint: "head" });
    studio.picked = { motion: "answer:1/2", joint: "Head" };
    expect(tappedJoint()).toBeNull();
    studio.picked = null;
    expect(tappedJoint()).toBeNull();
  });
});
