/** A character: a figure with its colour, its floor and how solid it is. */

import type { Color, Material, MeshLambertMaterial, Object3D, Vector3 } from "three";

import type { Pose } from "../motion/types";
import { Figure } from "./figure";
import { LAYERS } from "./layers";
import { makeDepthOnly, makeMatte } from "./materials";
import { CASTERS, SHADOW_FROM } from "./shadows";
import { skinKey, type Skin, type Skins } from "./skins";
import type { CharacterSpec } from "./types";

const DEPTH = 0; // which mesh of the figure
const COLOUR = 1;

export class Character {
  readonly figure: Figure;
  private readonly matte: MeshLambertMaterial;
  private readonly depth: Material;
  private skin: Skin;
  private specification: CharacterSpec;

  constructor(
    spec: CharacterSpec,
    private readonly skins: Skins,
    scene: Object3D,
    colour: Color,
  ) {
    this.specification = spec;
    this.skin = skins.take(spec.skeleton, spec.body, spec.style);
    this.depth = makeDepthOnly();
    this.matte = makeMatte(colour);
    this.figure = new Figure(spec.skeleton, this.skin, [this.depth, this.matte], LAYERS.bodies);
    scene.add(this.figure.group);
    this.update(spec, colour);
  }

  get spec(): CharacterSpec {
    return this.specification;
  }

  /** Where the root is, on the drawn ground. */
  get place(): Vector3 {
    return this.figure.group.position;
  }

  get isShown(): boolean {
    return this.figure.group.visible && this.specification.opacity > 0;
  }

  /** Follow a changed description of the same skeleton. */
  update(spec: CharacterSpec, colour: Color): void {
    this.specification = spec;
    if (skinKey(spec.skeleton, spec.body, spec.style) !== this.skin.key) {
      const worn = this.skin;
      this.skin = this.skins.take(spec.skeleton, spec.body, spec.style);
      this.figure.wear(this.skin);
      this.skins.release(worn);
    }
    this.figure.setFloor(spec.floor);
    const isSolid = spec.opacity >= 0.999;
    this.matte.color.copy(colour);
    this.matte.opacity = spec.opacity;
    if (this.matte.transparent === isSolid) {
      this.matte.transparent = !isSolid;
      this.matte.needsUpdate = true;
    }
    const body = this.figure.mesh(COLOUR);
    if (spec.opacity > SHADOW_FROM) body.layers.enable(CASTERS);
    else body.layers.disable(CASTERS);
    body.visible = spec.opacity > 0;
    this.figure.mesh(DEPTH).visible = !isSolid && spec.opacity > 0;
  }

  pose(pose: Pose): void {
    this.figure.pose(pose, this.specification.floor);
  }

  dispose(): void {
    this.figure.dispose();
    this.matte.dispose();
    this.depth.dispose();
    this.skins.release(this.skin);
  }
}
