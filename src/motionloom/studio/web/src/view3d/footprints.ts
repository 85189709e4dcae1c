/** Soft soles on the ground, coloured by side; those near the current frame are the strongest. */

import { BufferAttribute, BufferGeometry, Color, Mesh, type Object3D, ShaderMaterial } from "three";

import type { Footprint } from "../motion/types";
import type { ViewColours } from "./colours";
import { HEIGHTS, LAYERS } from "./layers";

const SOFT = 0.024; // metres over which the edge of a sole fades, half of it outwards

const VERTEX = /* glsl */ `
attribute vec3 print; // opacity, left (1) or right (0), frame
uniform float current;
varying float vOpacity;
varying float vLeft;
void main() {
  float away = ( print.z - current ) / 32.0;
  vOpacity = print.x * ( 0.2 + 0.62 * exp( - away * away ) );
  vLeft = print.y;
  gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`;

const FRAGMENT = /* glsl */ `
uniform vec3 left;
uniform vec3 right;
varying float vOpacity;
varying float vLeft;
void main() {
  gl_FragColor = vec4( mix( right, left, step( 0.5, vLeft ) ), vOpacity * vOpacity / max( vOpacity, 0.2 ) );
  #include <colorspace_fragment>
}`;

export class Footprints {
  private readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  private prints: Footprint[] | null = null;

  constructor(
    scene: Object3D,
    private readonly colours: ViewColours,
  ) {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      uniforms: { current: { value: 0 }, left: { value: new Color() }, right: { value: new Color() } },
    });
    this.mesh = new Mesh(new BufferGeometry(), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = LAYERS.footprints;
    scene.add(this.mesh);
    this.recolour();
  }

  /** The same list again with another frame costs nothing. */
  set(prints: Footprint[], currentFrame: number): void {
    this.mesh.material.uniforms["current"].value = currentFrame;
    if (prints === this.prints || (prints.length === 0 && this.prints?.length === 0)) return;
    this.prints = prints;
    this.mesh.geometry.dispose();
    this.mesh.geometry = makeGeometry(prints);
  }

  setShown(shown: boolean): void {
    this.mesh.visible = shown;
  }

  recolour(): void {
    const { uniforms } = this.mesh.material;
    (uniforms["left"].value as Color).copy(this.colours.left);
    (uniforms["right"].value as Color).copy(this.colours.right);
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

/** A full inner sole around the middle, and an edge around it that fades to nothing. */
function makeGeometry(prints: Footprint[]): BufferGeometry {
  const places: number[] = [];
  const about: number[] = [];
  const corners: number[] = [];
  for (const { outline, side, frame, height = 0, slope = [0, 0] } of prints) {
    const count = outline.length;
    if (count < 3) continue;
    const first = places.length / 3;
    const middle = [0, 1].map((c) => outline.reduce((sum, corner) => sum + corner[c], 0) / count);
    const add = (x: number, z: number, opacity: number): void => {
      const rise = slope[0] * (x - middle[0]) + slope[1] * (z - middle[1]);
      places.push(x, height + rise + HEIGHTS.footprints, z);
      about.push(opacity, side === "left" ? 1 : 0, frame);
    };
    add(middle[0], middle[1], 1);
    for (const grown of [-SOFT / 2, SOFT / 2]) {
      outline.forEach((_, k) => add(...offsetCorner(outline, k, grown), grown < 0 ? 1 : 0));
    }
    for (let k = 0; k < count; k++) {
      const inner = first + 1 + k;
      const next = first + 1 + ((k + 1) % count);
      corners.push(first, inner, next, inner, inner + count, next + count, inner, next + count, next);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
  geometry.setAttribute("print", new BufferAttribute(new Float32Array(about), 3));
  geometry.setIndex(new BufferAttribute(new Uint32Array(corners), 1));
  return geometry;
}

/** A corner of an outline moved outwards by some metres; outlines run counter-clockwise seen from above. */
export function offsetCorner(outline: [number, number][], k: number, by: number): [number, number] {
  const count = outline.length;
  const [x0, z0] = outline[(k + count - 1) % count];
  const [x1, z1] = outline[(k + 1) % count];
  const size = Math.max(Math.hypot(x1 - x0, z1 - z0), 1e-9);
  return [outline[k][0] - ((z1 - z0) / size) * by, outline[k][1] + ((x1 - x0) / size) * by];
}
