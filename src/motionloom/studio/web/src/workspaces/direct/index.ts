import { icons } from "../../icons";
import { stage } from "../../stage.svelte";
import { studio } from "../../state.svelte";
import type { Waypoint } from "../../view3d/types";
import type { Workspace } from "../workspace";
import { idOf, nameOf } from "./demands";
import { directState } from "./direct.svelte";
import { onStroke, pen } from "./drawing.svelte";
import { eraseSelected, onDrop, onEdge, onLength, onPaint, onSelect } from "./gestures";
import Inspector from "./Inspector.svelte";
import Overlay from "./Overlay.svelte";
import Panel from "./Panel.svelte";
import { onTarget, nudge, pinHere, targets } from "./pins";
import { onGround, onWaypoint } from "./places";
import { drawn } from "./scene.svelte";
import { rowOf, sideOfRow } from "./rows";
import Setup from "./Setup.svelte";

/** Discs of poses and of places that the root has to be at. */
function waypoints(): Waypoint[] {
  const { request, selected, fps } = directState;
  const discs = [
    ...request.poses.map((pose, index) => ({ entry: { list: "poses" as const, index }, at: pose.at, place: pose.place, heading: pose.heading })),
    ...request.root.map((root, index) => ({ entry: { list: "root" as const, index }, at: root.at, place: root.position, heading: root.heading })),
  ];
  return discs.flatMap(({ entry, at, place, heading }) => {
    if (place == null) return [];
    const id = idOf(entry);
    const seconds = typeof at === "string" ? ` · ${(Number.parseFloat(at) / (at.endsWith("f") ? fps : 1)).toFixed(1)} s` : "";
    const outcome = directState.outcome(entry);
    return [
      {
        id,
        x: place[0],
        z: place[1],
        heading: heading == null ? null : (heading * Math.PI) / 180,
        aim: 0,
        label: `${nameOf(request, entry)}${seconds}`,
        selected: selected === id,
        met: outcome?.isMet ?? null,
      },
    ];
  });
}

export const direct: Workspace = {
  name: "direct",
  method: "dynamics",
  title: "Direct",
  about: "Take hold of any joint or marker at any time, and the motion follows",
  icon: icons.direct,
  Panel,
  Inspector,
  Overlay,
  Setup,
  cast: () => directState.cast,
  timeline() {
    const { frames, fps, track, tool, request, selected } = directState;
    return {
      length: frames / fps,
      fps,
      tracks: directState.isBlank && frames === 0 ? [] : drawn.rows,
      chosen: rowOf(request, selected) ?? track,
      tools: directState.isPoints ? ["select"] : ["select", "must", "erase"], // feet are painted
      tool,
      toolWords: { must: "Rest a foot", erase: "Let go", select: "Select" },
      ontool: (wanted) => (directState.tool = wanted),
      onpaint: onPaint,
      onedge: onEdge,
      onselect: onSelect,
      ontrack: (wanted) => (directState.track = wanted),
      ondrop: onDrop,
      onlength: request.start_from == null ? onLength : undefined,
      empty: `Open a motion, or tap a ${directState.isPoints ? "face" : "pose"} at the left to begin with it.`,
    };
  },
  scene: () => ({
    waypoints: waypoints(),
    targets: targets(),
    extras: drawn.extras,
    hasGrips: directState.mode === "drag" && directState.comparing !== "before" && directState.director !== null && studio.cast.length > 0,
    pen: pen(),
    onstroke: onStroke,
    onwaypoint: onWaypoint,
    ontarget: onTarget,
    onselect: (id) => (directState.selected = id),
    onground: directState.isPoints ? undefined : onGround,
  }),
  actions: {
    paintHere: () => (sideOfRow(directState.track) !== null ? false : void pinHere()),
    wishLeft: () => nudge(-1, 0, 0),
    wishRight: () => nudge(1, 0, 0),
    wishAway: () => nudge(0, 1, 0),
    wishNear: () => nudge(0, -1, 0),
    wishTurnLeft: () => nudge(0, 0, 1),
    wishTurnRight: () => nudge(0, 0, -1),
    eraseStretch: eraseSelected,
    cancel: () => {
      if (directState.mode !== "drag") return void (directState.mode = "drag");
      if (studio.draft === null && directState.selected === null) return false;
      directState.selected = null;
    },
    frameCharacter: () => stage.frameCharacter(),
    compare: () => {
      if (directState.request.start_from == null) return false;
      directState.comparing = directState.comparing === "before" ? "after" : "before";
    },
  },
  onmessage: (message) => directState.receive(message),
  onarrays: (message) => directState.receiveMotion(message),
};
