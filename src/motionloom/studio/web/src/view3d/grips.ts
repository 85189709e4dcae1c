/** Dragging waypoints over the ground and targets through space. */

import { Ray, Vector3 } from "three";

import type { Announcer } from "./events";
import type { Grip } from "./pointer";
import { headingOf, heightNearRay, meetGround, meetPlane } from "./rays";
import type { DragPhase, Pen, Target, Waypoint } from "./types";
import type { WaypointPart } from "./waypoints";

/** What a drag needs to know of the view. */
export interface Grounds {
  aim(x: number, y: number): Ray;
  lookDirection(result: Vector3): Vector3;
  announcer: Announcer;
  readonly hasGround: boolean; // nothing is dragged below it
  redraw(): void;
}

/** Where a dragged disc goes, or which heading a dragged arrow gets, for a point on the ground. */
export function dragWaypoint(
  before: Pick<Waypoint, "x" | "z" | "heading">,
  part: WaypointPart,
  grabbed: [number, number],
  point: [number, number],
): Pick<Waypoint, "x" | "z" | "heading"> {
  if (part === "disc") return { ...before, x: before.x + point[0] - grabbed[0], z: before.z + point[1] - grabbed[1] };
  const dx = point[0] - before.x;
  const dz = point[1] - before.z;
  return Math.hypot(dx, dz) < 0.02 ? before : { ...before, heading: headingOf(dx, dz) };
}

/** Drag a waypoint; it is changed in place, and every change emits an event. */
export function gripWaypoint(grounds: Grounds, waypoint: Waypoint, part: WaypointPart, x: number, y: number): Grip | null {
  const point = new Vector3();
  if (!meetGround(grounds.aim(x, y), point)) return null;
  const before = { x: waypoint.x, z: waypoint.z, heading: waypoint.heading };
  const grabbed: [number, number] = [point.x, point.z];
  let isMoved = false;
  const emit = (phase: "start" | "move" | "end" | "cancel"): void => {
    grounds.announcer.emit("waypoint", waypoint.id, waypoint.x, waypoint.z, waypoint.heading, phase);
    grounds.redraw();
  };
  return {
    move(mx, my) {
      if (!isMoved) emit("start");
      isMoved = true;
      if (!meetGround(grounds.aim(mx, my), point)) return; // above the horizon: stay
      Object.assign(waypoint, dragWaypoint(before, part, grabbed, [point.x, point.z]));
      emit("move");
    },
    end() {
      if (isMoved) emit("end");
    },
    cancel() {
      Object.assign(waypoint, before);
      if (isMoved) emit("cancel");
    },
  };
}

const FINE = 0.01; // metres between two points of a stroke
const FINE_ON_FACE = 0.001;

/** Draw a stroke on the ground, or in the air in the plane that faces the camera. */
export function gripPen(grounds: Grounds, pen: Pen, x: number, y: number, now: () => number = () => performance.now()): Grip | null {
  const point = new Vector3();
  const through = new Vector3(...(pen.on === "air" ? pen.through : [0, 0, 0]));
  const normal = grounds.lookDirection(new Vector3());
  const meet = (px: number, py: number): boolean =>
    pen.on === "ground" ? meetGround(grounds.aim(px, py), point) : meetPlane(grounds.aim(px, py), through, normal, point);
  const least = grounds.hasGround ? 0 : -Infinity;
  const fine = grounds.hasGround ? FINE : FINE_ON_FACE;
  if (!meet(x, y)) return null;
  const began = now();
  const points: [number, number, number][] = [[point.x, Math.max(least, point.y), point.z]];
  const seconds = [0];
  let isMoved = false;
  const emit = (phase: DragPhase): void => grounds.announcer.emit("stroke", points, seconds, phase);
  return {
    move(mx, my) {
      if (!isMoved) emit("start");
      isMoved = true;
      const last = points[points.length - 1];
      if (!meet(mx, my) || Math.hypot(point.x - last[0], point.y - last[1], point.z - last[2]) < fine) return;
      points.push([point.x, Math.max(least, point.y), point.z]);
      seconds.push((now() - began) / 1000);
      emit("move");
    },
    end() {
      if (isMoved) emit("end");
    },
    cancel() {
      if (isMoved) emit("cancel");
    },
  };
}

/** Hold a target: it moves in the plane that faces the camera, or straight up and down with Shift. */
export function gripTarget(grounds: Grounds, target: Target, x: number, y: number): Grip | null {
  const at = new Vector3(...target.position);
  const normal = grounds.lookDirection(new Vector3());
  const point = new Vector3();
  if (!meetPlane(grounds.aim(x, y), at, normal, point)) return null;
  const before: [number, number, number] = [...target.position];
  const slack = at.clone().sub(point); // from where it was grabbed to its middle
  const least = grounds.hasGround ? 0 : -Infinity;
  const upright = (heightNearRay(grounds.aim(x, y), at.x, at.z) ?? at.y) - at.y;
  let isMoved = false;
  const emit = (phase: "start" | "move" | "end" | "cancel"): void => {
    grounds.announcer.emit("target", target.id, [...target.position], phase);
    grounds.redraw();
  };
  return {
    move(mx, my, isShift) {
      if (!isMoved) emit("start");
      isMoved = true;
      const ray = grounds.aim(mx, my);
      if (isShift) {
        const height = heightNearRay(ray, before[0], before[2]);
        if (height !== null) target.position = [before[0], Math.max(least, height - upright), before[2]];
      } else if (meetPlane(ray, at, normal, point)) {
        point.add(slack);
        target.position = [point.x, Math.max(least, point.y), point.z];
      }
      emit("move");
    },
    end() {
      if (isMoved) emit("end");
    },
    cancel() {
      target.position = before;
      if (isMoved) emit("cancel");
    },
  };
}
