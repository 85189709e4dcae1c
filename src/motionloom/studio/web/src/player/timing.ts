/** How long the player takes for a frame; `node time_player.mjs FILE.hubs`, in the folder of package.json, prints it. */

import { readHubs } from "./hubs_file";
import { Planner } from "./planner";
import { Player } from "./player";

export interface Timing {
  joints: number;
  clips: number;
  frames: number; // that were played for each number
  step: number; // microseconds: to go on by one frame, choices included
  frame: number; // microseconds: to go on and to write the pose
  between: number; // microseconds: to go on by a part of a frame and to write the pose between two
  slowest: number; // microseconds: the slowest thousandth of the frames takes at least so long
}

/** Play a graph, steered by speed and curvature that change all the time, and measure. */
export function timePlayer(file: ArrayBuffer, frames = 500_000): Timing {
  const graph = readHubs(file);
  const planner = new Planner(graph);
  const root = new Float32Array(3);
  const rotations = new Float32Array(graph.skeleton.names.length * 4);
  const stepOnly = (player: Player) => player.step();
  const wholeFrame = (player: Player) => {
    player.step();
    player.writePose(root, rotations);
  };
  const partFrame = (player: Player) => {
    player.advance(0.4 / graph.fps);
    player.writePose(root, rotations);
  };
  for (const task of [stepOnly, wholeFrame, partFrame]) measure(planner, task, frames / 10); // until it is compiled
  return {
    joints: graph.skeleton.names.length,
    clips: graph.clips.length,
    frames,
    step: measure(planner, stepOnly, frames),
    frame: measure(planner, wholeFrame, frames),
    between: measure(planner, partFrame, frames),
    slowest: slowestThousandth(planner, wholeFrame, frames / 10),
  };
}

/** Microseconds for one call, mean. */
function measure(planner: Planner, task: (player: Player) => void, count: number): number {
  const player = new Player(planner);
  const begin = performance.now();
  for (let k = 0; k < count; k++) {
    if (k % 256 === 0) steer(player, k);
    task(player);
  }
  return ((performance.now() - begin) * 1000) / count;
}

function slowestThousandth(planner: Planner, task: (player: Player) => void, count: number): number {
  const player = new Player(planner);
  const times = new Float64Array(Math.floor(count));
  for (let k = 0; k < times.length; k++) {
    if (k % 256 === 0) steer(player, k);
    const begin = performance.now();
    task(player);
    times[k] = (performance.now() - begin) * 1000;
  }
  return times.sort()[Math.floor(times.length * 0.999)];
}

function steer(player: Player, k: number): void {
  player.steer({ speed: 1 + Math.sin(k), curvature: Math.sin(k * 0.7) });
  player.takeEvents();
}
