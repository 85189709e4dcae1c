/** The ghost of an edit in the middle: where its pose is passed, and where it is moved over the floor. */

import type { Unpacked } from "../../api/packing";
import type * as T from "../../api/types";
import { type MoveEdit, moveEdit } from "../../commands/move_edit";
import { sendMessage } from "../../session";
import { stage } from "../../stage.svelte";
import type { DragPhase } from "../../view3d/types";
import { Browsing } from "./browsing";
import { buildupState, type ShownWay, waysOf } from "./buildup.svelte";
import { cardOfPose, nameOf, poseOf } from "../poses/poses";
import { editAt, partOf, stretchOf } from "./rows";
import { framesOf } from "./times";

const SETTLING = 500; // milliseconds after the last key until the edit is moved
const STEP = 0.25; // metres that a key moves it
const TURN = 15; // degrees that it turns it

export const editId = (index: number): string => `edit@${index}`;
export const indexOfEdit = (id: string | null): number => (id?.startsWith("edit@") ? Number(id.slice(5)) : -1);

/** Where a pose is wanted while it is moved. */
interface Moved {
  index: number;
  place: [number, number];
  heading: number | null; // degrees
}

/** The edit that is selected, with its ghost. */
export interface ChosenEdit {
  index: number;
  edit: T.Edit;
  built: T.BuiltEdit | null; // null: not known yet
  card: T.PoseCard;
  place: [number, number]; // metres: where it is wanted, else where it is passed
  heading: number | null; // degrees; null: whichever
  looks: number; // radians: where it looks in the motion, until it is turned
  stands: [number, number, number]; // metres and radians: where the ghost does, before its bridge is known
  whyNot: string;
  seconds: number | null; // of the bridge
}

class EditGhost {
  moved = $state.raw<Moved | null>(null);
  way = $state.raw<ShownWay | null>(null); // the bridge to where it was moved; null: not known yet
  whyNot = $state(""); // there is none
  isDragged = $state(false);

  /** The edit that is selected; null where none is, or it passes through no pose. */
  readonly chosen = $derived.by((): ChosenEdit | null => {
    const { built, standing, cards, wish, request } = buildupState;
    const index = selectedEdit();
    const edit = built.edits[index];
    const card = edit === undefined ? null : cardOfPose(cards, edit.pose ?? null);
    if (wish !== null || edit === undefined || card === null) return null;
    const made = standing?.edits[index] ?? null;
    const moved = this.moved?.index === index ? this.moved : null;
    const passed = made?.place ?? null;
    const place = moved?.place ?? edit.place ?? (passed === null ? null : ([passed[0], passed[1]] as [number, number]));
    if (place === null) return null;
    const heading = moved === null ? (edit.heading ?? null) : moved.heading;
    const looks = (moved === null ? null : this.way?.place[2]) ?? passed?.[2] ?? 0;
    const isMade = moved === null && passed !== null && made?.why_not === "";
    return {
      index,
      edit,
      built: made,
      card,
      place,
      heading,
      looks,
      stands: isMade ? passed : [...place, heading === null ? looks : (heading * Math.PI) / 180],
      whyNot: moved === null ? (made?.why_not ?? "") : this.whyNot,
      seconds: moved === null ? (made !== null && made.frames > 0 ? made.frames / request.fps : null) : (this.way?.seconds ?? null),
    };
  });

  /** What is said of the edit that is selected, also before it is known where its pose is passed. */
  readonly told = $derived.by((): Pick<ChosenEdit, "card" | "seconds" | "whyNot"> | null => {
    const { built, standing, cards, wish } = buildupState;
    if (this.chosen !== null) return this.chosen;
    const index = selectedEdit();
    const card = cardOfPose(cards, built.edits[index]?.pose ?? null);
    if (wish !== null || card === null) return null;
    return { card, seconds: null, whyNot: standing?.edits[index]?.why_not ?? "" };
  });

  private readonly browsing = new Browsing({ send: (message) => sendMessage(message) });
  private settling: ReturnType<typeof setTimeout> | undefined;
  private isWritten = false; // where it was moved to is in the document
  private waits = false; // to be moved as soon as it is known how long the bridge is

  /** Move it, or turn it; the bridge there comes as soon as it is found. */
  aim(moved: Moved): void {
    const { built, standing } = buildupState;
    const edit = built.edits[moved.index];
    if (edit === undefined || standing === null) return;
    this.moved = moved;
    this.isWritten = false;
    this.way = null;
    this.whyNot = "";
    const { place, heading } = moved;
    const edits = [...built.edits.slice(0, moved.index), { ...edit, place, heading }];
    const card = cardOfPose(buildupState.cards, edit.pose ?? null);
    if (card !== null) this.browsing.ask({ key: standing.key, pose: poseOf(card), place, heading, seconds: null, edits });
  }

