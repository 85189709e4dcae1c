// @vitest-environment jsdom
import { Matrix4, Object3D, Vector3 } from "three";
import { beforeEach, describe, expect, it } from "vitest";

import { OrbitCamera } from "./camera";
import { Cast } from "./cast";
import { makeColours } from "./colours";
import { Announcer } from "./events";
import { Labels } from "./labels";
import { fillViewMatrix, findSpot } from "./picking";
import { Targets } from "./targets";
import { Touching } from "./touching";
import type { Target, Waypoint } from "./types";
import { ahead } from "./rays";
import { Waypoints } from "./waypoints";

const [WIDTH, HEIGHT] = [1280, 720];
const waypoint: Waypoint = { id: "w", x: 0.4, z: 0.2, heading: 0.5, label: "2 s", selected: false, met: null };
const target: Target = { id: "t", position: [-0.5, 1.2, 0], label: "hand", selected: false };

let touching: Touching;
let camera: OrbitCamera;
let events: unknown[][];

beforeEach(() => {
  const canvas = document.createElement("canvas");
  document.body.replaceChildren(canvas);
  const [scene, colours, labels, announcer] = [new Object3D(), makeColours(), new Labels(canvas), new Announcer()];
  camera = new OrbitCamera();
  camera.resize(WIDTH, HEIGHT);
  const waypoints = new Waypoints(scene, colours, labels);
  const targets = new Targets(scene, colours, labels);
  const cast = new Cast(scene, colours);
  touching = new Touching({ canvas, camera, cast, waypoints, targets, announcer, wake: () => undefined });
  touching.resize(WIDTH, HEIGHT);
  waypoints.set([{ ...waypoint }]);
  targets.set([{ ...target }]);
  events = [];
  for (const name of ["waypoint", "target", "stroke", "select", "pick", "ground"] as const) {
    announcer.on(name, ((...args: unknown[]) => events.push([name, ...args])) as never);
  }
});

function spotOf(x: number, y: number, z: number): [number, number] {
  const spot = findSpot(fillViewMatrix(camera.lens, new Matrix4()), x, y, z, WIDTH, HEIGHT, { x: 0, y: 0, depth: 0 });
  return [spot.x, spot.y];
}

describe("the pointer in the view", () => {
  it("drags a waypoint to where it goes on the ground", () => {
    const grip = touching.grab(...spotOf(0.4, 0, 0.2), false);
    grip?.move(...spotOf(1.1, 0, -0.3), false);
    grip?.end();
    expect(events.map((args) => args[5])).toEqual(["start", "move", "end"]);
    expect(events[2]).toEqual(["waypoint", "w", expect.closeTo(1.1, 5), expect.closeTo(-0.3, 5), 0.5, "end"]);
    expect(touching.heldWaypoint).toBeNull();
  });

  it("turns a waypoint by its arrow", () => {
    const [x, z] = ahead(0.4, 0.2, 0.5, 0.45);
    const grip = touching.grab(...spotOf(x, 0, z), false);
    grip?.move(...spotOf(1.4, 0, 0.2), false);
    grip?.end();
    expect(events[2]).toEqual(["waypoint", "w", 0.4, 0.2, expect.closeTo(Math.PI / 2, 5), "end"]);
  });

  it("puts a waypoint back when the drag is cancelled", () => {
    const grip = touching.grab(...spotOf(0.4, 0, 0.2), false);
    grip?.move(...spotOf(1.1, 0, -0.3), false);
    expect(touching.heldWaypoint?.id).toBe("w");
    grip?.cancel();
    expect(events.at(-1)).toEqual(["waypoint", "w", 0.4, 0.2, 0.5, "cancel"]);
  });

  it("drags a target in the picture's plane, and straight up with Shift", () => {
    const grip = touching.grab(...spotOf(-0.5, 1.2, 0), false);
    const [x, y] = spotOf(-0.5, 1.2, 0);
    grip?.move(x + 50, y, false);
    const [, , aside] = events.at(-1) as [string, string, [number, number, number]];
    expect(spotOf(...aside)[0]).toBeCloseTo(x + 50, 1);
    grip?.move(...spotOf(-0.5, 1.6, 0), true);
    const [, , above] = events.at(-1) as [string, string, [number, number, number]];
    expect(above).toEqual([-0.5, expect.closeTo(1.6, 4), 0]);
    grip?.end();
  });

  it("chooses a marker with a click, or nothing beside all", () => {
    touching.click(...spotOf(0.4, 0, 0.2), false);
    touching.click(5, 5, false);
    expect(events).toEqual([["select", "w"], ["select", null], ["pick", null]]);
  });

  it("reports a place on the ground with a double click, not on a marker", () => {
    touching.doubleClick(...spotOf(0.4, 0, 0.2));
    touching.doubleClick(...spotOf(-0.8, 0, 0.6));
    expect(events).toEqual([["ground", expect.closeTo(-0.8, 5), expect.closeTo(0.6, 5)]]);
  });

  it("grabs nothing where nothing is", () => {
    expect(touching.grab(5, 5, true)).toBeNull();
  });

  it("draws a stroke on the ground with a pen, whatever lies under it", () => {
    touching.pen = { on: "ground" };
    const grip = touching.grab(...spotOf(0.4, 0, 0.2), false);
    for (const x of [0.5, 0.6, 0.6, 0.7]) grip?.move(...spotOf(x, 0, 0.2), false);
    grip?.end();
    const [, points, seconds, phase] = events[events.length - 1] as [string, number[][], number[], string];
    expect(phase).toBe("end");
    expect(points.map(([x, y, z]) => [x.toFixed(3), y, z.toFixed(3)])).toEqual([["0.400", 0, "0.200"], ["0.500", 0, "0.200"], ["0.600", 0, "0.200"], ["0.700", 0, "0.200"]]); // prettier-ignore
    expect(seconds).toHaveLength(points.length);
    expect(events.every(([name]) => name === "stroke")).toBe(true);
  });

  it("draws in the air in the plane that faces the camera, and gives a stroke up", () => {
    touching.pen = { on: "air", through: [-0.5, 1.2, 0] };
    const grip = touching.grab(...spotOf(-0.5, 1.2, 0), true);
    grip?.move(...spotOf(-0.5, 1.6, 0), false);
    const [, points] = events[events.length - 1] as [string, number[][]];
    const away = camera.lens.getWorldDirection(new Vector3()).dot(new Vector3(...(points[1] as [number, number, number])).sub(new Vector3(-0.5, 1.2, 0)));
    expect(away).toBeCloseTo(0, 6);
    grip?.cancel();
    expect(events[events.length - 1][3]).toBe("cancel");
  });

  it("takes hold of no joint where none may be dragged", () => {
    touching.gripped = null;
    expect(touching.grab(WIDTH / 3, HEIGHT / 3, false)).toBeNull();
  });
});
