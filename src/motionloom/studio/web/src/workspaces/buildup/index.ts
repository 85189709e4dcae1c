import type { Extras } from "../../extras";
import { icons } from "../../icons";
import type { Waypoint } from "../../view3d/types";
import type { Workspace } from "../workspace";
import { accept, backUp, nudge, onGround, onWaypoint, showWay, turn, WISH } from "./actions";
import { buildupState } from "./buildup.svelte";
import { eraseSelected, onDrop, onEdge, onSelect, onTrack, putInHere } from "./editing";
import { type ChosenEdit, editGhost, editId, indexOfEdit, selectedStretch } from "./edit_ghost.svelte";
import { extrasOfEdit, extrasOfStart } from "./ghost";
import Inspector from "./Inspector.svelte";
import Overlay from "./Overlay.svelte";
import Panel from "./Panel.svelte";
import { changeHit, indexOfJointHit, jointHitsOf } from "./joint_hits";
import { secondsText } from "../poses/poses";
import { indexOfProp, onTarget, removeProp, targets } from "./props";
import { builtSeconds, makeRows, rowOf } from "./rows";
import Setup from "./Setup.svelte";
import { START, startGhost } from "./start_ghost.svelte";

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** The disc of the pose that is tried, where it was asked for, else where it comes to; before all steps that of the first one. */
function waypoints(): Waypoint[] {
  const { wish, shownWay, whyNot } = buildupState;
  if (editGhost.chosen !== null) return [discOf(editGhost.chosen)];
  if (startGhost.disc !== null) return [startGhost.disc];
  if (wish === null || (wish.place === null && shownWay === null)) return [];
  const [x, z] = wish.place ?? [shownWay?.place[0] ?? 0, shownWay?.place[1] ?? 0];
  return [
    {
      id: WISH,
      x,
      z,
      heading: wish.heading === null ? null : radians(wish.heading),
      aim: shownWay?.place[2],
      label: secondsText(shownWay?.seconds),
      selected: true,
      met: whyNot === "" ? null : false,
    },
  ];
}

/** The ghost of the pose that is tried, else of the edit that is selected. */
function extras(): Extras {
  const { chosen, way, moved } = editGhost;
  if (startGhost.pose !== null) return extrasOfStart(startGhost.pose, buildupState.poses.looks);
  if (chosen === null) return buildupState.extras;
  return extrasOfEdit(chosen, moved === null ? null : way, buildupState.poses.looks);
}

/** The disc of an edit that is selected. */
function discOf({ index, place, heading, looks, seconds, whyNot }: ChosenEdit): Waypoint {
  const [x, z] = place;
  const label = secondsText(seconds);
  return { id: editId(index), x, z, heading: heading === null ? null : radians(heading), aim: looks, label, selected: true, met: whyNot === "" ? null : false };
}

const SLACK = 1.5; // seconds behind a pose that is tried, so that it can be reached later

/** A click on a prop, on a joint that is aimed at or on the disc of an edit selects it; one beside all selects nothing. */
function onMarker(id: string | null): void {
  if (indexOfEdit(id) >= 0) return;
  buildupState.selected = indexOfProp(id) < 0 && indexOfJointHit(id) < 0 ? null : id;
}

/** Leave an edit, or the first pose, where it was; where none is moved, select nothing. */
function letGo(): boolean {
  if (editGhost.giveUp() || startGhost.giveUp()) return true;
  const wasSelected = editGhost.told !== null;
  if (wasSelected) buildupState.selected = null;
  return wasSelected;
}

/** Seconds of the longest row. */
function length(): number {
  const { standings, request, shownWay, search, character } = buildupState;
  const built = standings.map((standing, n) => builtSeconds(standing, request.fps) + (n === character && shownWay !== null ? shownWay.seconds + SLACK : 0));
  return Math.max(search.answer === null ? 0 : search.answer.frames / search.answer.fps, 1, ...built);
}

export const buildup: Workspace = {
  name: "buildup",
  method: "buildup",
  title: "Build-up",
  about: "Build a motion pose by pose, and see at once how to get there",
  icon: icons.buildup,
  Panel,
  Inspector,
  Overlay,
  Setup,
  cast: () => buildupState.search.cast,
  timeline() {
    const { cast, standings, wish, shownWay, character, request, cards, poses } = buildupState;
    const rows = cast.map(({ name }, n) => ({
      name,
      standing: standings[n] ?? null,
      edits: cast[n].edits,
      wish: wish !== null && n === character ? { card: wish.card, seconds: shownWay?.seconds ?? 0 } : null,
    }));
    return {
      length: length(),
      fps: request.fps,
      tracks: makeRows(rows, { fps: request.fps, cards, pictures: poses.portraits, selected: selectedStretch() }),
      chosen: rowOf(character),
      tools: [],
      tool: "select",
      onselect: onSelect,
      ontrack: onTrack,
      ondrop: onDrop,
      onedge: onEdge,
    };
  },
  scene: () => ({
    waypoints: waypoints(),
    targets: targets(),
    extras: extras(),
    lead: buildupState.character,
    onwaypoint: (id, ...where) => (id === START ? startGhost.drag(id, ...where) : indexOfEdit(id) < 0 ? onWaypoint(id, ...where) : editGhost.drag(id, ...where)),
    ontarget: onTarget,
    onselect: onMarker,
    onground: onGround,
  }),
  actions: {
    accept: () => (buildupState.wish === null ? false : void accept()),
    reject: () => (buildupState.wish === null && buildupState.built.steps.length === 0 ? false : void backUp()),
    nextWay: () => (buildupState.ways.length < 2 ? false : showWay(buildupState.choice + 1)),
    wishLeft: () => nudge(-1, 0) || editGhost.nudge(-1, 0) || startGhost.nudge(-1, 0),
    wishRight: () => nudge(1, 0) || editGhost.nudge(1, 0) || startGhost.nudge(1, 0),
    wishAway: () => nudge(0, 1) || editGhost.nudge(0, 1) || startGhost.nudge(0, 1),
    wishNear: () => nudge(0, -1) || editGhost.nudge(0, -1) || startGhost.nudge(0, -1),
    wishTurnLeft: () => turn(1) || editGhost.turn(1) || startGhost.turn(1),
    wishTurnRight: () => turn(-1) || editGhost.turn(-1) || startGhost.turn(-1),
    paintHere: () => putInHere(),
    eraseStretch: () => {
      const hit = jointHitsOf(buildupState.built).find(({ index }) => index === indexOfJointHit(buildupState.selected));
      if (hit !== undefined) return void changeHit(hit, null);
      const prop = indexOfProp(buildupState.selected);
      if (prop < 0) return eraseSelected();
      void removeProp(prop);
    },
    cancel: () => (buildupState.wish === null ? letGo() : buildupState.drop()),
  },
  onmessage: (message) => {
    if (message.type !== "not_browsed" || !editGhost.receive(message.tag, null, message.error)) buildupState.receive(message);
  },
  onarrays: (message) => {
    if (!editGhost.receive(String(message.header.tag), message)) buildupState.receiveWays(message);
  },
};