  /** Write it down: where it was moved to is where it shall be. Edits behind it have to wait for its bridge. */
  settle(): void {
    clearTimeout(this.settling);
    this.settling = undefined;
    this.isDragged = false;
    const { moved, way, whyNot } = this;
    const { built, standing, character, cards, request } = buildupState;
    const edit = built.edits[moved?.index ?? -1];
    if (moved === null || edit === undefined) return;
    const before = standing?.edits[moved.index] ?? null;
    const hasLater = built.edits.length > moved.index + 1;
    this.waits = hasLater && way === null && whyNot === "";
    if (this.waits) return;
    const later = hasLater ? laterOf(edit, before, way, request.fps) : null;
    this.isWritten = true;
    const card = cardOfPose(cards, edit.pose ?? null);
    const place = moved.place.map((metres) => Number(metres.toFixed(2))) as [number, number];
    const heading = moved.heading === null ? null : Number(moved.heading.toFixed(1));
    void moveEdit({ character, index: moved.index, place, heading, later, what: card === null ? "a pose" : nameOf(cards, card) });
  }

  /** Leave it where it was; false where nothing was moved that is not written down. */
  giveUp(): boolean {
    const wasMoved = this.moved !== null && !this.isWritten;
    clearTimeout(this.settling);
    this.settling = undefined;
    this.browsing.stop();
    this.moved = this.way = null;
    this.whyNot = "";
    this.isDragged = this.waits = false;
    return wasMoved;
  }

  /** What was built is known again: the ghost stands where the motion has it. */
  arrive(): void {
    if (!this.isDragged && !this.waits && this.settling === undefined) this.giveUp();
  }

  /** True where a message was an answer to what was asked here. */
  receive(tag: string, found: Unpacked | null, error = ""): boolean {
    if (!this.browsing.answered(tag)) return false;
    if (this.moved === null) return true;
    this.way = found === null ? null : (waysOf(found)[0] ?? null);
    this.whyNot = this.way === null ? error || String(found?.header.why_not ?? "") : "";
    if (found?.header.is_known === false) void buildupState.askStandings();
    else if (this.waits) this.settle();
    return true;
  }

  /** Its disc was dragged, or its arrow turned. */
  drag(id: string, x: number, z: number, heading: number | null, phase: DragPhase): void {
    if (phase === "cancel") return void this.giveUp();
    this.isDragged = phase !== "end";
    if (phase !== "start") this.aim({ index: indexOfEdit(id), place: [x, z], heading: heading === null ? null : (heading * 180) / Math.PI });
    if (phase === "end") this.settle();
  }

  /** Move it with a key, as seen from the camera: ahead is away from it. */
  nudge(right: number, ahead: number): boolean {
    const { chosen } = this;
    if (chosen === null) return false;
    const azimuth = stage.view?.azimuth() ?? 0;
    const [c, s] = [Math.cos(azimuth), Math.sin(azimuth)];
    const [x, z] = chosen.place;
    this.aimByKey({ index: chosen.index, place: [x + (right * c - ahead * s) * STEP, z - (right * s + ahead * c) * STEP], heading: chosen.heading });
    return true;
  }

  turn(left: number): boolean {
    const { chosen } = this;
    if (chosen === null) return false;
    const now = chosen.heading ?? Math.round((chosen.looks * 180) / Math.PI / TURN) * TURN;
    const heading = now + left * TURN;
    this.aimByKey({ index: chosen.index, place: chosen.place, heading: heading - 360 * Math.round(heading / 360) });
    return true;
  }

  private aimByKey(moved: Moved): void {
    this.aim(moved);
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.settle(), SETTLING);
  }
}

export const editGhost = new EditGhost();

/** Show the ghost of an edit, and go to where its pose is passed. */
export function selectEdit(index: number): void {
  buildupState.drop();
  buildupState.selected = editId(index);
  const frame = buildupState.standing?.edits[index]?.frame ?? null;
  if (frame === null) return;
  stage.player.pause();
  stage.seek(frame / buildupState.request.fps);
}

/** The stretch of the timeline that is selected, also where an edit was selected by its name. */
export function selectedStretch(): string | null {
  const { selected, standing, character } = buildupState;
  const edit = standing?.edits[indexOfEdit(selected)];
  if (edit === undefined) return selected;
  const part = standing?.steps.findIndex(({ start }) => start === edit.start) ?? -1;
  return part < 0 ? null : stretchOf(character, part);
}

/** What comes later behind an edit that has another bridge, or none any more. */
function laterOf({ from, to }: T.Edit, before: T.BuiltEdit | null, way: ShownWay | null, fps: number): MoveEdit["later"] {
  const start = framesOf(from, fps);
  if (start === null || before === null) return null;
  const replaced = to ? (framesOf(to, fps) ?? start) - start : 0; // which stays where there is no bridge
  const had = before.why_not === "" ? before.frames : replaced;
  const has = way === null ? replaced : Math.round(way.seconds * fps);
  return { from: start + had, by: has - had, fps };
}

function selectedEdit(): number {
  const { selected, standings, character } = buildupState;
  const found = partOf(selected);
  if (found === null || found.character !== character) return indexOfEdit(selected);
  const part = standings[character]?.steps[found.part];
  if (part === undefined || part.step !== null) return -1;
  return editAt(standings[character]?.edits ?? [], part.start);
}
