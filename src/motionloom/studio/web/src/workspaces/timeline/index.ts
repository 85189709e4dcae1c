import { icons } from "../../icons";
import { studio } from "../../state.svelte";
import type { Waypoint } from "../../view3d/types";
import type { Workspace } from "../workspace";
import { eraseSelected, onDrop, onEdge, onGround, onLength, onPaint, onSelect, onWaypoint } from "./gestures";
import Inspector from "./Inspector.svelte";
import Overlay from "./Overlay.svelte";
import Panel from "./Panel.svelte";
import { corners, placeFrame } from "./request";
import Setup from "./Setup.svelte";
import { lengthOf } from "./times";
import { timelineState } from "./timeline.svelte";
import { PLACES } from "./tracks";

/** Places as discs on the ground; places without a position are not shown. */
function waypoints(): Waypoint[] {
  const { request, details } = timelineState;
  return request.places.flatMap((place, index) => {
    if (place.position === null) return [];
    const id = `${PLACES}@${index}`;
    const frame = placeFrame(place, request);
    const reached = details?.places.find((result) => result.frame === frame);
    return [
      {
        id,
        x: place.position[0],
        z: place.position[1],
        heading: place.heading === null ? null : (place.heading * Math.PI) / 180,
        aim: aimAt(place.position, frame),
        label: place.at === "end" ? "end" : `${(frame / request.fps).toFixed(1)} s`,
        selected: timelineState.selected === id,
        met: reached?.met ?? null,
      },
    ];
  });
}

/** The path through the places, in the order of time. */
function path(): [number, number][] {
  const { request } = timelineState;
  return request.places.some((place) => place.position !== null) ? corners(request).map((corner) => corner.at) : [];
}

/** The heading at a place after going straight to it. */
function aimAt([x, z]: [number, number], frame: number): number {
  const before = corners(timelineState.request).filter((corner) => corner.frame < frame).at(-1)?.at ?? [x, z];
  return Math.atan2(x - before[0], z - before[1]);
}


export const timeline: Workspace = {
  name: "timeline",
  method: "timeline",
  title: "Timeline",
  about: "Paint what shall happen when, and get the motion",
  icon: icons.timeline,
  Panel,
  Inspector,
  Overlay,
  Setup,
  cast() {
    return timelineState.search.cast;
  },
  timeline() {
    const { request } = timelineState;
    return {
      length: lengthOf(request) / request.fps,
      fps: request.fps,
      tracks: timelineState.tracks,
      chosen: timelineState.track,
      tools: ["must", "must_not", "erase", "select"],
      tool: timelineState.tool,
      ontool: (tool) => (timelineState.tool = tool),
      onpaint: onPaint,
      onedge: onEdge,
      onselect: onSelect,
      ontrack: (track) => (timelineState.track = track),
      ondrop: onDrop,
      onlength: onLength,
      empty: "Choose a label at the left, then drag along its row.",
    };
  },
  scene: () => ({
    waypoints: waypoints(),
    path: path(),
    onwaypoint: onWaypoint,
    onselect: (id) => (timelineState.selected = id),
    onground: onGround,
  }),
  actions: {
    eraseStretch: eraseSelected,
    cancel: () => {
      if (studio.draft === null && timelineState.selected === null) return false;
      timelineState.selected = null;
    },
  },
  onmessage: (message) => timelineState.search.receive(message),
};

