// Made by `python -m motionloom.studio.server.client` from the server's messages and routes; do not edit.

/** Whole number of a rotation for 1.0 in a file. */
export const UNIT = 32767;
/** The newest version of the format that is read here. */
export const VERSION = 2;
/** Of a file; more are not read. */
export const MOST_SUPPORTS = 20000;
/** Bytes of a file before its header. */
export const PREFIX = 24;
/** Bytes at whose multiples the arrays of a file begin. */
export const ALIGNMENT = 8;
/** The share of a clip's frames above which a label counts as what the clip does. */
export const MOSTLY = 0.5;
/** That wait to be taken; older ones are dropped. */
export const MOST_EVENTS = 256;
/** Metres: who goes less turns on the spot. */
export const LEAST_PATH = 0.1;
/** Metres per second that cost 1. */
export const SPEED_SCALE = 0.5;
/** Radians per metre that cost 1. */
export const CURVATURE_SCALE = 0.5;
/** Radians that cost 1. */
export const ANGLE_SCALE = 0.7853981633974483;
/** Of a wished label that holds nowhere in a clip. */
export const LABEL_COST = 4.0;
/** Radians by which a clip that goes nowhere misses a wished direction. */
export const ASTRAY = 1.5707963267948966;
/** Metres from a place that are near enough. */
export const PLACE_TOLERANCE = 0.25;
/** Radians from a heading that are near enough. */
export const HEADING_TOLERANCE = 0.5;
/** That the way to a place may take at most. */
export const PLACE_SECONDS = 60.0;
/** Placements that a search expands at most. */
export const PLACE_EFFORT = 60000;
/** Of the greedy pass of a search for a place. */
export const HEURISTIC_WEIGHT = 4.0;
/** Radians: size of a cell of placements in the greedy pass. */
export const CELL_HEADING = 0.2617993877991494;
