import { describe, expect, it } from "vitest";
import { EMPTY } from "../../api/constants";
import type * as T from "../../api/types";
import { footRow, jointOfRow, jointRow, makeRows, rowOf, sideOfRow } from "./rows";

const point = (joint: string, at: string, hard = true): T.PointTarget => ({ joint, at, position: [0, 1, 0], hard }) as unknown as T.PointTarget;
const request: T.DirectRequest = {
  ...EMPTY.direct.request,
  poses: [{ at: "0f", pose: { take: "walk", frame: 3 }, hard: true } as unknown as T.KeyPose, { at: "6f", pose: { take: "walk", frame: 9 }, hard: true } as unknown as T.KeyPose],
  points: [point("right_hand", "30f"), point("head", "60f", false), point("right_hand", "90f")],
  contacts: [{ joint: "left_heel", from: "0f", to: "30f", hard: false }, { joint: "left_hand", from: "0f", to: "30f", hard: false }],
};
const missed = { isMet: false, text: "off by 4.0 cm", why: "it is out of reach", frame: 90 };
const looks = {
  isOfPoints: false,
  frames: 120,
  selected: "points@1",
  cards: [],
  pictures: new Map(),
  faceOf: () => undefined,
  resting: { right_heel: [[0, 60]] as [number, number][] },
  outcome: ({ list, index }: { list: string; index: number }) => (list === "points" && index === 2 ? missed : null),
};

describe("the rows of a directed motion", () => {
  const rows = makeRows(request, looks);

  it("are one for poses, one for each pinned joint and one for each foot", () => {
    expect(rows.map(({ id }) => id)).toEqual(["poses", "joint:right_hand", "joint:head", "foot:left", "foot:right"]);
  });

  it("keep the place of every entry in the request, and tell hard from weighted", () => {
    expect(rows[1].stretches.map(({ id, kind }) => [id, kind])).toEqual([["points@0", "clip"], ["points@2", "clip"]]); // prettier-ignore
    expect(rows[2].stretches.map(({ id, kind, selected }) => [id, kind, selected])).toEqual([["points@1", "holds", true]]);
  });

  it("show pins as diamonds, missed ones too, but no key poses: these are pictures", () => {
    expect(rows[1].stretches.map(({ isMoment }) => isMoment)).toEqual([true, true]);
    expect(rows[1].marks?.map(({ isMoment }) => isMoment)).toEqual([true]);
    expect(rows[0].stretches.some(({ isMoment }) => isMoment)).toBe(false);
  });

  it("say what is missed, by how much and why", () => {
    expect(rows[1].marks?.map(({ kind, title }) => [kind, title])).toEqual([["missed", "right hand: missed, off by 4.0 cm. it is out of reach"]]);
  });

  it("give poses no more room than there is between two of them", () => {
    const [one, other] = rows[0].stretches;
    expect(one.stop).toBeLessThanOrEqual(other.start + 1e-9);
  });

  it("show contacts that are asked for as paint, and those of the motion as marks", () => {
    expect(rows[3].stretches.map(({ id, text }) => [id, text])).toEqual([["contacts@0", "left heel rests"]]);
    expect(rows[4].marks?.map(({ kind, start, stop }) => [kind, start, stop])).toEqual([["contact", 0, 1]]);
    expect([rows[3].paintable, sideOfRow(rows[3].id), sideOfRow("poses")]).toEqual([true, "left", null]);
  });

  it("say how a foot rests that is not painted: as found only where no contact is given at all", () => {
    const notes = (changes: Partial<T.DirectRequest>): (string | undefined)[] => makeRows({ ...request, ...changes }, looks).flatMap(({ id, note }) => (id.startsWith("foot:") ? [note] : []));
    expect(notes({ contacts: [] })).toEqual(["as found", "as found"]);
    expect(notes({})).toEqual([undefined, "let go"]);
    expect(notes({ contacts: [request.contacts[1]] })).toEqual(["let go", "let go"]); // of a hand
    expect(notes({ contacts: [], feet: "given" })).toEqual(["let go", "let go"]);
    expect(notes({ contacts: [], feet: "free" })).toEqual(["free", "free"]);
    expect(notes({ contacts: [], contacts_like: { take: "run", frame: 0 } as unknown as T.ContactsLike })).toEqual(["as in run", "as in run"]);
  });

  it("are found again by what stands on them", () => {
    expect(["points@1", "contacts@0", "contacts@1", "poses@0", null].map((id) => rowOf(request, id))).toEqual([jointRow("head"), footRow("left"), null, "poses", null]);
    expect(jointOfRow("joint:head")).toBe("head");
  });

  it("of markers are one for each distance, and none for feet", () => {
    const distance = (joint: string, other: string, at: string): T.Distance => ({ joint, other, at, metres: 0.05, hard: true }) as unknown as T.Distance;
    const face = { ...request, points: [], contacts: [], distances: [distance("left", "right", "10f"), distance("up", "down", "10f"), distance("right", "left", "40f")] };
    const made = makeRows(face, { ...looks, isOfPoints: true, selected: "distances@2" });
    expect(made.map(({ name }) => name)).toEqual(["Poses", "Left to right", "Up to down"]);
    expect(made[1].stretches.map(({ id, isMoment, selected }) => [id, isMoment, selected])).toEqual([["distances@0", true, false], ["distances@2", true, true]]); // prettier-ignore
    expect(rowOf(face, "distances@2")).toBe(made[1].id);
  });
});
