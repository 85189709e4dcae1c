/** A mark on the joint that is chosen or under the pointer, with its name. */

import { Mesh, MeshBasicMaterial, type Object3D, SphereGeometry, type Vector3 } from "three";

import type { ViewColours } from "./colours";
import type { Labels } from "./labels";
import { LAYERS } from "./layers";

const PIXELS = 6; // its radius

export class Highlight {
  private readonly mesh: Mesh<SphereGeometry, MeshBasicMaterial>;

  constructor(
    scene: Object3D,
    private readonly name: string, // of its label
    private readonly colours: ViewColours,
    private readonly labels: Labels,
    opacity: number,
  ) {
    const material = new MeshBasicMaterial({ transparent: true, depthTest: false, depthWrite: false, opacity });
    this.mesh = new Mesh(new SphereGeometry(1, 16, 12), material);
    this.mesh.renderOrder = LAYERS.handles;
    this.mesh.visible = false;
    scene.add(this.mesh);
  }

  /** Mark the joint at three numbers of an array, metres around a root. */
  show(joints: Float32Array, joint: number, root: Vector3, text: string, metresPerPixel: number): void {
    const { position } = this.mesh;
    position.set(joints[joint * 3], joints[joint * 3 + 1], joints[joint * 3 + 2]).add(root);
    this.mesh.scale.setScalar(PIXELS * metresPerPixel);
    this.mesh.material.color.copy(this.colours.accent);
    this.mesh.visible = true;
    this.labels.put(this.name, text, position.x, position.y, position.z, -20, true);
  }

  hide(): void {
    if (!this.mesh.visible) return;
    this.mesh.visible = false;
    this.labels.remove(this.name);
  }

  dispose(): void {
    this.hide();
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
