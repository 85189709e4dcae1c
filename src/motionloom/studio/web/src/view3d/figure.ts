/** One posed figure: a skinned mesh whose bones are placed by our own kinematics, around its root. */

import { Bone, Matrix4, Mesh, Object3D, Skeleton, SkinnedMesh, Sphere, Vector3, type Material } from "three";

import { forward, reachOf } from "../motion/kinematics";
import type { Pose, SkeletonData } from "../motion/types";
import { fillBoneMatrices } from "./skinning";
import type { Skin } from "./skins";

const SKIN_MARGIN = 0.3; // metres that skin lies outside of the bones at most
const ORIGIN = [0, 0, 0];

/** Matrices for the graphics card, filled by us: no tree of bones is walked for each frame. */
class Palette extends Skeleton {
  constructor(joints: number) {
    super(
      Array.from({ length: joints }, () => new Bone()),
      Array.from({ length: joints }, () => new Matrix4()),
    );
    this.computeBoneTexture();
  }

  override update(): void {
    // the figure writes the matrices when its pose changes
  }
}

export class Figure {
  readonly group = new Object3D();
  readonly positions: Float32Array; // (J * 3) metres, around the root
  private readonly root = new Float32Array(3);
  private readonly rotations: Float32Array;
  private readonly turned: Float32Array;
  private readonly palette: Palette;
  private readonly meshes: SkinnedMesh[] = [];
  private stale = true;

  /** materials: drawn one after the other, such as depth alone and then colour; skin: shared, not freed here. */
  constructor(
    readonly skeleton: SkeletonData,
    private skin: Skin,
    materials: Material[],
    renderOrder = 0,
  ) {
    const joints = skeleton.names.length;
    this.positions = new Float32Array(joints * 3);
    this.turned = new Float32Array(joints * 4);
    this.rotations = new Float32Array(joints * 4);
    for (let joint = 0; joint < joints; joint++) this.rotations[joint * 4] = 1;
    this.palette = new Palette(joints);
    const reach = new Sphere(new Vector3(), reachOf(skeleton) + SKIN_MARGIN);
    for (const material of materials) {
      const mesh = new SkinnedMesh(skin.geometry, material);
      mesh.boundingSphere = reach; // known beforehand: nothing is measured while playing
      mesh.renderOrder = renderOrder;
      mesh.bindMode = "detached";
      mesh.bind(this.palette, new Matrix4());
      this.meshes.push(mesh);
      this.group.add(mesh);
    }
    this.group.visible = false; // until its first pose
  }

  /** Take over a pose; the positions of joints are computed when they are read or drawn. */
  pose(pose: Pose, floor: number): void {
    this.root.set(pose.root);
    this.rotations.set(pose.rotations.subarray(0, this.rotations.length));
    this.group.position.set(pose.root[0], pose.root[1] - floor, pose.root[2]);
    this.group.visible = true;
    this.stale = true;
  }

  setFloor(floor: number): void {
    this.group.position.y = this.root[1] - floor;
  }

  /** Place joints and bones; true where something was out of date. */
  refresh(): boolean {
    if (!this.stale) return false;
    this.stale = false;
    forward(this.skeleton, ORIGIN, this.rotations, this.positions, this.turned);
    fillBoneMatrices(this.skin.body, this.positions, this.turned, this.palette.boneMatrices as Float32Array);
    (this.palette.boneTexture as { needsUpdate: boolean }).needsUpdate = true;
    return true;
  }

  /** Wear another skin of the same skeleton. */
  wear(skin: Skin): void {
    this.skin = skin;
    for (const mesh of this.meshes) mesh.geometry = skin.geometry;
    this.stale = true;
  }

  /** The mesh drawn with the n-th material. */
  mesh(n: number): Mesh {
    return this.meshes[n];
  }

  dispose(): void {
    this.group.removeFromParent();
    this.palette.dispose();
  }
}
