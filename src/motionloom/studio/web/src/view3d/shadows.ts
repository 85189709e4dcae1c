/**
 * Soft shadows on the ground: sharp and dark where a body touches it, wide and pale where it is far above.
 *
 * Bodies are flattened along the light onto a small picture of the ground, in four layers by height above the ground,
 * and each layer is blurred over its own width. The ground then reads one pixel of it: far cheaper than a shadow map that
 * every pixel of the ground samples many times, which matters where there is no graphics card.
 */

import {
  Color,
  CustomBlending,
  DoubleSide,
  LinearFilter,
  MaxEquation,
  Mesh,
  OneFactor,
  OrthographicCamera,
  PlaneGeometry,
  Scene,
  ShaderMaterial,
  Vector2,
  Vector3,
  Vector4,
  WebGLRenderTarget,
  type WebGLRenderer,
} from "three";

export const CASTERS = 1; // the layer of everything that throws a shadow
export const SHADOW_FROM = 0.5; // opacity: what is fainter throws none

const FINEST = 0.016; // metres of a pixel, where characters are near each other
const SMALLEST = 192; // pixels along a side
const LARGEST = 640;
const TAPS = 4; // on each side of the blur
const STRIDE = 1.5; // pixels between two of them, where the graphics card mixes
const WIDTHS = [0.012, 0.024, 0.042, 0.062]; // metres that each layer is blurred over

const FLATTEN_VERTEX = /* glsl */ `
#include <common>
#include <skinning_pars_vertex>
uniform vec3 light;
uniform vec2 middle;
uniform float halfSize;
varying float vHeight;
void main() {
  #include <skinbase_vertex>
  #include <begin_vertex>
  #include <skinning_vertex>
  vec4 at = vec4( transformed, 1.0 );
  #ifdef USE_INSTANCING
  at = instanceMatrix * at;
  #endif
  at = modelMatrix * at;
  vHeight = max( at.y, 0.0 );
  gl_Position = vec4( ( at.xz - light.xz * ( vHeight / light.y ) - middle ) / halfSize, 0.0, 1.0 );
}`;

const FLATTEN_FRAGMENT = /* glsl */ `
varying float vHeight;
void main() {
  // each layer takes over smoothly from the one below
  gl_FragColor = vec4(
    1.0 - smoothstep( 0.03, 0.14, vHeight ),
    1.0 - smoothstep( 0.2, 0.5, vHeight ),
    1.0 - smoothstep( 0.6, 1.0, vHeight ),
    1.0
  );
}`;

const BLUR_VERTEX = /* glsl */ `
varying vec2 vAt;
void main() {
  vAt = position.xy * 0.5 + 0.5;
  gl_Position = vec4( position.xy, 0.0, 1.0 );
}`;

const BLUR_FRAGMENT = /* glsl */ `
uniform sampler2D picture;
uniform vec2 stride; // between samples, in parts of the picture
uniform vec4 weights[ ${TAPS + 1} ];
varying vec2 vAt;
void main() {
  vec4 sum = weights[ 0 ] * texture2D( picture, vAt );
  for ( int k = 1; k <= ${TAPS}; k ++ ) {
    vec2 away = float( k ) * stride;
    sum += weights[ k ] * ( texture2D( picture, vAt + away ) + texture2D( picture, vAt - away ) );
  }
  gl_FragColor = sum;
}`;

/** How much each sample of the blur counts, for each layer: bells of their own widths, sampled every `step` metres. */
export function fillBlurWeights(step: number, weights: Vector4[]): void {
  WIDTHS.forEach((width, layer) => {
    const bell = weights.map((_, k) => Math.exp(-0.5 * ((k * step) / width) ** 2));
    const sum = 2 * bell.reduce((total, value) => total + value, 0) - bell[0];
    weights.forEach((weight, k) => weight.setComponent(layer, bell[k] / sum));
  });
}

export class Shadows {
  readonly middle = new Vector2(); // of the shadowed square on the ground, metres
  halfSize = 2;
  private readonly flat: WebGLRenderTarget;
  private readonly soft: WebGLRenderTarget;
  private readonly flatten: ShaderMaterial;
  private readonly blur: ShaderMaterial;
  private readonly sheet: Mesh<PlaneGeometry, ShaderMaterial>;
  private readonly blurring = new Scene();
  private readonly eye = new OrthographicCamera(-1e4, 1e4, 1e4, -1e4, -1e4, 1e4); // sees all; the shaders place things
  private readonly clear = new Color();
  private readonly weights = Array.from({ length: TAPS + 1 }, () => new Vector4());
  private step = 0; // metres between two samples of the blur

