/** The cast: characters with their ghosts, and clouds of points. */

import { type Object3D, Vector3 } from "three";

import { jointName } from "../motion/joint_names";
import type { Pose } from "../motion/types";
import { Character } from "./character";
import { bodyColour, type ViewColours } from "./colours";
import { Ghosts } from "./ghosts";
import type { JointPicker } from "./picking";
import { type CloudColours, PointCloud } from "./points";
import { SHADOW_FROM } from "./shadows";
import { Skins } from "./skins";
import type { CharacterSpec, PointsSpec } from "./types";

export class Cast {
  readonly skins = new Skins();
  readonly places: Vector3[] = []; // of the characters that cast shadows
  private readonly characters = new Map<string, Character>();
  private readonly ghosts = new Map<string, Ghosts>();
  private readonly clouds = new Map<string, PointCloud>();
  private hasMoved = true;

  constructor(
    private readonly scene: Object3D,
    private readonly colours: ViewColours,
  ) {}

  setCharacters(specs: CharacterSpec[]): void {
    for (const id of this.characters.keys()) {
      const wanted = specs.find((spec) => spec.id === id);
      // another skeleton is another character
      if (wanted?.skeleton.digest !== this.characters.get(id)?.spec.skeleton.digest) this.removeCharacter(id);
    }
    for (const spec of specs) {
      const colour = bodyColour(this.colours, spec.hue);
      const character = this.characters.get(spec.id);
      if (character === undefined) this.characters.set(spec.id, new Character(spec, this.skins, this.scene, colour));
      else character.update(spec, colour);
      this.ghosts.get(spec.id)?.update(spec, colour);
    }
    this.hasMoved = true;
  }

  setPoints(specs: PointsSpec[]): void {
    for (const [id, cloud] of this.clouds) {
      const wanted = specs.find((spec) => spec.id === id);
      if (wanted !== undefined && isSameSet(wanted, cloud.spec)) continue;
      cloud.dispose();
      this.clouds.delete(id);
    }
    for (const spec of specs) {
      const colours = this.cloudColours(spec);
      const cloud = this.clouds.get(spec.id);
      if (cloud === undefined) this.clouds.set(spec.id, new PointCloud(spec, this.scene, colours));
      else cloud.update(spec, colours);
    }
    this.hasMoved = true;
  }

  setGhosts(id: string, poses: Pose[]): void {
    const character = this.characters.get(id);
    if (character === undefined) return;
    let ghosts = this.ghosts.get(id);
    if (ghosts === undefined) {
      if (poses.length === 0) return;
      ghosts = new Ghosts(character.spec, this.skins, this.scene, bodyColour(this.colours, character.spec.hue));
      this.ghosts.set(id, ghosts);
    }
    ghosts.show(poses);
  }

  /** False if there is no character of this id. */
  pose(id: string, pose: Pose): boolean {
    const character = this.characters.get(id);
    character?.pose(pose);
    return character !== undefined;
  }

  posePoints(id: string, positions: Float32Array): boolean {
    const cloud = this.clouds.get(id);
    cloud?.pose(positions);
    if (cloud !== undefined) this.hasMoved = true;
    return cloud !== undefined;
  }

  /** Bring everything up to date before it is drawn; true where a shadow may have moved. */
  refresh(): boolean {
    let moved = this.hasMoved;
    this.hasMoved = false;
    for (const character of this.characters.values()) moved = character.figure.refresh() || moved;
    for (const ghosts of this.ghosts.values()) ghosts.refresh();
    if (moved) {
      this.places.length = 0;
      for (const character of this.characters.values()) {
        if (character.isShown && character.spec.opacity > SHADOW_FROM) this.places.push(character.place);
      }
      for (const cloud of this.clouds.values()) {
        if (cloud.isShown && cloud.spec.opacity > SHADOW_FROM) this.places.push(cloud.middle);
      }
    }
    return moved;
  }

