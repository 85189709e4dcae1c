/** The stage: sky, lights, ground, and a shadow map that covers just the characters. */

import { DirectionalLight, HemisphereLight, type PerspectiveCamera, Scene, Vector3 } from "three";

import type { ViewColours } from "./colours";
import { Ground } from "./ground";

const KEY_DIRECTION = new Vector3(-0.42, 1.25, 0.62).normalize(); // from the upper left of the first view
const SHADOW_PIXELS = 512;
const SHADOW_MARGIN = 1.5; // metres around the roots of the characters
const SHADOW_REACH = 9; // metres; characters farther apart than this share the map no longer
const SOFTNESS = 0.045; // metres that shadows blur

export class Stage {
  readonly scene = new Scene();
  readonly ground: Ground;
  private readonly key = new DirectionalLight(0xffffff, 1);
  private readonly fill = new DirectionalLight(0xffffff, 1); // goes with the camera: no side is ever without form
  private readonly around = new HemisphereLight(0xffffff, 0xffffff, 1);
  private readonly middle = new Vector3();
  private readonly right = new Vector3();
  private readonly above = new Vector3();
  private covered = 0;
  private isDark = false;
  private hasShadows = true;

  constructor(private readonly colours: ViewColours) {
    this.ground = new Ground(this.scene, colours);
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(SHADOW_PIXELS, SHADOW_PIXELS);
    this.key.shadow.bias = -0.0006;
    this.key.shadow.normalBias = 0.015;
    this.key.shadow.radius = 2.5;
    this.key.shadow.camera.near = 0.5;
    this.key.shadow.camera.far = 24;
    this.scene.add(this.key, this.key.target, this.fill, this.fill.target, this.around);
    this.scene.background = colours.sky;
    // the light looks down along KEY_DIRECTION; these two span what it sees
    this.right.crossVectors(new Vector3(0, 1, 0), KEY_DIRECTION).normalize();
    this.above.crossVectors(KEY_DIRECTION, this.right);
    this.recolour(false);
    this.coverShadows([]);
  }

  recolour(isDark: boolean): void {
    this.isDark = isDark;
    this.key.intensity = isDark ? 2.3 : 2.5;
    this.fill.intensity = isDark ? 0.35 : 0.3;
    this.around.intensity = isDark ? 0.85 : 1.35;
    this.around.color.set(0xffffff).lerp(this.colours.sky, 0.35);
    this.around.groundColor.copy(this.colours.ground).multiplyScalar(isDark ? 1.2 : 0.62);
    this.ground.recolour();
    this.setShadows(this.hasShadows);
  }

  setShadows(shown: boolean): void {
    this.hasShadows = shown;
    this.key.castShadow = shown;
    this.ground.setShadow(shown ? (this.isDark ? 0.62 : 0.34) : 0);
  }

  /** Aim the shadow map at where the characters are: small around one, so that its shadow is fine. */
  coverShadows(places: Vector3[]): void {
    this.middle.set(0, 0, 0);
    for (const place of places) this.middle.addScaledVector(place, 1 / places.length);
    this.middle.y = 0.8;
    let spread = 0;
    for (const place of places) spread = Math.max(spread, Math.hypot(place.x - this.middle.x, place.z - this.middle.z));
    const half = Math.min(SHADOW_REACH, Math.ceil((spread + SHADOW_MARGIN) * 2) / 2); // in steps, so that it rests
    if (half !== this.covered) {
      this.covered = half;
      const { camera } = this.key.shadow;
      camera.left = camera.bottom = -half;
      camera.right = camera.top = half;
      camera.updateProjectionMatrix();
      this.ground.setShadowSoftness(SOFTNESS, 2 * half);
    }
    this.snapToPixels((2 * half) / SHADOW_PIXELS);
    this.key.target.position.copy(this.middle);
    this.key.position.copy(this.middle).addScaledVector(KEY_DIRECTION, 12);
  }

  /** The fill light shines from beside the camera. */
  followCamera(camera: PerspectiveCamera, target: Vector3, distance: number): void {
    this.fill.target.position.copy(target);
    this.fill.position.set(0.8, 0.3, 1).applyQuaternion(camera.quaternion).multiplyScalar(4).add(target);
    this.ground.follow(target.x, target.z, distance);
  }

  dispose(): void {
    this.ground.dispose();
    this.key.dispose();
    this.fill.dispose();
    this.around.dispose();
    this.scene.background = null;
  }

  /** Move the map by whole pixels only, or shadow edges would crawl while a character walks. */
  private snapToPixels(pixel: number): void {
    const along = this.middle.dot(this.right);
    const up = this.middle.dot(this.above);
    this.middle.addScaledVector(this.right, Math.round(along / pixel) * pixel - along);
    this.middle.addScaledVector(this.above, Math.round(up / pixel) * pixel - up);
  }
}
