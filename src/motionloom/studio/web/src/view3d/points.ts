/** Clouds of points, for takes without a skeleton: a small ball for each point that was seen, and a mesh between neighbours. */

import { type Color, IcosahedronGeometry, InstancedMesh, type MeshLambertMaterial, type Object3D, Vector3 } from "three";

import { LAYERS } from "./layers";
import { PointSkin } from "./point_skin";
import { Rods } from "./rods";
import { makeMatte } from "./materials";
import { CASTERS, SHADOW_FROM } from "./shadows";
import type { PointsSpec } from "./types";

const PART_OF_EXTENT = 0.013; // radius of a ball, as a part of the cloud's size
const JOINED = 0.011; // the same of one that is joined to others
const LINK = 0.002; // and of a rod between two
const OUTLINE = 0.0052;

/** Of the points and outlines, and of the mesh between neighbours. */
export interface CloudColours {
  points: Color;
  links: Color;
}

export class PointCloud {
  readonly middle = new Vector3(); // of the points that were seen
  extent = 1.8; // metres, the longest side of the cloud
  private readonly balls: InstancedMesh<IcosahedronGeometry, MeshLambertMaterial>;
  readonly positions: Float32Array; // metres around the origin; not a number where a point was not seen
  private hasExtent = false;
  private readonly links: Rods;
  private readonly outlines: Rods;
  private readonly skin: PointSkin;

  constructor(
    private specification: PointsSpec,
    scene: Object3D,
    colours: CloudColours,
  ) {
    const { looks } = specification;
    const outlines = (looks?.outlines ?? []).flatMap((outline) => outline.slice(1).map((to, n): [number, number] => [outline[n], to]));
    this.links = new Rods(looks?.links ?? [], scene, colours.links);
    this.outlines = new Rods(outlines, scene, colours.points);
    this.links.hide();
    this.outlines.hide();
    this.positions = new Float32Array(specification.names.length * 3);
    this.skin = new PointSkin(looks?.triangles ?? [], this.positions, scene, colours.links);
    const count = specification.names.length;
    this.balls = new InstancedMesh(new IcosahedronGeometry(1, 2), makeMatte(colours.points), count);
    this.balls.frustumCulled = false;
    this.balls.renderOrder = LAYERS.bodies;
    this.balls.visible = false;
    scene.add(this.balls);
    this.update(specification, colours);
  }

  get spec(): PointsSpec {
    return this.specification;
  }

  get isShown(): boolean {
    return this.balls.visible;
  }

  update(spec: PointsSpec, { points: colour, links }: CloudColours): void {
    this.specification = spec;
    this.links.dress(links, spec.opacity);
    this.skin.dress(links, spec.opacity);
    this.outlines.dress(colour, spec.opacity);
    const { material, layers } = this.balls;
    material.color.copy(colour);
    material.opacity = spec.opacity;
    const isSolid = spec.opacity >= 0.999;
    if (material.transparent === isSolid) {
      material.transparent = !isSolid;
      material.needsUpdate = true;
    }
    if (spec.opacity > SHADOW_FROM) layers.enable(CASTERS);
    else layers.disable(CASTERS);
  }

  /** (K * 3) metres, world. */
  pose(positions: Float32Array): void {
    const { floor } = this.specification;
    const count = Math.min(this.balls.count, positions.length / 3);
    for (let k = 0; k < count; k++) {
      this.positions[k * 3] = positions[k * 3];
      this.positions[k * 3 + 1] = positions[k * 3 + 1] - floor;
      this.positions[k * 3 + 2] = positions[k * 3 + 2];
    }
    this.measure();
    const isJoined = (this.specification.looks?.links.length ?? 0) > 0;
    const radius = (isJoined ? JOINED : PART_OF_EXTENT) * this.extent;
    this.links.pose(this.positions, LINK * this.extent);
    this.outlines.pose(this.positions, OUTLINE * this.extent);
    this.skin.refresh();
    const matrices = this.balls.instanceMatrix.array;
    for (let k = 0; k < this.balls.count; k++) {
      const isSeen = k < count && Number.isFinite(this.positions[k * 3] + this.positions[k * 3 + 1] + this.positions[k * 3 + 2]);
      const size = isSeen ? radius : 0;
      matrices[k * 16] = matrices[k * 16 + 5] = matrices[k * 16 + 10] = size;
      for (let c = 0; c < 3; c++) matrices[k * 16 + 12 + c] = isSeen ? this.positions[k * 3 + c] : 0;
      matrices[k * 16 + 15] = 1;
    }
    this.balls.instanceMatrix.needsUpdate = true;
    this.balls.visible = true;
  }

  dispose(): void {
    this.links.dispose();
    this.outlines.dispose();
    this.skin.dispose();
    this.balls.removeFromParent();
    this.balls.geometry.dispose();
    this.balls.material.dispose();
    this.balls.dispose();
  }

  /** Find the middle in every frame, and the size once: balls should not breathe. */
  private measure(): void {
    let count = 0;
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const sum = [0, 0, 0];
    for (let k = 0; k * 3 < this.positions.length; k++) {
      if (!Number.isFinite(this.positions[k * 3] + this.positions[k * 3 + 1] + this.positions[k * 3 + 2])) continue;
      count++;
      for (let c = 0; c < 3; c++) {
        const value = this.positions[k * 3 + c];
        sum[c] += value;
        low[c] = Math.min(low[c], value);
        high[c] = Math.max(high[c], value);
      }
    }
    if (count === 0) return;
    this.middle.set(sum[0] / count, sum[1] / count, sum[2] / count);
    if (!this.hasExtent) this.extent = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2], 0.1);
    this.hasExtent = true;
  }
}
