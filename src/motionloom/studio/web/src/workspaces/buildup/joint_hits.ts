/** Hits that aim at moving joints of other characters. */

import type * as T from "../../api/types";
import { type AimAtJoint, aimAtJoint, aimAtJointChange } from "../../commands/aim_at_joint";
import type { Pose, SkeletonData } from "../../motion/types";
import { notify, studio } from "../../state.svelte";
import { buildupState, type Joints, type ShownJointHit } from "./buildup.svelte";
import { chooseWays } from "./hit_ways";
import { findNearest, placesOf } from "./nearness";

export const NEARER = "hand"; // the nearer one of both, as requests call it

/** Parts of others that are offered by name; a tap on the body picks any joint. */
const OFFERED = ["head", "chin", "chest", "hips", "left_hand", "right_hand", "left_foot", "right_foot"];
const CARRIED_BY: Record<string, string> = { chin: "head" }; // points that are no joints

/** A joint of another character, by the name that a request has for it. */
export interface JointOfOther {
  character: string;
  joint: string;
}

export interface JointHit {
  index: number; // among the hits of the character
  hit: T.Hit;
  target: JointOfOther;
}

export const jointHitId = (index: number): string => `hit@${index}`;
export const indexOfJointHit = (id: string | null): number => (id?.startsWith("hit@") ? Number(id.slice(4)) : -1);
export const wordsOf = (joint: string): string => joint.replaceAll("_", " ");
export const nameOfTarget = ({ character, joint }: JointOfOther): string => `${character}'s ${wordsOf(joint)}`;

/** The hits of a character at joints of others. */
export function jointHitsOf(built: T.Built): JointHit[] {
  return built.hits.flatMap((hit, index) => (hit.target ? [{ index, hit, target: hit.target }] : []));
}

/** The others that a character may aim at: those who do not wait for it themselves. */
export function othersOf(cast: readonly T.Built[], character: number): T.Built[] {
  const name = cast[character]?.name ?? "";
  return cast.filter((other, n) => n !== character && !waitsFor(cast, other, name));
}

function waitsFor(cast: readonly T.Built[], built: T.Built, name: string, seen: readonly string[] = []): boolean {
  return jointHitsOf(built).some(({ target }) => {
    if (target.character === name) return true;
    const next = cast.find((each) => each.name === target.character);
    return next !== undefined && !seen.includes(next.name) && waitsFor(cast, next, name, [...seen, next.name]);
  });
}

/** Parts of a body that are offered by name. */
export function partsOf(roles: Readonly<Record<string, number>>): string[] {
  return OFFERED.filter((part) => (CARRIED_BY[part] ?? part) in roles);
}

/** The number of the joint that a request means; -1 for none, and for the nearer of two. */
export function jointNumber(skeleton: Joints, joint: string): number {
  const named = skeleton.names.indexOf(joint);
  return named >= 0 ? named : (skeleton.roles[CARRIED_BY[joint] ?? joint.replace("fist", "hand")] ?? -1);
}

/** What a joint is called: by its role, if it has one. */
export function calledBy({ names, roles }: Joints, joint: string): string {
  const number = names.indexOf(joint);
  return Object.keys(roles).find((role) => roles[role] === number) ?? joint;
}

/** Where the joints of others are that are aimed at, and how far the hand or foot is that shall hit each. */
export function measureHits(
  skeleton: SkeletonData,
  pose: Pose,
  hits: readonly JointHit[],
  cast: readonly T.Built[],
  points: readonly string[],
  poseOf: (character: number) => Pose | null,
): ShownJointHit[] {
  return hits.flatMap(({ index, hit, target }) => {
    const other = poseOf(cast.findIndex(({ name }) => name === target.character));
    const joint = jointNumber(skeleton, target.joint);
    if (other === null || joint < 0) return [];
    const position = [...placesOf(skeleton, other).subarray(3 * joint, 3 * joint + 3)] as [number, number, number];
    const meant = points.filter((point) => point === hit.joint || point.endsWith(`_${hit.joint.replace("fist", "hand")}`) || point === hit.joint.replace("fist", "hand"));
    const [near] = findNearest(skeleton, pose, meant.length > 0 ? meant : points, [position]);
    return near === null ? [] : [{ index, position, metres: near.metres }];
  });
}

/** The joint of another character that was tapped in the view; null where none was. */
export function tappedJoint(): JointOfOther | null {
  const { picked } = studio;
  const { cast, character, search, wish } = buildupState;
  const owner = search.cast.findIndex(({ motion }) => motion === picked?.motion);
  const other = cast[owner];
  if (picked === null || wish !== null || other === undefined || owner === character) return null;
  return othersOf(cast, character).includes(other) ? { character: other.name, joint: calledBy(buildupState.joints, picked.joint) } : null;
}

/** Hit a joint of another character at the end of the last pose. */
export async function hitJoint(target: JointOfOther, joint: string): Promise<void> {
  const { character, built } = buildupState;
  if (built.steps.length === 0) {
    notify("info", `Accept a pose first: its end hits ${nameOfTarget(target)}`);
    return;
  }
  const hit: T.Hit = { joint, point: null, target, step: built.steps.length, at: null, exact: true };
  const known = jointHitsOf(built).find((each) => each.hit.step === hit.step && isSame(each.target, target));
  if (await aimWell({ character, index: known?.index ?? null, hit, what: nameOfTarget(target) })) {
    buildupState.selected = jointHitId(known?.index ?? built.hits.length);
    studio.picked = null;
  }
}

/** Hit it with another joint; or no longer. */
export async function changeHit({ index, hit, target }: JointHit, joint: string | null): Promise<void> {
  const { character } = buildupState;
  buildupState.selected = null;
  await aimWell({ character, index, hit: joint === null ? null : { ...hit, joint }, what: nameOfTarget(target) });
}

/** Aim by the way that is best for it. */
async function aimWell(wanted: AimAtJoint): Promise<boolean> {
  const { character, hit } = wanted;
  const ways = hit === null ? null : await chooseWays(aimAtJointChange(studio.document, wanted), character, hit);
  return aimAtJoint({ ...wanted, ways });
}

const isSame = (one: JointOfOther, other: JointOfOther): boolean => one.character === other.character && one.joint === other.joint;
