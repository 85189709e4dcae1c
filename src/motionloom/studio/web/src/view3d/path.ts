/** A line on the ground through what is asked for or played. */

import type { Object3D } from "three";

import type { ViewColours } from "./colours";
import { HEIGHTS, LAYERS } from "./layers";
import { Ribbon } from "./ribbon";

const STEP = 0.05; // metres between its points, so that dashes are even

export class GroundPath {
  private readonly ribbon = new Ribbon({ thickness: 2, past: 0.55, future: 0.55, recent: 1, dash: 6 }, LAYERS.path);
  private points: [number, number][] = [];

  constructor(
    scene: Object3D,
    private readonly colours: ViewColours,
  ) {
    this.ribbon.setCurrent(1e9);
    this.ribbon.mesh.visible = false;
    scene.add(this.ribbon.mesh);
  }

  set(points: [number, number][]): void {
    if (points === this.points) return;
    this.points = points;
    this.ribbon.lay(layOut(points));
    this.ribbon.setColour(this.colours.accent);
  }

  recolour(): void {
    this.ribbon.setColour(this.colours.accent);
  }

  resize(width: number, height: number): void {
    this.ribbon.setPicture(width, height);
  }

  dispose(): void {
    this.ribbon.dispose();
  }
}

/** Even points along corners on the ground, (N * 3) metres. */
export function layOut(corners: [number, number][], step = STEP): Float32Array {
  const laid: number[] = [];
  for (let n = 0; n + 1 < corners.length; n++) {
    const [x0, z0] = corners[n];
    const [x1, z1] = corners[n + 1];
    const pieces = Math.max(1, Math.round(Math.hypot(x1 - x0, z1 - z0) / step));
    for (let k = 0; k < pieces; k++) laid.push(x0 + ((x1 - x0) * k) / pieces, HEIGHTS.path, z0 + ((z1 - z0) * k) / pieces);
  }
  const last = corners[corners.length - 1];
  if (last !== undefined) laid.push(last[0], HEIGHTS.path, last[1]);
  return new Float32Array(laid);
}
