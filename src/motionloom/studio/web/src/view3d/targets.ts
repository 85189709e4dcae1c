/** Points in space that can be dragged, such as where a hand should be; a plumb line shows what they stand over. */

import {
  type BufferGeometry,
  CircleGeometry,
  type Color,
  CylinderGeometry,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  SphereGeometry,
} from "three";

import { parseColour, type ViewColours } from "./colours";
import type { Labels } from "./labels";
import { HEIGHTS, LAYERS } from "./layers";
import type { Target } from "./types";

const RADIUS = 0.028; // metres
const SMALLEST = 7; // pixels that the radius is never smaller than
const IN_THE_AIR = 0.07; // of that size, where nothing stands on the ground: on a face

interface Marker {
  group: Object3D;
  ball: Mesh<BufferGeometry, MeshBasicMaterial>;
  halo: Mesh<BufferGeometry, MeshBasicMaterial>;
  line: Mesh<BufferGeometry, MeshBasicMaterial>;
  foot: Mesh<BufferGeometry, MeshBasicMaterial>;
  faint: MeshBasicMaterial;
}

export class Targets {
  shown: Target[] = [];
  hovered: string | null = null;
  private scale = 1;
  private isStanding = true; // a line leads down to the ground
  private readonly parsed = new Map<string, Color>();
  private readonly markers: Marker[] = [];
  private readonly ball = new SphereGeometry(RADIUS, 20, 14);
  private readonly line = new CylinderGeometry(0.0022, 0.0022, 1, 6).translate(0, 0.5, 0);
  private readonly foot = new CircleGeometry(0.03, 24).rotateX(-Math.PI / 2);

  constructor(
    private readonly scene: Object3D,
    private readonly colours: ViewColours,
    private readonly labels: Labels,
  ) {}

  set(targets: Target[]): void {
    this.shown = targets;
    while (this.markers.length < targets.length) this.markers.push(this.makeMarker());
    while (this.markers.length > targets.length) this.freeMarker(this.markers.pop() as Marker);
    this.draw();
  }

  draw(): void {
    this.labels.begin("target:");
    this.shown.forEach((target, n) => this.drawMarker(target, this.markers[n]));
    this.labels.sweep("target:");
  }

  /** Colours may be named by tokens, which differ between themes. */
  recolour(): void {
    this.parsed.clear();
    this.draw();
  }

  /** Whether there is ground under them. */
  setStanding(isStanding: boolean): void {
    this.isStanding = isStanding;
    for (const { line, foot } of this.markers) line.visible = foot.visible = isStanding;
  }

  fit(metresPerPixel: number): void {
    this.scale = Math.max(this.isStanding ? 1 : IN_THE_AIR, (SMALLEST * metresPerPixel) / RADIUS);
    this.shown.forEach((target, n) => this.size(target, this.markers[n]));
  }

  dispose(): void {
    this.set([]);
    for (const geometry of [this.ball, this.line, this.foot]) geometry.dispose();
  }

  private drawMarker(target: Target, marker: Marker): void {
    const [x, y, z] = target.position;
    const isHovered = this.hovered === target.id;
    for (const material of [marker.ball.material, marker.halo.material, marker.faint]) material.color.copy(this.colourOf(target));
    marker.halo.material.opacity = isHovered ? 0.35 : target.selected ? 0.28 : 0.14;
    marker.group.position.set(x, 0, z);
    marker.ball.position.y = marker.halo.position.y = y;
    marker.line.scale.set(1, Math.max(y, 1e-3), 1);
    this.size(target, marker);
    if (target.label !== "") this.labels.put(`target:${target.id}`, target.label, x, y, z, -22, target.selected);
  }

  private colourOf({ colour, isReached }: Target): Color {
    if (isReached) return this.colours.gridStrong;
    if (colour === undefined) return this.colours.accent;
    let known = this.parsed.get(colour);
    if (known === undefined) this.parsed.set(colour, (known = parseColour(colour, this.colours.accent)));
    return known;
  }

  private size(target: Target, marker: Marker): void {
    const isHovered = this.hovered === target.id;
    marker.ball.scale.setScalar(this.scale * (isHovered ? 1.15 : 1));
    marker.halo.scale.setScalar(this.scale * (isHovered || target.selected ? 2 : 1.7));
    marker.line.scale.x = marker.line.scale.z = marker.foot.scale.x = marker.foot.scale.z = this.scale;
  }

  private makeMarker(): Marker {
    const see = (opacity: number, depthTest: boolean): MeshBasicMaterial =>
      new MeshBasicMaterial({ transparent: true, depthWrite: false, depthTest, opacity });
    const faint = see(0.55, true);
    const ball = new Mesh<BufferGeometry, MeshBasicMaterial>(this.ball, see(0.95, false));
    const halo = new Mesh<BufferGeometry, MeshBasicMaterial>(this.ball, see(0.2, false));
    const line = new Mesh<BufferGeometry, MeshBasicMaterial>(this.line, faint);
    const foot = new Mesh<BufferGeometry, MeshBasicMaterial>(this.foot, faint);
    foot.position.y = HEIGHTS.waypoints;
    line.visible = foot.visible = this.isStanding;
    const group = new Object3D();
    for (const mesh of [line, foot, halo, ball]) {
      mesh.renderOrder = mesh === line || mesh === foot ? LAYERS.waypoints : LAYERS.handles;
      group.add(mesh);
    }
    this.scene.add(group);
    return { group, ball, halo, line, foot, faint };
  }

  private freeMarker(marker: Marker): void {
    marker.group.removeFromParent();
    for (const material of [marker.ball.material, marker.halo.material, marker.faint]) material.dispose();
  }
}
