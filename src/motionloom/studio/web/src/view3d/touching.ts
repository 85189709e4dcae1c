/** Pointer interaction in the view: markers are grabbed and dragged, joints are picked, else the camera moves. */

import { Matrix4, Ray, Vector3 } from "three";

import type { OrbitCamera } from "./camera";
import type { Cast } from "./cast";
import type { Announcer } from "./events";
import { gripPen, gripTarget, gripWaypoint, type Grounds } from "./grips";
import { fillViewMatrix, findSpot, JointPicker, type Spot } from "./picking";
import type { Grip, Hands } from "./pointer";
import { aimRay, meetGround, meetPlane } from "./rays";
import type { Targets } from "./targets";
import { jointTarget, type Pen, type PickedJoint, type Target, type Waypoint } from "./types";
import { findWaypoint, type GrabbedWaypoint, type Waypoints } from "./waypoints";

const PICK_PIXELS = 16;
const TOUCH_PIXELS = 28;
const DISC_SLACK = 3; // pixels around a disc that still grab it
const TOUCH_SLACK = 12;
const ORBIT_SPEED = 0.0065; // radians per pixel

/** What can be touched, and the emitter of the events. */
export interface Touchable {
  canvas: HTMLCanvasElement;
  camera: OrbitCamera;
  cast: Cast;
  waypoints: Waypoints;
  targets: Targets;
  announcer: Announcer;
  wake(): void; // something has changed
}

export class Touching implements Hands, Grounds {
  hovered: PickedJoint | null = null;
  heldWaypoint: Waypoint | null = null;
  heldTarget: Target | null = null;
  gripped: string | null = null; // character whose joints can be dragged
  pen: Pen | null = null;
  hasGround = true; // things stand on it, and nothing is dragged below it
  readonly announcer: Announcer;
  private width = 1;
  private height = 1;
  private readonly picker = new JointPicker();
  private readonly matrix = new Matrix4();
  private readonly ray = new Ray();
  private readonly point = new Vector3();
  private readonly direction = new Vector3();
  private readonly spot: Spot = { x: 0, y: 0, depth: 0 };

  constructor(private readonly parts: Touchable) {
    this.announcer = parts.announcer;
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
  }

  grab(x: number, y: number, isTouch: boolean): Grip | null {
    if (this.pen !== null) return gripPen(this, this.pen, x, y);
    const target = this.findTarget(x, y, isTouch);
    if (target?.isFixed) return null;
    if (target !== null) {
      const grip = gripTarget(this, target, x, y);
      if (grip !== null) this.heldTarget = target;
      return grip && this.letGoAfter(grip);
    }
    const found = this.findDisc(x, y, isTouch);
    const waypoint = this.parts.waypoints.shown.find((candidate) => candidate.id === found?.id);
    if (found === null || waypoint === undefined) return this.grabJoint(x, y, isTouch);
    const grip = gripWaypoint(this, waypoint, found.part, x, y);
    if (grip !== null) this.heldWaypoint = waypoint;
    return grip && this.letGoAfter(grip);
  }

  /** A joint is dragged like a target that is not shown yet. */
  private grabJoint(x: number, y: number, isTouch: boolean): Grip | null {
    const joint = this.gripped === null ? null : this.pickJoint(x, y, isTouch);
    if (joint === null || joint.character !== this.gripped) return null;
    const found = this.parts.cast.jointsOf(joint.character);
    if (found === null) return null;
    const [dx, dy, dz] = found.joints.subarray(3 * joint.joint, 3 * joint.joint + 3);
    const position: [number, number, number] = [found.root.x + dx, found.root.y + dy, found.root.z + dz];
    const id = jointTarget(this.parts.cast.nameOf(joint.character, joint.joint));
    const target: Target = { id, position, label: "", selected: true };
    const grip = gripTarget(this, target, x, y);
    if (grip !== null) this.heldTarget = target;
    return grip && this.letGoAfter(grip);
  }

  click(x: number, y: number, isTouch: boolean): void {
    const marker = this.findTarget(x, y, isTouch)?.id ?? this.findDisc(x, y, isTouch)?.id ?? null;
    this.announcer.emit("select", marker);
    if (marker === null) this.announcer.emit("pick", this.pickJoint(x, y, isTouch));
  }

  doubleClick(x: number, y: number): void {
    if (this.findTarget(x, y, false) !== null || this.findDisc(x, y, false) !== null) return;
    if (this.hasGround && meetGround(this.aim(x, y), this.point)) this.announcer.emit("ground", this.point.x, this.point.z);
  }