  constructor(private readonly light: Vector3) {
    const look = { depthBuffer: false, minFilter: LinearFilter, magFilter: LinearFilter, generateMipmaps: false };
    this.flat = new WebGLRenderTarget(SMALLEST, SMALLEST, look);
    this.soft = new WebGLRenderTarget(SMALLEST, SMALLEST, look);
    this.flatten = new ShaderMaterial({
      vertexShader: FLATTEN_VERTEX,
      fragmentShader: FLATTEN_FRAGMENT,
      uniforms: { light: { value: light }, middle: { value: this.middle }, halfSize: { value: 2 } },
      side: DoubleSide,
      depthTest: false,
      depthWrite: false,
      blending: CustomBlending,
      blendEquation: MaxEquation, // of parts over each other the darkest counts
      blendSrc: OneFactor,
      blendDst: OneFactor,
    });
    this.blur = new ShaderMaterial({
      vertexShader: BLUR_VERTEX,
      fragmentShader: BLUR_FRAGMENT,
      uniforms: { picture: { value: null }, stride: { value: new Vector2() }, weights: { value: this.weights } },
      depthTest: false,
      depthWrite: false,
    });
    this.sheet = new Mesh(new PlaneGeometry(2, 2), this.blur);
    this.sheet.frustumCulled = false;
    this.blurring.add(this.sheet);
    this.eye.layers.set(CASTERS);
  }

  /** Four layers of darkness, from those that touch the ground to those far above it. */
  get texture() {
    return this.flat.texture;
  }

  /** Cover these places on the ground and the shadows of the characters there. */
  cover(places: Vector3[], margin: number, farthest: number): void {
    let [lowX, highX, lowZ, highZ] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const { x, z } of places) {
      lowX = Math.min(lowX, x);
      highX = Math.max(highX, x);
      lowZ = Math.min(lowZ, z);
      highZ = Math.max(highZ, z);
    }
    if (places.length === 0) lowX = highX = lowZ = highZ = 0;
    // shadows of what stands reach away from the light
    const [leanX, leanZ] = [this.light.x / this.light.y, this.light.z / this.light.y];
    const half = Math.max(highX - lowX, highZ - lowZ) / 2 + margin;
    this.halfSize = Math.min(farthest, Math.ceil(half * 2) / 2); // in steps, so that it rests
    const pixel = (2 * this.halfSize) / this.pixels();
    // moved by whole pixels only, or edges would crawl while a character walks
    this.middle.set(
      Math.round(((lowX + highX) / 2 - 0.8 * leanX) / pixel) * pixel,
      Math.round(((lowZ + highZ) / 2 - 0.8 * leanZ) / pixel) * pixel,
    );
  }

  /** Draw the shadows of everything in the layer of casters. */
  draw(renderer: WebGLRenderer, scene: Scene): void {
    const pixels = this.pixels();
    const step = (STRIDE * 2 * this.halfSize) / pixels;
    if (step !== this.step) {
      this.step = step;
      this.flat.setSize(pixels, pixels);
      this.soft.setSize(pixels, pixels);
      fillBlurWeights(step, this.weights);
    }
    this.flatten.uniforms["halfSize"].value = this.halfSize;
    renderer.getClearColor(this.clear);
    const alpha = renderer.getClearAlpha();
    renderer.setClearColor(0, 0);
    scene.overrideMaterial = this.flatten;
    renderer.setRenderTarget(this.flat);
    renderer.render(scene, this.eye);
    scene.overrideMaterial = null;
    this.smear(renderer, this.flat, this.soft, STRIDE / pixels, 0);
    this.smear(renderer, this.soft, this.flat, 0, STRIDE / pixels);
    renderer.setRenderTarget(null);
    renderer.setClearColor(this.clear, alpha);
  }

  dispose(): void {
    this.flat.dispose();
    this.soft.dispose();
    this.flatten.dispose();
    this.blur.dispose();
    this.sheet.geometry.dispose();
  }

  private pixels(): number {
    const wanted = (2 * this.halfSize) / FINEST;
    return Math.min(LARGEST, Math.max(SMALLEST, Math.ceil(wanted / 64) * 64));
  }

  private smear(renderer: WebGLRenderer, from: WebGLRenderTarget, to: WebGLRenderTarget, dx: number, dy: number): void {
    this.blur.uniforms["picture"].value = from.texture;
    (this.blur.uniforms["stride"].value as Vector2).set(dx, dy);
    renderer.setRenderTarget(to);
    this.eye.layers.set(0);
    renderer.render(this.blurring, this.eye);
    this.eye.layers.set(CASTERS);
  }
}