  recolour(): void {
    for (const [id, character] of this.characters) {
      const colour = bodyColour(this.colours, character.spec.hue);
      character.update(character.spec, colour);
      this.ghosts.get(id)?.update(character.spec, colour);
    }
    for (const cloud of this.clouds.values()) cloud.update(cloud.spec, this.cloudColours(cloud.spec));
  }

  /** Where a character or a cloud of points is; null where there is none or it has no pose yet. */
  placeOf(id: string): Vector3 | null {
    const character = this.characters.get(id);
    if (character?.isShown) return character.place;
    const cloud = this.clouds.get(id);
    return cloud?.isShown ? cloud.middle : null;
  }

  /** The ball around everything of a character: fills its middle and returns its radius, metres. */
  ballOf(id: string, middle: Vector3): number | null {
    const character = this.characters.get(id);
    const cloud = this.clouds.get(id);
    if (cloud?.isShown) {
      middle.copy(cloud.middle);
      return 0.6 * cloud.extent;
    }
    if (!character?.isShown) return null;
    character.figure.refresh();
    const root = character.place;
    const { positions } = character.figure;
    let low = Infinity;
    let high = -Infinity;
    let wide = 0;
    for (let n = 0; n < positions.length; n += 3) {
      low = Math.min(low, positions[n + 1]);
      high = Math.max(high, positions[n + 1]);
      wide = Math.max(wide, Math.hypot(positions[n], positions[n + 2]));
    }
    middle.set(root.x, root.y + (low + high) / 2, root.z);
    return Math.max((high - low) / 2, wide) + 0.12; // the head ends above its joint
  }

  /** The azimuth from which a face is seen from the front, radians; null for bodies and other points. */
  frontOf(id: string): number | null {
    return this.clouds.get(id)?.spec.looks?.front ?? null;
  }

  /** What a skeleton calls a joint, or a cloud a point. */
  nameOf(id: string, joint: number): string {
    return this.characters.get(id)?.spec.skeleton.names[joint] ?? this.clouds.get(id)?.spec.names[joint] ?? "";
  }

  /** The name of a joint or point, for people. */
  titleOf(id: string, joint: number): string {
    const character = this.characters.get(id);
    return character !== undefined ? jointName(character.spec.skeleton, joint) : this.nameOf(id, joint).replaceAll("_", " ");
  }

  /** The joints around a place in the world; null where there are none. */
  jointsOf(id: string): { joints: Float32Array; root: Vector3 } | null {
    const character = this.characters.get(id);
    if (character?.isShown) {
      character.figure.refresh();
      return { joints: character.figure.positions, root: character.place };
    }
    const cloud = this.clouds.get(id);
    return cloud?.isShown ? { joints: cloud.positions, root: ORIGIN } : null;
  }

  considerAll(picker: JointPicker): void {
    for (const id of this.characters.keys()) this.consider(picker, id);
    for (const id of this.clouds.keys()) this.consider(picker, id);
  }

  dispose(): void {
    this.setCharacters([]);
    this.setPoints([]);
  }

  private consider(picker: JointPicker, id: string): void {
    const found = this.jointsOf(id);
    if (found !== null) picker.consider(id, found.joints, found.root);
  }

  private cloudColours(spec: PointsSpec): CloudColours {
    const body = bodyColour(this.colours, spec.hue);
    return { points: spec.hue === 0 ? this.colours.accent : body, links: body };
  }

  private removeCharacter(id: string): void {
    this.ghosts.get(id)?.dispose();
    this.ghosts.delete(id);
    this.characters.get(id)?.dispose();
    this.characters.delete(id);
  }
}

/** Whether the same points are drawn in the same way. */
function isSameSet(one: PointsSpec, other: PointsSpec): boolean {
  return one.names.length === other.names.length && (one.looks === other.looks || JSON.stringify(one.looks) === JSON.stringify(other.looks));
}

const ORIGIN = new Vector3();
