/** What feet stand on: boxes that are there around the frames in which they do. */

import { BoxGeometry, Group, Mesh, type MeshLambertMaterial, type Object3D } from "three";

import type { Support } from "../motion/types";
import type { ViewColours } from "./colours";
import { makeMatte } from "./materials";

const SHOWN = 1; // seconds before and after its frames that a support is there
const THINNEST = 0.01; // metres from top to bottom

export class Supports {
  private readonly group = new Group();
  private readonly material: MeshLambertMaterial;
  private readonly cube = new BoxGeometry(2, 2, 2);
  private supports: Support[] | null = null;

  constructor(
    scene: Object3D,
    private readonly colours: ViewColours,
  ) {
    this.material = makeMatte(colours.support.clone());
    scene.add(this.group);
  }

  /** The same list again with another frame costs next to nothing; answers whether another one is to be seen. */
  set(supports: Support[], currentFrame: number, fps: number): boolean {
    let changed = false;
    if (supports !== this.supports) {
      this.supports = supports;
      this.group.clear();
      for (const support of supports) this.group.add(this.makeMesh(support));
      changed = true;
    }
    supports.forEach((support, k) => {
      const isShown = isThere(support, currentFrame, fps);
      changed ||= isShown !== this.group.children[k].visible;
      this.group.children[k].visible = isShown;
    });
    return changed;
  }

  recolour(): void {
    this.material.color.copy(this.colours.support);
  }

  dispose(): void {
    this.group.removeFromParent();
    this.cube.dispose();
    this.material.dispose();
  }

  private makeMesh({ centre, half, turn, top, bottom }: Support): Mesh {
    const height = Math.max(top - bottom, THINNEST);
    const mesh = new Mesh(this.cube, this.material);
    mesh.position.set(centre[0], top - height / 2, centre[1]);
    mesh.rotation.y = turn;
    mesh.scale.set(half[0], height / 2, half[1]);
    return mesh;
  }
}

/** Whether a support is there in a frame: while feet stand on it, and a little before and after. */
export function isThere(support: Support, frame: number, fps: number): boolean {
  return frame >= support.start - SHOWN * fps && frame < support.stop + SHOWN * fps;
}
