/** Props: things in space that hands and feet come near to, or hit exactly. */

import type * as T from "../../api/types";
import { addProp } from "../../commands/add_prop";
import { dropProp } from "../../commands/drop_prop";
import { moveProp, movePropChange } from "../../commands/move_prop";
import { isAt } from "../../commands/edit_props";
import { setHit, setHitChange } from "../../commands/set_hit";
import { paletteColour } from "../../palette";
import { stage } from "../../stage.svelte";
import { notify, studio } from "../../state.svelte";
import type { DragPhase, Target } from "../../view3d/types";
import { buildupState } from "./buildup.svelte";
import { chooseWays } from "./hit_ways";
import { jointHitId, jointHitsOf, nameOfTarget } from "./joint_hits";
import { centimetresText } from "./nearness";

const AHEAD = 0.4; // metres before the last pose that a new prop hangs: an arm reaches it from there
const HEIGHT = 1.2; // metres
const ASIDE = 0.35; // metres between props that are hung one after another

export const propId = (index: number): string => `prop@${index}`;
export const indexOfProp = (id: string | null): number => (id?.startsWith("prop@") ? Number(id.slice(5)) : -1);

/** What hands and feet come near to: props, and joints of others that are aimed at. */
export const targets = (): Target[] => [...propTargets(), ...jointTargets()];

/** Joints of others, which cannot be dragged. */
function jointTargets(): Target[] {
  const { built, jointHits, palette, selected } = buildupState;
  const hits = jointHitsOf(built);
  return jointHits.flatMap(({ index, position, metres }) => {
    const hit = hits.find((each) => each.index === index);
    if (hit === undefined) return [];
    const id = jointHitId(index);
    const label = `${nameOfTarget(hit.target)} · ${centimetresText(metres)}`;
    return [{ id, position, label, selected: selected === id, isReached: metres <= (palette?.near ?? 0), isFixed: true }];
  });
}

/** Props: grey where a hand or foot is near, with the distance. */
function propTargets(): Target[] {
  const { props, distances, palette, selected } = buildupState;
  return props.map((prop, index) => {
    const near = distances[index] ?? null;
    return {
      id: propId(index),
      position: prop.position,
      label: near === null ? prop.name : `${prop.name} · ${centimetresText(near.metres)}`,
      selected: selected === propId(index),
      colour: paletteColour(prop.colour),
      isReached: near !== null && near.metres <= (palette?.near ?? 0),
    };
  });
}

/** Hang a new prop before the last pose. */
export async function hangProp(): Promise<void> {
  const { props, standing } = buildupState;
  const [x, z, heading] = standing?.steps.at(-1)?.place ?? [0, 0, 0];
  const number = props.reduce((most, { name }) => Math.max(most, Number(/^prop (\d+)$/.exec(name)?.[1] ?? 0)), 0) + 1;
  const aside = ASIDE * Math.ceil(props.length / 2) * (props.length % 2 === 0 ? 1 : -1); // by turns to the left and the right
  const [c, s] = [Math.cos(heading), Math.sin(heading)];
  const position = [x + AHEAD * s + aside * c, HEIGHT, z + AHEAD * c - aside * s].map(round) as [number, number, number];
  await addProp({ prop: { name: `prop ${number}`, position, colour: number } });
  buildupState.selected = propId(props.length);
}

export async function removeProp(index: number): Promise<void> {
  buildupState.selected = null;
  await dropProp({ index, name: buildupState.props[index].name });
}

export function onTarget(id: string, position: [number, number, number], phase: DragPhase): void {
  const index = indexOfProp(id);
  const prop = buildupState.props[index];
  if (prop === undefined) return;
  buildupState.selected = id;
  const args = { index, position: position.map(round) as [number, number, number], name: prop.name };
  if (phase === "move") studio.draft = movePropChange(studio.document, args);
  else if (phase === "end") void moveProp(args);
  else if (phase === "cancel") studio.draft = null;
}

/** The hit of a prop by the character that is built up; null where it is none. */
export function hitOf(prop: T.PropPart): T.Hit | null {
  return buildupState.built.hits.find((hit) => isAt(hit, prop)) ?? null;
}

/** Hit a prop exactly at the end of the last step, with a hand or foot; or no longer. */
export async function hitExactly(prop: T.PropPart, joint: string | null): Promise<void> {
  const { character, built } = buildupState;
  if (joint !== null && built.steps.length === 0) {
    notify("info", "Accept a pose first: its end hits the prop");
    return;
  }
  const step = hitOf(prop)?.step ?? built.steps.length;
  const hit: T.Hit | null = joint === null ? null : { joint, point: prop.position, target: null, step, at: null, exact: true };
  const ways = hit === null ? null : await chooseWays(setHitChange(studio.document, { character, prop, hit }), character, hit);
  await setHit({ character, prop, hit, ways });
}

/** Show where a prop hangs. */
export function selectProp(index: number): void {
  buildupState.selected = propId(index);
  stage.frameCharacter();
}

const round = (value: number): number => Number(value.toFixed(3));
