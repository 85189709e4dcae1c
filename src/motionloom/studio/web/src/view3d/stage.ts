/** The stage: sky, lights, ground and shadows on it. */

import { DirectionalLight, HemisphereLight, type PerspectiveCamera, Scene, Vector3, type WebGLRenderer } from "three";

import type { ViewColours } from "./colours";
import { Ground } from "./ground";
import { Shadows } from "./shadows";

const KEY_DIRECTION = new Vector3(-0.42, 1.25, 0.62).normalize(); // from the upper left of the first view
const SHADOW_MARGIN = 1.5; // metres around the roots of the characters
const SHADOW_REACH = 9; // metres; characters farther apart than this are not all shadowed

export class Stage {
  readonly scene = new Scene();
  readonly ground: Ground;
  private readonly shadows = new Shadows(KEY_DIRECTION);
  private readonly key = new DirectionalLight(0xffffff, 1);
  private readonly fill = new DirectionalLight(0xffffff, 1); // goes with the camera: no side is ever without form
  private readonly around = new HemisphereLight(0xffffff, 0xffffff, 1);
  private isDark = false;
  private hasShadows = true;

  constructor(private readonly colours: ViewColours) {
    this.ground = new Ground(this.scene, colours);
    this.key.position.copy(KEY_DIRECTION);
    this.scene.add(this.key, this.fill, this.around);
    this.recolour(false);
  }

  recolour(isDark: boolean): void {
    this.isDark = isDark;
    this.key.intensity = isDark ? 2.5 : 3.1;
    this.fill.intensity = isDark ? 0.4 : 0.5;
    this.around.intensity = isDark ? 0.9 : 1.75;
    this.around.color.set(0xffffff).lerp(this.colours.sky, 0.35);
    this.around.groundColor.copy(this.colours.ground).multiplyScalar(isDark ? 1.2 : 0.6);
    this.ground.recolour();
    this.setShadows(this.hasShadows);
  }

  setShadows(shown: boolean): void {
    this.hasShadows = shown;
    this.ground.setShadow(shown ? (this.isDark ? 0.85 : 0.55) : 0);
  }

  /** Draw the shadows of the characters at these places. */
  castShadows(renderer: WebGLRenderer, places: Vector3[]): void {
    if (!this.hasShadows) return;
    this.shadows.cover(places, SHADOW_MARGIN, SHADOW_REACH);
    this.shadows.draw(renderer, this.scene);
    this.ground.takeShadows(this.shadows);
  }

  /** The fill light shines from beside the camera. */
  followCamera(camera: PerspectiveCamera, target: Vector3, distance: number): void {
    this.fill.position.set(0.8, 0.25, 1).applyQuaternion(camera.quaternion);
    this.ground.follow(target.x, target.z, distance);
  }

  dispose(): void {
    this.ground.dispose();
    this.shadows.dispose();
    this.key.dispose();
    this.fill.dispose();
    this.around.dispose();
  }
}
