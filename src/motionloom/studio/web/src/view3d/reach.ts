/** Shading on the ground: where something can be had, the sooner the stronger. */

import { BufferAttribute, BufferGeometry, DataTexture, LinearFilter, Mesh, MeshBasicMaterial, type Object3D, RGBAFormat } from "three";

import type { ViewColours } from "./colours";
import { HEIGHTS, LAYERS } from "./layers";
import type { Reach } from "./types";

const SOONEST = 0.36; // opacity
const LATEST = 0.07;

export class ReachShading {
  private readonly material = new MeshBasicMaterial({ transparent: true, depthWrite: false });
  private readonly mesh: Mesh<BufferGeometry, MeshBasicMaterial>;
  private shown: Reach | null = null;

  constructor(
    scene: Object3D,
    private readonly colours: ViewColours,
  ) {
    this.mesh = new Mesh(new BufferGeometry(), this.material);
    this.mesh.renderOrder = LAYERS.marks;
    this.mesh.visible = false;
    scene.add(this.mesh);
  }

  /** The same again costs nothing; answers whether another one is to be seen. */
  set(reach: Reach | null): boolean {
    if (reach === this.shown) return false;
    this.shown = reach;
    this.mesh.visible = reach !== null && reach.seconds.length > 0;
    this.mesh.geometry.dispose();
    this.material.map?.dispose();
    this.material.map = null;
    if (reach !== null && this.mesh.visible) {
      this.mesh.geometry = makeSheet(reach);
      this.material.map = makePicture(reach);
    }
    this.material.needsUpdate = true;
    this.recolour();
    return true;
  }

  recolour(): void {
    this.material.color.copy(this.colours.accent);
  }

  dispose(): void {
    this.set(null);
    this.mesh.removeFromParent();
    this.material.dispose();
  }
}

/** Opacities of cells with a rim of nothing around them, (rows + 2) * (columns + 2) bytes. */
export function findOpacities({ rows, columns, seconds }: Reach): Uint8Array {
  const found = new Uint8Array((rows + 2) * (columns + 2));
  const latest = seconds.reduce((most, each) => Math.max(most, each), 1e-6);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const soon = seconds[row * columns + column];
      if (soon < 0) continue;
      found[(row + 1) * (columns + 2) + column + 1] = Math.round(255 * (SOONEST + ((LATEST - SOONEST) * soon) / latest));
    }
  }
  return found;
}

function makePicture(reach: Reach): DataTexture {
  const opacities = findOpacities(reach);
  const pixels = new Uint8Array(4 * opacities.length).fill(255);
  opacities.forEach((opacity, n) => (pixels[4 * n + 3] = opacity));
  const picture = new DataTexture(pixels, reach.columns + 2, reach.rows + 2, RGBAFormat);
  picture.magFilter = picture.minFilter = LinearFilter;
  picture.needsUpdate = true;
  return picture;
}

function makeSheet({ x, z, cell, rows, columns }: Reach): BufferGeometry {
  const [left, right] = [x - cell, x + (columns + 1) * cell];
  const [back, front] = [z - cell, z + (rows + 1) * cell];
  const y = HEIGHTS.marks;
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array([left, y, back, right, y, back, left, y, front, right, y, front]), 3));
  geometry.setAttribute("uv", new BufferAttribute(new Float32Array([0, 0, 1, 0, 0, 1, 1, 1]), 2));
  geometry.setIndex([0, 2, 1, 1, 2, 3]);
  return geometry;
}
