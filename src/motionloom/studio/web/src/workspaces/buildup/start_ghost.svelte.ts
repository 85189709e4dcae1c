/** Where a character begins, until it has steps: a disc that is moved over the floor, with its first pose above it. */

import type * as T from "../../api/types";
import { moveStart } from "../../commands/move_start";
import type { Pose } from "../../motion/types";
import { stage } from "../../stage.svelte";
import type { DragPhase, Waypoint } from "../../view3d/types";
import { buildupState } from "./buildup.svelte";
import { movedPose } from "./ghost";

export const START = "start"; // id of the disc
const SETTLING = 500; // milliseconds after the last key until it is moved
const STEP = 0.25; // metres that a key moves it
const TURN = Math.PI / 12; // radians that it turns it

/** Metres along x and z, radians. */
type Place = [number, number, number];

interface Seen extends Pose {
  place: Place; // where it begins
}

class StartGhost {
  /** Where it is moved to, while the first pose does not stand there yet. */
  private moved = $state.raw<Place | null>(null);
  private seen = $state.raw<readonly (Seen | null)[]>([]); // how the characters stand in the motion that is shown
  private settling: ReturnType<typeof setTimeout> | undefined;
  private character = 0; // that is moved
  private isOpen = false; // it is not written down yet where it is moved to

  private readonly canMove = $derived.by(() => {
    const { built, wish, standing } = buildupState;
    return wish === null && standing !== null && built.steps.length === 0 && built.edits.length === 0 && built.start_from === null;
  });
  private readonly stands = $derived(placeOf(buildupState.built));

  readonly disc = $derived.by((): Waypoint | null => {
    if (!this.canMove) return null;
    const [x, z, heading] = this.moved ?? this.stands;
    return { id: START, x, z, heading, label: "", selected: true, met: null };
  });

  /** The first pose where it is moved to; null where it stands already. */
  readonly pose = $derived.by((): Pose | null => {
    const seen = this.seen[buildupState.character] ?? null;
    return this.moved === null || !this.canMove || seen === null ? null : movedPose(seen, seen.place, this.moved);
  });

  /** Its disc was dragged, or its arrow turned. */
  drag(id: string, x: number, z: number, heading: number | null, phase: DragPhase): void {
    if (id !== START || !this.canMove) return;
    if (phase === "cancel") return void this.giveUp();
    if (phase === "start") return;
    this.aim([x, z, heading ?? this.stands[2]]);
    if (phase === "end") void this.settle();
  }

  /** Move it with a key, as seen from the camera: ahead is away from it. */
  nudge(right: number, ahead: number): boolean {
    if (!this.canMove) return false;
    const azimuth = stage.view?.azimuth() ?? 0;
    const [c, s] = [Math.cos(azimuth), Math.sin(azimuth)];
    const [x, z, heading] = this.moved ?? this.stands;
    return this.aimByKey([x + (right * c - ahead * s) * STEP, z - (right * s + ahead * c) * STEP, heading]);
  }

  turn(left: number): boolean {
    if (!this.canMove) return false;
    const [x, z, heading] = this.moved ?? this.stands;
    return this.aimByKey([x, z, heading + left * TURN]);
  }

  /** Leave it where it was; false where nothing was moved that is not written down. */
  giveUp(): boolean {
    const wasOpen = this.isOpen;
    clearTimeout(this.settling);
    this.isOpen = false;
    this.moved = null;
    return wasOpen;
  }

  /** The motion is seen that begins as the document says. */
  arrive(): void {
    if (!this.isOpen) this.moved = null;
    if (!this.canMove) return;
    this.seen = buildupState.cast.map((built, character) => {
      const pose = stage.poseOf(character);
      return pose === null ? (this.seen[character] ?? null) : { root: pose.root.slice(), rotations: pose.rotations.slice(), place: placeOf(built) };
    });
  }

  private aim(to: Place): void {
    this.isOpen = true;
    this.moved = to;
    this.character = buildupState.character;
  }

  private aimByKey(to: Place): boolean {
    this.aim(to);
    clearTimeout(this.settling);
    this.settling = setTimeout(() => void this.settle(), SETTLING);
    return true;
  }

  private async settle(): Promise<void> {
    const { moved, character } = this;
    if (moved === null || character !== buildupState.character) return void this.giveUp();
    const [x, z, heading] = moved;
    const degrees = (heading * 180) / Math.PI;
    const position: [number, number] = [round(x, 2), round(z, 2)];
    await moveStart({ character, position, heading: round(degrees - 360 * Math.round(degrees / 360), 1) });
    if (this.moved === moved) this.isOpen = false;
  }
}

function placeOf({ start: { position, heading } }: T.Built): Place {
  return [position?.[0] ?? 0, position?.[1] ?? 0, ((heading ?? 0) * Math.PI) / 180];
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits)) + 0; // no -0
}

export const startGhost = new StartGhost();
