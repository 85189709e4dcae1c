/** Plays hub graphs in a page or a game: no dependencies, no document. See README.md. */

export { type ClipControls, type Control, costOf, wrapAngle } from "./controls";
export { type HubAction, type HubClip, type HubGraph, type HubNode, type HubSkeleton, type HubSupport, readHubs } from "./hubs_file";
export type { PlaceWalk, PlaceWishes } from "./place_search";
export { Planner } from "./planner";
export { Player, type PlayerEvent, type PlayerOptions, type PlayerState } from "./player";
export { writeJoints } from "./joints";
