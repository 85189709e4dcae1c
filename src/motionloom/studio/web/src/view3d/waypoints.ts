/**
 * Discs on the ground with heading arrows: drag the disc to move it, the arrow to turn it. A selected disc that has no
 * heading yet offers a pale arrow to take one from.
 */

import {
  CircleGeometry,
  type Color,
  DoubleSide,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  RingGeometry,
  Shape,
  ShapeGeometry,
  BufferGeometry,
  Float32BufferAttribute,
} from "three";

import type { ViewColours } from "./colours";
import type { Labels } from "./labels";
import { HEIGHTS, LAYERS } from "./layers";
import type { Waypoint } from "./types";

export const DISC_RADIUS = 0.2; // metres, seen from near
export const ARROW_TIP = 0.52; // metres from the middle of the disc
const ARROW_WIDE = 0.13; // metres on each side of the arrow that can be grabbed
const SMALLEST = 15; // pixels that a disc's radius is never smaller than
const DASHES = 10;

export type WaypointPart = "disc" | "arrow";

export interface GrabbedWaypoint {
  id: string;
  part: WaypointPart;
}

/** Which part of which waypoint is at a point on the ground; scale: how much larger they are drawn; the last is on top. */
export function findWaypoint(waypoints: Waypoint[], x: number, z: number, scale: number, slack: number): GrabbedWaypoint | null {
  for (let n = waypoints.length - 1; n >= 0; n--) {
    const { id } = waypoints[n];
    const heading = arrowOf(waypoints[n]);
    const dx = x - waypoints[n].x;
    const dz = z - waypoints[n].z;
    if (Math.hypot(dx, dz) <= DISC_RADIUS * scale + slack) return { id, part: "disc" };
    if (heading === null) continue;
    const along = dx * Math.sin(heading) + dz * Math.cos(heading);
    const across = dx * Math.cos(heading) - dz * Math.sin(heading);
    if (along > 0 && along <= (ARROW_TIP + 0.05) * scale + slack && Math.abs(across) <= ARROW_WIDE * scale + slack) {
      return { id, part: "arrow" };
    }
  }
  return null;
}

/** Which way the arrow of a waypoint points, its own or the one that is offered; null: it shows none. */
export function arrowOf({ heading, aim, selected }: Waypoint): number | null {
  return heading ?? (selected ? (aim ?? null) : null);
}

interface Marker {
  group: Object3D;
  fill: Mesh<BufferGeometry, MeshBasicMaterial>;
  ring: Mesh<BufferGeometry, MeshBasicMaterial>;
  arrow: Mesh<BufferGeometry, MeshBasicMaterial>;
  line: MeshBasicMaterial;
  faint: MeshBasicMaterial; // of an arrow that is only offered
}

export class Waypoints {
  shown: Waypoint[] = [];
  hovered: GrabbedWaypoint | null = null;
  scale = 1;
  private readonly markers: Marker[] = [];
  private readonly disc = lie(new CircleGeometry(DISC_RADIUS, 48));
  private readonly ring = lie(new RingGeometry(DISC_RADIUS - 0.016, DISC_RADIUS, 64));
  private readonly heavyRing = lie(new RingGeometry(DISC_RADIUS - 0.016, DISC_RADIUS + 0.014, 64));
  private readonly dashedRing = lie(makeDashes());
  private readonly arrow = lie(makeArrow());

  constructor(
    private readonly scene: Object3D,
    private readonly colours: ViewColours,
    private readonly labels: Labels,
  ) {}

  set(waypoints: Waypoint[]): void {
    this.shown = waypoints;
    while (this.markers.length < waypoints.length) this.markers.push(this.makeMarker());
    while (this.markers.length > waypoints.length) this.freeMarker(this.markers.pop() as Marker);
    this.draw();
  }

  /** Draw all as they are now: after a drag, a hover or a new theme. */
  draw(): void {
    this.labels.begin("waypoint:");
    this.shown.forEach((waypoint, n) => this.drawMarker(waypoint, this.markers[n]));
    this.labels.sweep("waypoint:");
  }

  /** Keep discs large enough to be seen and grabbed from far away, and labels beside them, off their arrows. */
  fit(metresPerPixel: number, azimuth: number, elevation: number): void {
    this.scale = Math.max(1, (SMALLEST * metresPerPixel) / DISC_RADIUS);
    const half = ((DISC_RADIUS * this.scale) / metresPerPixel) * Math.sin(elevation) + 12; // pixels
    this.shown.forEach((waypoint, n) => {
      this.markers[n].group.scale.setScalar(this.scale);
      const arrow = arrowOf(waypoint);
      const comesNearer = arrow !== null && Math.cos(arrow - azimuth) > 0.2;
      this.labels.shift(`waypoint:${waypoint.id}`, comesNearer ? -half : half);
    });
  }

