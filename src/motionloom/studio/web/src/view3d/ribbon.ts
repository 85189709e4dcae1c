/** Lines with a thickness in pixels along many points; which point is now only sets a number on the graphics card. */

import { BufferAttribute, BufferGeometry, Color, InterleavedBuffer, InterleavedBufferAttribute, Mesh, ShaderMaterial, Sphere, Vector2 } from "three";

const VERTEX = /* glsl */ `
attribute vec3 before;
attribute vec3 after;
attribute vec2 place; // which side, and which point
uniform vec2 picture; // pixels
uniform float thickness; // pixels
uniform float current;
varying float vSide;
varying float vAge;
varying float vAlong;

vec2 inPicture( vec4 at ) {
  return at.xy / max( at.w, 1e-4 ) * picture * 0.5;
}

void main() {
  mat4 seen = projectionMatrix * modelViewMatrix;
  vec4 here = seen * vec4( position, 1.0 );
  vec2 way = inPicture( seen * vec4( after, 1.0 ) ) - inPicture( seen * vec4( before, 1.0 ) );
  float size = length( way );
  way = size > 1e-3 ? way / size : vec2( 1.0, 0.0 );
  vSide = place.x;
  vAge = current - place.y;
  vAlong = place.y;
  // the future is a thinner line
  float wide = thickness * ( vAge < 0.0 ? 0.7 : 1.0 ) + 1.0;
  here.xy += vec2( -way.y, way.x ) * place.x * wide / picture * here.w;
  gl_Position = here;
}`;

const FRAGMENT = /* glsl */ `
uniform vec3 colour;
uniform float thickness;
uniform float past; // opacity of what is long ago
uniform float future;
uniform float recent; // points over which the past fades
uniform float dash; // points of a dash and its gap; 0 for a full line
varying float vSide;
varying float vAge;
varying float vAlong;
void main() {
  float opacity = vAge < 0.0 ? future : past + ( 1.0 - past ) * exp( - vAge / recent );
  float wide = thickness * ( vAge < 0.0 ? 0.7 : 1.0 ) + 1.0;
  opacity *= clamp( ( 1.0 - abs( vSide ) ) * wide * 0.5 + 0.0, 0.0, 1.0 );
  if ( dash > 0.0 ) opacity *= step( fract( vAlong / dash ), 0.6 );
  if ( opacity < 0.01 ) discard;
  gl_FragColor = vec4( colour, opacity );
  #include <colorspace_fragment>
}`;

export interface RibbonLook {
  thickness: number; // pixels
  past: number; // opacity of what is long ago
  future: number; // opacity of what comes
  recent: number; // points over which the past fades
  dash: number; // points of a dash and its gap; 0 for a full line
}

export class Ribbon {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  private points: Float32Array | null = null;

  constructor(look: RibbonLook, renderOrder: number) {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      uniforms: {
        picture: { value: new Vector2(1, 1) },
        colour: { value: new Color() },
        current: { value: 0 },
        thickness: { value: look.thickness },
        past: { value: look.past },
        future: { value: look.future },
        recent: { value: look.recent },
        dash: { value: look.dash },
      },
    });
    this.mesh = new Mesh(new BufferGeometry(), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = renderOrder;
  }

  /** Lay the line through (N * 3) metres; the same array again costs nothing, one as long makes nothing new. */
  lay(points: Float32Array): void {
    if (points === this.points) return;
    const isAsLong = points.length === this.points?.length;
    this.points = points;
    if (isAsLong) {
      const { data } = this.mesh.geometry.getAttribute("position") as InterleavedBufferAttribute;
      fillPadded(data.array as Float32Array, points);
      data.needsUpdate = true;
      return;
    }
    this.mesh.geometry.dispose();
    this.mesh.geometry = makeGeometry(points);
    this.mesh.visible = points.length >= 6;
  }

  setCurrent(current: number): void {
    this.mesh.material.uniforms["current"].value = current;
  }

  setColour(colour: Color): void {
    (this.mesh.material.uniforms["colour"].value as Color).copy(colour);
  }

  setPicture(width: number, height: number): void {
    (this.mesh.material.uniforms["picture"].value as Vector2).set(width, height);
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

/** Two corners for every point. Each point is stored twice, and its neighbours are the same numbers read elsewhere. */
function makeGeometry(points: Float32Array): BufferGeometry {
  const count = points.length / 3;
  const padded = fillPadded(new Float32Array((count + 2) * 6), points);
  const place = new Float32Array(count * 4);
  const corners = new Uint32Array(Math.max(count - 1, 0) * 6);
  for (let n = 0; n < count; n++) {
    place.set([1, n, -1, n], n * 4);
    if (n + 1 < count) corners.set([2 * n, 2 * n + 1, 2 * n + 3, 2 * n, 2 * n + 3, 2 * n + 2], n * 6);
  }
  const buffer = new InterleavedBuffer(padded, 3);
  const geometry = new BufferGeometry();
  geometry.setAttribute("before", new InterleavedBufferAttribute(buffer, 3, 0));
  geometry.setAttribute("position", new InterleavedBufferAttribute(buffer, 3, 6));
  geometry.setAttribute("after", new InterleavedBufferAttribute(buffer, 3, 12));
  geometry.setAttribute("place", new BufferAttribute(place, 2));
  geometry.setIndex(new BufferAttribute(corners, 1));
  geometry.boundingSphere = new Sphere(); // not asked for: the order of drawing is set, and it is never left out
  return geometry;
}

function fillPadded(padded: Float32Array, points: Float32Array): Float32Array {
  const count = points.length / 3;
  for (let n = 0; n < count + 2; n++) {
    const from = Math.min(Math.max(n - 1, 0), count - 1) * 3;
    for (let c = 0; c < 3; c++) {
      const value = points[from + c];
      // a gap in the points is bridged by staying where it was
      padded[n * 6 + c] = padded[n * 6 + 3 + c] = Number.isFinite(value) ? value : n > 0 ? padded[(n - 1) * 6 + c] : 0;
    }
  }
  return padded;
}
