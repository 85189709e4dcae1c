/** Geometry of bodies and stick figures, shared by every character and ghost that wears it and freed with the last. */

import { BufferAttribute, BufferGeometry } from "three";

import type { BodyData, SkeletonData } from "../motion/types";
import { orderTriangles } from "./mesh_order";
import { makeStick } from "./stick";
import type { CharacterStyle } from "./types";

export interface Skin {
  key: string;
  body: BodyData;
  geometry: BufferGeometry;
}

interface Kept extends Skin {
  wearers: number;
}

export class Skins {
  private readonly kept = new Map<string, Kept>();

  /** Take a skin; every take needs one `release`. Without a body it is a stick figure. */
  take(skeleton: SkeletonData, body: BodyData | null, style: CharacterStyle): Skin {
    const key = skinKey(skeleton, body, style);
    let skin = this.kept.get(key);
    if (skin === undefined) {
      const data = style === "body" && body !== null ? body : makeStick(skeleton);
      skin = { key, body: data, geometry: makeGeometry(data), wearers: 0 };
      this.kept.set(key, skin);
    }
    skin.wearers++;
    return skin;
  }

  release(skin: Skin): void {
    const kept = this.kept.get(skin.key);
    if (kept === undefined || --kept.wearers > 0) return;
    kept.geometry.dispose();
    this.kept.delete(skin.key);
  }

  get count(): number {
    return this.kept.size;
  }
}

export function skinKey(skeleton: SkeletonData, body: BodyData | null, style: CharacterStyle): string {
  return `${skeleton.digest}:${style === "body" && body !== null ? "body" : "stick"}`;
}

function makeGeometry(body: BodyData): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(body.vertices, 3));
  geometry.setAttribute("normal", new BufferAttribute(body.normals, 3));
  geometry.setAttribute("skinIndex", new BufferAttribute(body.joints, 4));
  geometry.setAttribute("skinWeight", new BufferAttribute(body.weights, 4));
  const vertices = body.vertices.length / 3;
  const triangles = orderTriangles(body.triangles, vertices);
  geometry.setIndex(new BufferAttribute(vertices < 65536 ? new Uint16Array(triangles) : triangles, 1));
  return geometry;
}