  dispose(): void {
    this.set([]);
    for (const geometry of [this.disc, this.ring, this.heavyRing, this.dashedRing, this.arrow]) geometry.dispose();
  }

  private drawMarker(waypoint: Waypoint, marker: Marker): void {
    const isHovered = this.hovered?.id === waypoint.id;
    const colour: Color = waypoint.met === false ? this.colours.unmet : this.colours.accent;
    marker.group.position.set(waypoint.x, HEIGHTS.waypoints, waypoint.z);
    marker.line.color.copy(colour);
    marker.line.opacity = waypoint.selected || isHovered ? 1 : 0.85;
    marker.fill.material.color.copy(colour);
    marker.fill.material.opacity = (waypoint.selected ? 0.42 : 0.2) + (isHovered && this.hovered?.part === "disc" ? 0.16 : 0);
    // not met: dashes as well as another colour
    marker.ring.geometry = waypoint.met === false ? this.dashedRing : waypoint.selected ? this.heavyRing : this.ring;
    const arrow = arrowOf(waypoint);
    const isAimed = isHovered && this.hovered?.part === "arrow";
    marker.arrow.visible = arrow !== null;
    marker.arrow.rotation.y = arrow ?? 0;
    marker.arrow.material = waypoint.heading === null ? marker.faint : marker.line;
    marker.faint.color.copy(colour);
    marker.faint.opacity = isAimed ? 0.8 : 0.35;
    marker.arrow.scale.setScalar(isAimed ? 1.08 : 1);
    const text = waypoint.label + (waypoint.met === false ? " ✕" : "");
    if (text !== "") this.labels.put(`waypoint:${waypoint.id}`, text, waypoint.x, 0, waypoint.z, 26, waypoint.selected);
  }

  private makeMarker(): Marker {
    const line = makeFlat();
    const faint = makeFlat();
    const fill = new Mesh<BufferGeometry, MeshBasicMaterial>(this.disc, makeFlat());
    const ring = new Mesh<BufferGeometry, MeshBasicMaterial>(this.ring, line);
    const arrow = new Mesh<BufferGeometry, MeshBasicMaterial>(this.arrow, line);
    const group = new Object3D();
    for (const mesh of [fill, ring, arrow]) {
      mesh.renderOrder = LAYERS.waypoints;
      group.add(mesh);
    }
    group.scale.setScalar(this.scale);
    this.scene.add(group);
    return { group, fill, ring, arrow, line, faint };
  }

  private freeMarker(marker: Marker): void {
    marker.group.removeFromParent();
    marker.fill.material.dispose();
    marker.line.dispose();
    marker.faint.dispose();
  }
}

function makeFlat(): MeshBasicMaterial {
  return new MeshBasicMaterial({ transparent: true, depthWrite: false, side: DoubleSide });
}

function lie<Kind extends BufferGeometry>(geometry: Kind): Kind {
  return geometry.rotateX(-Math.PI / 2) as Kind;
}

/** An arrow along -y of its own plane, which lying down is ahead (+z). */
function makeArrow(): BufferGeometry {
  const shape = new Shape();
  const neck = ARROW_TIP - 0.15;
  shape.moveTo(-0.022, -(DISC_RADIUS + 0.03));
  shape.lineTo(0.022, -(DISC_RADIUS + 0.03));
  shape.lineTo(0.022, -neck);
  shape.lineTo(0.088, -(neck - 0.02));
  shape.lineTo(0, -ARROW_TIP);
  shape.lineTo(-0.088, -(neck - 0.02));
  shape.lineTo(-0.022, -neck);
  shape.closePath();
  return new ShapeGeometry(shape);
}

function makeDashes(): BufferGeometry {
  const places: number[] = [];
  const corners: number[] = [];
  const steps = 5;
  for (let dash = 0; dash < DASHES; dash++) {
    for (let step = 0; step <= steps; step++) {
      const angle = ((dash + (0.6 * step) / steps) / DASHES) * 2 * Math.PI;
      for (const radius of [DISC_RADIUS - 0.02, DISC_RADIUS + 0.008]) {
        places.push(Math.cos(angle) * radius, Math.sin(angle) * radius, 0);
      }
      const k = places.length / 3 - 2;
      if (step < steps) corners.push(k, k + 1, k + 3, k, k + 3, k + 2);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(places, 3));
  geometry.setIndex(corners);
  return geometry;
}
