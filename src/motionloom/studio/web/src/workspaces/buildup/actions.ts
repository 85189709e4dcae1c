/** What is done in the build-up workspace: poses are tried, accepted and taken back. */

import type * as T from "../../api/types";
import { addStep } from "../../commands/add_step";
import { dropStep } from "../../commands/drop_step";
import { setStart } from "../../commands/set_start";
import { stage } from "../../stage.svelte";
import { studio } from "../../state.svelte";
import type { DragPhase } from "../../view3d/types";
import { buildupState, type Wish } from "./buildup.svelte";
import { nameOf, poseOf } from "../poses/poses";
import { builtSeconds } from "./rows";

export const WISH = "wish"; // id of the disc of the pose that is tried
const LEAD = 0.4; // seconds before a new stretch from which it is played
const STEP = 0.25; // metres that a key moves the pose that is tried
const TURN = 15; // degrees that it turns it

/** Try a pose where it can be had soonest, or at a place. */
export function tryPose(card: T.PoseCard, place: [number, number] | null = null): void {
  const { wish } = buildupState;
  if (wish === null) standAtEnd();
  const isSame = wish?.card === card;
  buildupState.aim({
    card,
    place: place ?? (isSame ? wish.place : null),
    heading: isSame ? wish.heading : null,
    seconds: isSame ? wish.seconds : null,
  });
}

/** Try a pose where it can be had soonest, wherever it was tried before. */
export function tryAnywhere(card: T.PoseCard): void {
  if (buildupState.wish === null) standAtEnd();
  buildupState.aim({ card, place: null, heading: null, seconds: null });
}

/** Let the body stand in its last pose, where all ways begin. */
function standAtEnd(): void {
  stage.player.pause();
  stage.seek(studio.length);
}

/** Accept the way that is shown: the pose where its ghost stands. */
export async function accept(): Promise<boolean> {
  const { wish, shownWay, character, cards, standing } = buildupState;
  if (wish === null || shownWay === null) return false;
  const { place, heading, seconds } = wish;
  const step: T.Step = {
    ...emptyStep(),
    pose: poseOf(wish.card),
    place: place === null ? null : roundPlace(shownWay.place),
    heading: heading === null ? null : round(heading, 1),
    for: seconds === null ? null : `${seconds.toFixed(2)}s`,
    clips: shownWay.clips,
  };
  const from = Math.max(0, builtSeconds(standing, studio.shown.buildup.request.fps) - LEAD);
  buildupState.drop();
  if (!(await addStep({ character, step, what: nameOf(cards, wish.card) }))) return false;
  buildupState.playFrom = from;
  return true;
}

/** Begin with the pose that is tried instead of going on to it, where its disc is. */
export async function beginWith(): Promise<void> {
  const { wish, character, cards } = buildupState;
  if (wish === null) return;
  buildupState.drop();
  const where = { position: wish.place === null ? undefined : roundPlace(wish.place), heading: wish.heading === null ? undefined : round(wish.heading, 1) };
  await setStart({ character, pose: poseOf(wish.card), take: null, what: nameOf(cards, wish.card), ...where });
}

/** Give up the pose that is tried; where none is, take the last one away. */
export async function backUp(): Promise<void> {
  const { wish, character, built } = buildupState;
  if (wish !== null) return buildupState.drop();
  if (built.steps.length > 0) await dropStep({ character });
}

/** Show another of the ways. */
export function showWay(number: number): void {
  const { ways } = buildupState;
  if (ways.length > 0) buildupState.choice = ((number % ways.length) + ways.length) % ways.length;
}

/** Move the pose that is tried, as seen from the camera: ahead is away from it. */
export function nudge(right: number, ahead: number): boolean {
  const { wish, shownWay } = buildupState;
  if (wish === null) return false;
  const [x, z] = wish.place ?? (shownWay === null ? [0, 0] : [shownWay.place[0], shownWay.place[1]]);
  const azimuth = stage.view?.azimuth() ?? 0;
  const [c, s] = [Math.cos(azimuth), Math.sin(azimuth)];
  aim(wish, { place: [x + (right * c - ahead * s) * STEP, z - (right * s + ahead * c) * STEP] });
  return true;
}

export function turn(left: number): boolean {
  const { wish, shownWay } = buildupState;
  if (wish === null) return false;
  const now = wish.heading ?? Math.round(((shownWay?.place[2] ?? 0) * 180) / Math.PI / TURN) * TURN;
  aim(wish, { heading: wrapDegrees(now + left * TURN) });
  return true;
}

/** The disc of the pose that is tried was dragged, or its arrow turned. */
export function onWaypoint(id: string, x: number, z: number, heading: number | null, phase: DragPhase): void {
  const { wish } = buildupState;
  if (id !== WISH || wish === null) return;
  buildupState.isDragged = phase === "move" || phase === "start";
  if (phase === "move" || phase === "end") aim(wish, { place: [x, z], heading: heading === null ? null : (heading * 180) / Math.PI });
}

/** A double click on the ground: the pose that is tried goes there. */
export function onGround(x: number, z: number): void {
  const { wish } = buildupState;
  if (wish !== null) aim(wish, { place: [x, z] });
}

export function aim(wish: Wish, changes: Partial<Wish>): void {
  buildupState.aim({ ...wish, ...changes });
}

function emptyStep(): T.Step {
  const example = studio.methods.find(({ name }) => name === "buildup")?.example as { steps: T.Step[] } | undefined;
  return { ...(example?.steps[0] as T.Step) };
}

function wrapDegrees(angle: number): number {
  return angle - 360 * Math.round(angle / 360);
}

function roundPlace([x, z]: readonly number[]): [number, number] {
  return [round(x), round(z)];
}

function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}
