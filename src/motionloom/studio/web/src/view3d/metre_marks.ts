/** Small numbers on the ground along both axes: how many metres it is to the origin. */

import {
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  type Color,
  Mesh,
  type Object3D,
  ShaderMaterial,
  Vector2,
  Vector3,
} from "three";

import { HEIGHTS, LAYERS } from "./layers";

export const FARTHEST = 60; // metres that are numbered on each side
const TALL = 0.11; // metres
const GLYPHS = "0123456789−";
const CELL = 64; // pixels of a glyph in the picture of all glyphs
const NARROW = 0.58; // how wide a glyph is, as a part of its height

const VERTEX = /* glsl */ `
attribute float metres;
uniform vec2 centre;
uniform float reach;
varying vec2 vPicture;
varying float vFade;
void main() {
  vPicture = uv;
  // every fifth number is read from farther away
  float often = mod( metres + 0.5, 5.0 ) < 1.0 ? 2.2 : 1.0;
  vFade = 1.0 - smoothstep( 0.55 * reach * often, reach * often, distance( position.xz, centre ) );
  gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`;

const FRAGMENT = /* glsl */ `
uniform sampler2D glyphs;
uniform vec3 colour;
varying vec2 vPicture;
varying float vFade;
void main() {
  float ink = texture2D( glyphs, vPicture ).r * vFade;
  if ( ink < 0.01 ) discard;
  gl_FragColor = vec4( colour, ink );
  #include <colorspace_fragment>
}`;

export class MetreMarks {
  private readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly picture: CanvasTexture;

  constructor(scene: Object3D) {
    this.picture = drawGlyphs();
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      uniforms: {
        glyphs: { value: this.picture },
        colour: { value: new Vector3() },
        centre: { value: new Vector2() },
        reach: { value: 8 },
      },
    });
    this.mesh = new Mesh(makeGeometry(), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = LAYERS.marks;
    scene.add(this.mesh);
  }

  recolour(colour: Color): void {
    (this.mesh.material.uniforms["colour"].value as Vector3).set(colour.r, colour.g, colour.b);
  }

  setShown(shown: boolean): void {
    this.mesh.visible = shown;
  }

  fade(x: number, z: number, reach: number): void {
    (this.mesh.material.uniforms["centre"].value as Vector2).set(x, z);
    this.mesh.material.uniforms["reach"].value = reach;
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.picture.dispose();
  }
}

function drawGlyphs(): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = CELL * GLYPHS.length;
  canvas.height = CELL;
  const pen = canvas.getContext("2d");
  if (pen) {
    pen.fillStyle = "black";
    pen.fillRect(0, 0, canvas.width, CELL);
    pen.fillStyle = "white";
    pen.font = `500 ${Math.round(CELL * 0.8)}px system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    [...GLYPHS].forEach((glyph, n) => pen.fillText(glyph, (n + 0.5) * CELL, CELL * 0.54));
  }
  const texture = new CanvasTexture(canvas);
  texture.anisotropy = 4; // they are mostly seen at a slant
  return texture;
}

/** Numbers beside the z axis and below the x axis, as one mesh. */
function makeGeometry(): BufferGeometry {
  const places: number[] = [];
  const pictures: number[] = [];
  const metres: number[] = [];
  const corners: number[] = [];
  const add = (n: number, x: number, z: number): void => {
    const glyphs = [...String(n).replace("-", "−")];
    const left = x;
    glyphs.forEach((glyph, k) => {
      const first = metres.length;
      const from = left + k * TALL * NARROW;
      const cell = GLYPHS.indexOf(glyph);
      const cut = (1 - NARROW) / 2; // glyphs are narrower than their cells
      for (const [u, v] of [[0, 0], [1, 0], [1, 1], [0, 1]]) {
        places.push(from + u * TALL * NARROW, HEIGHTS.marks, z - v * TALL);
        pictures.push((cell + cut + u * NARROW) / GLYPHS.length, v);
        metres.push(Math.abs(n));
      }
      corners.push(first, first + 1, first + 2, first, first + 2, first + 3);
    });
  };
  for (let n = -FARTHEST; n <= FARTHEST; n++) {
    add(n, 0.05, n - 0.05 + (n === 0 ? 0.18 : 0)); // along z, just beside the line
    if (n !== 0) add(n, n + 0.05, 0.05 + TALL); // along x, just below it
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
  geometry.setAttribute("uv", new BufferAttribute(new Float32Array(pictures), 2));
  geometry.setAttribute("metres", new BufferAttribute(new Float32Array(metres), 1));
  geometry.setIndex(corners);
  return geometry;
}