  hover(x: number, y: number): void {
    const { targets, waypoints, canvas } = this.parts;
    const target = this.findTarget(x, y, false)?.id ?? null;
    const disc = target === null ? this.findDisc(x, y, false) : null;
    if (target !== targets.hovered || disc?.id !== waypoints.hovered?.id || disc?.part !== waypoints.hovered?.part) {
      targets.hovered = target;
      waypoints.hovered = disc;
      this.redraw();
    }
    const isMarker = target !== null || disc !== null;
    this.hoverJoint(isMarker ? null : this.pickJoint(x, y, false));
    const isFixed = targets.shown.some((each) => each.id === target && each.isFixed);
    const isGrip = (isMarker && !isFixed) || (this.hovered !== null && this.hovered.character === this.gripped);
    canvas.style.cursor = this.pen !== null ? "crosshair" : isGrip ? "grab" : isMarker || this.hovered !== null ? "pointer" : "";
  }

  leave(): void {
    this.parts.targets.hovered = this.parts.waypoints.hovered = null;
    this.hoverJoint(null);
    this.redraw();
  }

  orbit(dx: number, dy: number): void {
    this.parts.camera.orbit(-dx * ORBIT_SPEED, dy * ORBIT_SPEED);
    this.parts.wake();
  }

  pan(dx: number, dy: number): void {
    this.parts.camera.pan(dx, dy, this.height);
    this.parts.wake();
  }

  zoom(factor: number, x: number, y: number): void {
    const { camera } = this.parts;
    const ray = this.aim(x, y);
    const onGround = this.hasGround && meetGround(ray, this.point) && this.point.distanceTo(camera.lens.position) < 2.5 * camera.now.distance;
    const isFound = onGround || meetPlane(ray, camera.now.target, this.lookDirection(this.direction), this.point);
    camera.zoom(factor, isFound ? this.point : null);
    this.parts.wake();
  }

  aim(x: number, y: number): Ray {
    return aimRay(this.parts.camera.lens, x, y, this.width, this.height, this.ray);
  }

  /** The point of the ground at a place of the window; null beside the view, or above the horizon. */
  groundAt(clientX: number, clientY: number): [number, number] | null {
    const box = this.parts.canvas.getBoundingClientRect();
    const [x, y] = [clientX - box.left, clientY - box.top];
    if (!this.hasGround || x < 0 || y < 0 || x > box.width || y > box.height) return null;
    return meetGround(this.aim(x, y), this.point) ? [this.point.x, this.point.z] : null;
  }

  lookDirection(result: Vector3): Vector3 {
    return this.parts.camera.lens.getWorldDirection(result);
  }

  redraw(): void {
    this.parts.waypoints.draw();
    this.parts.targets.draw();
    this.parts.wake();
  }

  private hoverJoint(picked: PickedJoint | null): void {
    if (isSameJoint(picked, this.hovered)) return;
    this.hovered = picked;
    this.announcer.emit("hover", picked);
    this.parts.wake();
  }

  private pickJoint(x: number, y: number, isTouch: boolean): PickedJoint | null {
    const matrix = fillViewMatrix(this.parts.camera.lens, this.matrix);
    this.picker.begin(matrix, x, y, this.width, this.height, isTouch ? TOUCH_PIXELS : PICK_PIXELS);
    this.parts.cast.considerAll(this.picker);
    return this.picker.character === null ? null : { character: this.picker.character, joint: this.picker.joint };
  }

  private findTarget(x: number, y: number, isTouch: boolean): Target | null {
    fillViewMatrix(this.parts.camera.lens, this.matrix);
    let best: Target | null = null;
    let nearest = isTouch ? TOUCH_PIXELS : PICK_PIXELS;
    for (const target of this.parts.targets.shown) {
      findSpot(this.matrix, ...target.position, this.width, this.height, this.spot);
      const away = Math.hypot(this.spot.x - x, this.spot.y - y);
      if (this.spot.depth > 0 && away < nearest) [best, nearest] = [target, away];
    }
    return best;
  }

  private findDisc(x: number, y: number, isTouch: boolean): GrabbedWaypoint | null {
    const { waypoints, camera } = this.parts;
    if (waypoints.shown.length === 0 || !meetGround(this.aim(x, y), this.point)) return null;
    const slack = (isTouch ? TOUCH_SLACK : DISC_SLACK) * camera.metresPerPixel(this.height);
    return findWaypoint(waypoints.shown, this.point.x, this.point.z, waypoints.scale, slack);
  }

  private letGoAfter(grip: Grip): Grip {
    const release = (finish: () => void) => (): void => {
      this.heldWaypoint = null;
      this.heldTarget = null;
      finish();
    };
    return { move: grip.move, end: release(grip.end), cancel: release(grip.cancel) };
  }
}

export function isSameJoint(a: PickedJoint | null, b: PickedJoint | null): boolean {
  return a?.character === b?.character && a?.joint === b?.joint;
}
