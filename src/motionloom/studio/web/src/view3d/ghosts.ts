/** Onion skins: other poses of a character, translucent, sharing its geometry and one material. */

import { Object3D, type Color, type Material, type MeshLambertMaterial } from "three";

import type { Pose } from "../motion/types";
import { Figure } from "./figure";
import { makeDepthOnly, makeMatte } from "./materials";
import { LAYERS } from "./layers";
import { skinKey, type Skin, type Skins } from "./skins";
import type { CharacterSpec } from "./types";

const OPACITY = 0.26;

export class Ghosts {
  readonly group = new Object3D();
  private readonly figures: Figure[] = []; // kept when fewer are shown: scrubbing changes their number all the time
  private readonly matte: MeshLambertMaterial;
  private readonly depth: Material;
  private skin: Skin;

  constructor(
    private spec: CharacterSpec,
    private readonly skins: Skins,
    scene: Object3D,
    colour: Color,
  ) {
    this.skin = skins.take(spec.skeleton, spec.body, spec.style);
    this.matte = makeMatte(colour);
    this.matte.transparent = true;
    this.matte.opacity = OPACITY;
    this.depth = makeDepthOnly();
    scene.add(this.group);
  }

  update(spec: CharacterSpec, colour: Color): void {
    this.spec = spec;
    this.matte.color.copy(colour);
    for (const figure of this.figures) figure.setFloor(spec.floor);
    if (skinKey(spec.skeleton, spec.body, spec.style) === this.skin.key) return;
    const worn = this.skin;
    this.skin = this.skins.take(spec.skeleton, spec.body, spec.style);
    for (const figure of this.figures) figure.wear(this.skin);
    this.skins.release(worn);
  }

  show(poses: Pose[]): void {
    while (this.figures.length < poses.length) {
      const figure = new Figure(this.spec.skeleton, this.skin, [this.depth, this.matte], LAYERS.bodies);
      this.figures.push(figure);
      this.group.add(figure.group);
    }
    this.figures.forEach((figure, n) => {
      if (n < poses.length) figure.pose(poses[n], this.spec.floor);
      else figure.group.visible = false;
    });
  }

  refresh(): void {
    for (const figure of this.figures) if (figure.group.visible) figure.refresh();
  }

  dispose(): void {
    for (const figure of this.figures) figure.dispose();
    this.group.removeFromParent();
    this.matte.dispose();
    this.depth.dispose();
    this.skins.release(this.skin);
  }
}
