/** In which order see-through things are drawn over each other, and how high they lie above the ground. */

export const LAYERS = {
  ground: -1,
  marks: 0,
  path: 1,
  footprints: 2,
  waypoints: 3,
  trails: 4, // before the bodies: they are seen through ghosts
  bodies: 5,
  handles: 6, // what can be grabbed is never hidden
} as const;

/** Metres above the ground: enough that flat things do not flicker, too little to be seen. */
export const HEIGHTS = { marks: 0.001, path: 0.002, footprints: 0.0025, waypoints: 0.003 } as const;
