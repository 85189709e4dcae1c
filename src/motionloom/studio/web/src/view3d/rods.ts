/** Thin rods between points, such as the mesh of a face: one for each pair whose ends were both seen. */

import { type Color, CylinderGeometry, InstancedMesh, Matrix4, type MeshLambertMaterial, type Object3D, Quaternion, Vector3 } from "three";

import { LAYERS } from "./layers";
import { makeMatte } from "./materials";

const UP = new Vector3(0, 1, 0);
const CORNERS = 8; // around a rod

export class Rods {
  private readonly mesh: InstancedMesh<CylinderGeometry, MeshLambertMaterial>;
  private readonly from = new Vector3();
  private readonly along = new Vector3();
  private readonly turn = new Quaternion();
  private readonly size = new Vector3();
  private readonly matrix = new Matrix4();

  constructor(
    private readonly pairs: readonly (readonly [number, number])[],
    scene: Object3D,
    colour: Color,
  ) {
    const geometry = new CylinderGeometry(1, 1, 1, CORNERS, 1, true).translate(0, 0.5, 0);
    this.mesh = new InstancedMesh(geometry, makeMatte(colour), pairs.length);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = LAYERS.bodies;
    scene.add(this.mesh);
  }

  /** Colour and opacity. */
  dress(colour: Color, opacity: number): void {
    const { material } = this.mesh;
    material.color.copy(colour);
    material.opacity = opacity;
    const isSolid = opacity >= 0.999;
    if (material.transparent !== isSolid) return;
    material.transparent = !isSolid;
    material.needsUpdate = true;
  }

  /** Lay them between points (K * 3), metres. */
  pose(points: Float32Array, radius: number): void {
    this.pairs.forEach(([a, b], n) => {
      this.from.fromArray(points, 3 * a);
      this.along.fromArray(points, 3 * b).sub(this.from);
      const length = this.along.length();
      if (length > 1e-6) {
        this.turn.setFromUnitVectors(UP, this.along.divideScalar(length));
        this.matrix.compose(this.from, this.turn, this.size.set(radius, length, radius));
      } else this.matrix.makeScale(0, 0, 0); // not seen, or without a length: comparisons with NaN are false
      this.mesh.setMatrixAt(n, this.matrix);
    });
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.visible = true;
  }

  hide(): void {
    this.mesh.visible = false;
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.mesh.dispose();
  }
}
