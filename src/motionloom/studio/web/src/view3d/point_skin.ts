/** The skin of a face between its markers: faint, so that the mesh on it is seen, and shaded, so that it has a form. */

import { BufferAttribute, BufferGeometry, type Color, DoubleSide, Mesh, type MeshLambertMaterial, type Object3D } from "three";

import { LAYERS } from "./layers";
import { makeMatte } from "./materials";

const FAINT = 0.28; // opacity, of that of the points

export class PointSkin {
  private readonly mesh: Mesh<BufferGeometry, MeshLambertMaterial>;
  private readonly corners: BufferAttribute;

  constructor(
    private readonly triangles: readonly (readonly [number, number, number])[],
    points: Float32Array, // (K * 3) metres: changed in place
    scene: Object3D,
    colour: Color,
  ) {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(points, 3));
    this.corners = new BufferAttribute(new Uint16Array(3 * triangles.length), 1);
    geometry.setIndex(this.corners);
    const material = makeMatte(colour);
    Object.assign(material, { transparent: true, depthWrite: false, side: DoubleSide });
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = LAYERS.bodies - 0.5; // behind the mesh that is on it
    this.mesh.visible = false;
    scene.add(this.mesh);
  }

  dress(colour: Color, opacity: number): void {
    this.mesh.material.color.copy(colour);
    this.mesh.material.opacity = FAINT * opacity;
  }

  /** The points have moved; triangles with one that is not seen vanish. */
  refresh(): void {
    const { geometry } = this.mesh;
    const points = geometry.getAttribute("position");
    const isSeen = (n: number): boolean => Number.isFinite(points.getX(n));
    const seen = this.triangles.filter((corners) => corners.every(isSeen));
    this.corners.set(seen.flat());
    this.corners.needsUpdate = points.needsUpdate = true;
    geometry.setDrawRange(0, 3 * seen.length);
    this.turnOutwards(seen);
    this.mesh.visible = seen.length > 0;
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }

  /** Normals at the points: the mean of those of their triangles. */
  private turnOutwards(triangles: readonly (readonly [number, number, number])[]): void {
    const { geometry } = this.mesh;
    const points = geometry.getAttribute("position").array as Float32Array;
    if (!geometry.hasAttribute("normal")) geometry.setAttribute("normal", new BufferAttribute(new Float32Array(points.length), 3));
    const normals = geometry.getAttribute("normal");
    const sums = normals.array as Float32Array;
    sums.fill(0);
    for (const [a, b, c] of triangles) {
      const [ux, uy, uz] = [0, 1, 2].map((k) => points[3 * b + k] - points[3 * a + k]);
      const [vx, vy, vz] = [0, 1, 2].map((k) => points[3 * c + k] - points[3 * a + k]);
      const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
      for (const corner of [a, b, c]) for (let k = 0; k < 3; k++) sums[3 * corner + k] += normal[k];
    }
    for (let n = 0; n < sums.length; n += 3) {
      const length = Math.hypot(sums[n], sums[n + 1], sums[n + 2]) || 1;
      for (let k = 0; k < 3; k++) sums[n + k] /= length;
    }
    normals.needsUpdate = true;
  }
}
