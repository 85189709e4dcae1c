/** What bodies are made of: matte, softly lit, with a faint bright rim so that they stand out from the ground. */

import { type Color, MeshBasicMaterial, MeshLambertMaterial, ShaderChunk, type Material } from "three";

const RIM = 0.16; // how much the outline is lifted
const WRAP = 0.35; // how far light reaches around the body: skin and cloth have no hard edge of light

/** A matte body. */
export function makeMatte(colour: Color): MeshLambertMaterial {
  const material = new MeshLambertMaterial({ color: colour });
  material.onBeforeCompile = soften;
  material.customProgramCacheKey = () => "motionloom-matte";
  return material;
}

/** Writes depth alone: drawn before a translucent body so that its own far side does not show through. */
export function makeDepthOnly(): Material {
  return new MeshBasicMaterial({ colorWrite: false, transparent: true });
}

function soften(shader: { fragmentShader: string }): void {
  const wrapped = ShaderChunk.lights_lambert_pars_fragment.replace(
    "saturate( dot( geometryNormal, directLight.direction ) )",
    `softened( dot( geometryNormal, directLight.direction ) )`,
  );
  shader.fragmentShader = shader.fragmentShader
    .replace(
      "#include <lights_lambert_pars_fragment>",
      `float softened( float facing ) {
  float lit = saturate( ( facing + ${WRAP.toFixed(2)} ) / ${(1 + WRAP).toFixed(2)} );
  return lit * lit;
}
${wrapped}`,
    )
    .replace(
      "#include <opaque_fragment>",
      `float rim = 1.0 - saturate( dot( normalize( vViewPosition ), normal ) );
outgoingLight += diffuseColor.rgb * ( ${RIM.toFixed(2)} * rim * rim * rim );
#include <opaque_fragment>`,
    );
}
