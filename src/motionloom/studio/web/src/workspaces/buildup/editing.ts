/** Changes in the middle, made on the timeline: poses put in, stretches replaced or taken out, arrivals moved. */

import type * as T from "../../api/types";
import { addEdit } from "../../commands/add_edit";
import { dropStep } from "../../commands/drop_step";
import { setDuration } from "../../commands/set_duration";
import { stage } from "../../stage.svelte";
import { notify, studio } from "../../state.svelte";
import type { EdgeGesture } from "../../widgets/timeline/types";
import { POSE } from "../poses/carrying";
import { aim, tryAnywhere } from "./actions";
import { buildupState } from "./buildup.svelte";
import { editGhost, editId, selectedStretch, selectEdit } from "./edit_ghost.svelte";
import { cardOf, nameOf, poseOf } from "../poses/poses";
import { builtSeconds, partOf, pendingEditOf, rowOf, stretchOf } from "./rows";

const SHORTEST = 0.1; // seconds
const END = 0.95; // share of what is built behind which a pose is meant to follow it

/** Choose the character that is built up. */
export function onTrack(track: string): void {
  const character = Number(track.split(":")[1]);
  if (character === buildupState.character) return;
  buildupState.drop();
  buildupState.character = character;
}

/** Select a stretch, and go to where it begins; that of an edit, to where its pose is passed. */
export function onSelect(_track: string | null, stretch: string | null): void {
  const pending = pendingEditOf(stretch);
  buildupState.selected = pending < 0 ? stretch : editId(pending);
  if (editGhost.chosen !== null) return selectEdit(editGhost.chosen.index);
  const part = selectedPart();
  if (part !== null) stage.seek(part.start / buildupState.request.fps);
}

/** A pose was dropped on a row: behind all it goes on, on the selected stretch it replaces it, else it is put in there. */
export function onDrop(track: string, seconds: number, data: DataTransfer): void {
  const card = cardOf(buildupState.cards, Number(data.getData(POSE) || Number.NaN));
  if (card === null) return;
  onTrack(track);
  const { request, standing } = buildupState;
  if (seconds >= END * builtSeconds(standing, request.fps)) tryAnywhere(card);
  else putIn(card, seconds);
}

/** Put the pose that is tried in at the playhead. */
export function putInHere(): boolean {
  const { wish, request, standing } = buildupState;
  if (wish === null || studio.time <= 0 || studio.time >= builtSeconds(standing, request.fps)) return false;
  putIn(wish.card, studio.time);
  return true;
}

function putIn(card: T.PoseCard, seconds: number): void {
  const { character, request, cards, built } = buildupState;
  buildupState.drop();
  const part = selectedPart();
  const frame = Math.round(seconds * request.fps);
  const isOnSelected = part !== null && frame >= part.start && frame < part.stop && !isLast(part);
  const edit: T.Edit = {
    kind: isOnSelected ? "replace" : "insert",
    from: `${isOnSelected ? part.start : frame}f`,
    to: isOnSelected ? `${part.stop}f` : null,
    pose: poseOf(card),
    place: null,
    heading: null,
  };
  buildupState.selected = editId(built.edits.length);
  void addEdit({ character, edit, what: nameOf(cards, card) });
}

/** Take out the stretch that is selected; the last step is taken back. */
export function eraseSelected(): boolean {
  const part = selectedPart();
  if (part === null || part.start === 0) return false;
  const { character, built } = buildupState;
  buildupState.selected = null;
  if (!isLast(part)) void addEdit({ character, edit: { kind: "delete", from: `${part.start}f`, to: `${part.stop}f`, pose: null, place: null, heading: null }, what: "" });
  else if (part.step === built.steps.length - 1) void dropStep({ character });
  else notify("info", "The end cannot be taken out; take the edit back");
  return true;
}

/** The edge of a stretch was dragged: the pose that is tried, or the last one, is to be reached then. */
export function onEdge({ stretch, stop, phase }: EdgeGesture): void {
  const { character, standing, wish, request } = buildupState;
  const before = wish === null ? (standing?.steps.at(-1)?.start ?? 0) / request.fps : builtSeconds(standing, request.fps);
  const seconds = Math.max(SHORTEST, stop - before);
  if (phase !== "end") return;
  if (wish !== null && stretch === stretchOf(character, "wish")) aim(wish, { seconds });
  else if (wish === null && stretch.startsWith(`${rowOf(character)}@`)) void setDuration({ character, seconds });
}

function selectedPart(): T.BuiltStep | null {
  const found = partOf(selectedStretch());
  return found === null ? null : (buildupState.standings[found.character]?.steps[found.part] ?? null);
}

const isLast = (part: T.BuiltStep): boolean => buildupState.standing?.steps.at(-1) === part;
