/** The ground: an endless grid that fades into the sky, metre marks, a cross at the origin, and shadows on it. */

import {
  type Color,
  Mesh,
  type Object3D,
  PlaneGeometry,
  ShaderMaterial,
  Vector2,
} from "three";

import type { ViewColours } from "./colours";
import { LAYERS } from "./layers";
import { MetreMarks } from "./metre_marks";
import type { Shadows } from "./shadows";

const SIZE = 400; // metres; it moves with the camera, so this is as good as endless

const VERTEX = /* glsl */ `
varying vec3 vWorld;
void main() {
  vec4 worldPosition = modelMatrix * vec4( position, 1.0 );
  vWorld = worldPosition.xyz;
  gl_Position = projectionMatrix * viewMatrix * worldPosition;
}`;

// One opaque pass for ground, grid, cross and shadow: the ground fills most of the picture, and drawing it in layers
// would cost more than everything else where there is no graphics card.
const FRAGMENT = /* glsl */ `
#include <common>
const vec4 LAYER_DARKNESS = vec4( 0.42, 0.34, 0.26, 0.36 ); // what touches the ground is in all of them
uniform vec3 sky;
uniform vec3 ground;
uniform vec3 grid;
uniform vec3 gridStrong;
uniform vec3 shadowColour;
uniform float shadowStrength;
uniform float gridStrength;
uniform sampler2D shadows;
uniform vec2 shadowMiddle;
uniform float shadowHalf;
uniform vec2 centre;
uniform float fadeFrom;
uniform float fadeTo;
varying vec3 vWorld;

float lines( vec2 at, vec2 wide, float spacing, float pixels ) {
  vec2 scaled = at / spacing;
  vec2 width = wide / spacing;
  vec2 away = abs( fract( scaled - 0.5 ) - 0.5 ) / max( width, vec2( 1e-6 ) );
  vec2 line = saturate( pixels * 0.5 + 0.5 - away );
  // lines closer than a few pixels melt into an even tone instead of flickering
  line *= 1.0 - smoothstep( vec2( 0.12 ), vec2( 0.45 ), width );
  return max( line.x, line.y );
}

float originCross( vec2 at, vec2 wide ) {
  vec2 line = saturate( 1.5 - abs( at ) / max( wide, vec2( 1e-6 ) ) );
  return max( line.x * step( abs( at.y ), 0.25 ), line.y * step( abs( at.x ), 0.25 ) );
}

float shade() {
  vec2 at = ( vWorld.xz - shadowMiddle ) / ( 2.0 * shadowHalf ) + 0.5;
  vec2 inside = smoothstep( vec2( 0.0 ), vec2( 0.04 ), at ) * smoothstep( vec2( 0.0 ), vec2( 0.04 ), 1.0 - at );
  if ( inside.x * inside.y <= 0.0 ) return 0.0;
  vec4 lit = 1.0 - LAYER_DARKNESS * texture2D( shadows, at );
  return inside.x * inside.y * ( 1.0 - lit.x * lit.y * lit.z * lit.w );
}

void main() {
  vec2 at = vWorld.xz;
  vec2 wide = fwidth( at );
  float away = distance( at, centre );
  float fade = 1.0 - smoothstep( fadeFrom, fadeTo, away );
  vec3 colour = ground;
  colour = mix( colour, grid, gridStrength * lines( at, wide, 1.0, 1.0 ) );
  colour = mix( colour, gridStrong, gridStrength * 0.55 * lines( at, wide, 5.0, 1.2 ) );
  colour = mix( colour, gridStrong, gridStrength * originCross( at, wide ) );
  colour = mix( sky, colour, fade );
  if ( shadowStrength > 0.0 ) colour = mix( colour, shadowColour, shadowStrength * shade() );
  gl_FragColor = vec4( colour, 1.0 );
  #include <colorspace_fragment>
}`;

export class Ground {
  private readonly mesh: Mesh<PlaneGeometry, ShaderMaterial>;
  private readonly marks: MetreMarks;
  private hasGrid = true;

  constructor(
    scene: Object3D,
    private readonly colours: ViewColours,
  ) {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        sky: { value: colours.sky.clone() },
        ground: { value: colours.ground.clone() },
        grid: { value: colours.grid.clone() },
        gridStrong: { value: colours.gridStrong.clone() },
        shadowColour: { value: colours.shadow.clone() },
        shadowStrength: { value: 0.3 },
        shadows: { value: null },
        shadowMiddle: { value: new Vector2() },
        shadowHalf: { value: 1 },
        gridStrength: { value: 1 },
        centre: { value: new Vector2() },
        fadeFrom: { value: 6 },
        fadeTo: { value: 40 },
      },
      polygonOffset: true, // pushed back a little, so that flat things on it win
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 2,
    });
    this.mesh = new Mesh(new PlaneGeometry(SIZE, SIZE), material);
    this.mesh.geometry.rotateX(-Math.PI / 2);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = LAYERS.ground;
    scene.add(this.mesh);
    this.marks = new MetreMarks(scene);
    this.recolour();
  }

  recolour(): void {
    const { uniforms } = this.mesh.material;
    const pairs: [string, Color][] = [
      ["sky", this.colours.sky],
      ["ground", this.colours.ground],
      ["grid", this.colours.grid],
      ["gridStrong", this.colours.gridStrong],
      ["shadowColour", this.colours.shadow],
    ];
    for (const [name, colour] of pairs) (uniforms[name].value as Color).copy(colour);
    this.marks.recolour(this.colours.gridStrong);
  }

  /** Nothing at all of it is seen around things that hang in the air. */
  setShown(shown: boolean): void {
    this.mesh.visible = shown;
    this.marks.setShown(shown && this.hasGrid);
  }

  setGrid(shown: boolean): void {
    this.hasGrid = shown;
    this.mesh.material.uniforms["gridStrength"].value = shown ? 1 : 0;
    this.marks.setShown(shown && this.mesh.visible);
  }

  /** 0 for none. */
  setShadow(strength: number): void {
    this.mesh.material.uniforms["shadowStrength"].value = strength;
  }

  /** Read shadows from here. */
  takeShadows(shadows: Shadows): void {
    const { uniforms } = this.mesh.material;
    uniforms["shadows"].value = shadows.texture;
    uniforms["shadowMiddle"].value = shadows.middle;
    uniforms["shadowHalf"].value = shadows.halfSize;
  }

  /** Keep the ground around what the camera looks at, and let it fade where lines can no longer be distinguished. */
  follow(x: number, z: number, distance: number): void {
    const { uniforms } = this.mesh.material;
    this.mesh.position.set(x, 0, z);
    (uniforms["centre"].value as Vector2).set(x, z);
    uniforms["fadeFrom"].value = 3 + 1.2 * distance;
    uniforms["fadeTo"].value = Math.min(16 + 6 * distance, SIZE / 2);
    this.marks.fade(x, z, 3 + 1.1 * distance);
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.marks.dispose();
  }
}
