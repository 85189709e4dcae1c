/** The stick figure of a skeleton: tapered, rounded bones, each fixed to one joint, in the form of a body's skin. */

import type { BodyData, SkeletonData } from "../motion/types";

const BONE = { around: 10, rings: 3 }; // corners around, rings of each rounded end
const HEAD = { around: 20, rings: 7 };
const THICKEST = 0.024; // metres, half the thickness of the largest bones of a person
const THINNEST = 0.008;

interface Skin {
  vertices: number[];
  normals: number[];
  triangles: number[];
  joints: number[];
}

/** Make a skin of bones: every bone runs from its joint to a child or to an end, and moves with the joint alone. */
export function makeStick(skeleton: SkeletonData): BodyData {
  const joints = skeleton.names.length;
  const rest = restPositions(skeleton);
  const skin: Skin = { vertices: [], normals: [], triangles: [], joints: [] };
  for (const [from, to, joint] of bonesOf(skeleton, rest)) {
    const length = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    if (length < 1e-4) continue;
    const thick = Math.min(THICKEST, Math.max(THINNEST, 0.07 * length + 0.007));
    addBone(skin, from, to, thick, 0.66 * thick, joint, BONE);
  }
  const head = skeleton.roles["head"];
  if (head !== undefined) addHead(skin, skeleton, rest, head);
  const count = skin.joints.length;
  const skinJoints = new Uint16Array(count * 4);
  const weights = new Float32Array(count * 4);
  skin.joints.forEach((joint, v) => {
    skinJoints[v * 4] = joint;
    weights[v * 4] = 1;
  });
  const bindRotations = new Float32Array(joints * 4);
  for (let joint = 0; joint < joints; joint++) bindRotations[joint * 4] = 1;
  return {
    digest: skeleton.digest,
    vertices: new Float32Array(skin.vertices),
    normals: new Float32Array(skin.normals),
    triangles: new Uint32Array(skin.triangles),
    joints: skinJoints,
    weights,
    bindPositions: rest,
    bindRotations,
  };
}

type Point = [number, number, number];

function restPositions(skeleton: SkeletonData): Float32Array {
  const rest = new Float32Array(skeleton.names.length * 3);
  skeleton.parents.forEach((parent, joint) => {
    if (parent >= 0) for (let c = 0; c < 3; c++) rest[joint * 3 + c] = rest[parent * 3 + c] + skeleton.offsets[joint * 3 + c];
  });
  return rest;
}

function bonesOf(skeleton: SkeletonData, rest: Float32Array): [Point, Point, number][] {
  const at = (joint: number): Point => [rest[joint * 3], rest[joint * 3 + 1], rest[joint * 3 + 2]];
  const bones: [Point, Point, number][] = [];
  skeleton.parents.forEach((parent, joint) => {
    if (parent >= 0) bones.push([at(parent), at(joint), parent]);
  });
  for (const end of skeleton.ends) {
    if (end.parent === skeleton.roles["head"]) continue; // a ball stands for the head
    const from = at(end.parent);
    bones.push([from, [from[0] + end.offset[0], from[1] + end.offset[1], from[2] + end.offset[2]], end.parent]);
  }
  return bones;
}

/** A tapered capsule: rings of a half ball at the start, along the side, and of a half ball at the end. */
function addBone(skin: Skin, from: Point, to: Point, startRadius: number, stopRadius: number, joint: number, { around, rings: capRings }: typeof BONE): void {
  const along: Point = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  const length = Math.hypot(...along);
  const axis: Point = [along[0] / length, along[1] / length, along[2] / length];
  const aside = perpendicular(axis);
  const other = cross(axis, aside);
  const first = skin.vertices.length / 3;
  let rings = 0;
  const addRing = (centre: Point, radius: number, angle: number): void => {
    const out = Math.cos(angle);
    const up = Math.sin(angle);
    for (let k = 0; k < around; k++) {
      const turn = (2 * Math.PI * k) / around;
      for (let c = 0; c < 3; c++) {
        const normal = out * (Math.cos(turn) * aside[c] + Math.sin(turn) * other[c]) + up * axis[c];
        skin.vertices.push(centre[c] + radius * normal);
        skin.normals.push(normal);
      }
      skin.joints.push(joint);
    }
    rings++;
  };
  for (let r = 0; r <= capRings; r++) addRing(from, startRadius, ((r / capRings - 1) * Math.PI) / 2);
  for (let r = 0; r <= capRings; r++) addRing(to, stopRadius, ((r / capRings) * Math.PI) / 2);
  addSides(skin, first, rings, around);
}

function addHead(skin: Skin, skeleton: SkeletonData, rest: Float32Array, head: number): void {
  const end = skeleton.ends.find((candidate) => candidate.parent === head);
  const [x, y, z] = end ? end.offset : [0, 0.18, 0];
  const size = Math.max(Math.hypot(x, y, z), 0.05);
  const middle: Point = [rest[head * 3] + 0.55 * x, rest[head * 3 + 1] + 0.55 * y, rest[head * 3 + 2] + 0.55 * z];
  const tilt: Point = [(0.16 * x) / size, (0.16 * y) / size, (0.16 * z) / size];
  const from: Point = [middle[0] - tilt[0] * size, middle[1] - tilt[1] * size, middle[2] - tilt[2] * size];
  const to: Point = [middle[0] + tilt[0] * size, middle[1] + tilt[1] * size, middle[2] + tilt[2] * size];
  addBone(skin, from, to, 0.37 * size, 0.43 * size, head, HEAD);
}

function addSides(skin: Skin, first: number, rings: number, around: number): void {
  for (let ring = 0; ring + 1 < rings; ring++) {
    for (let k = 0; k < around; k++) {
      const a = first + ring * around + k;
      const b = first + ring * around + ((k + 1) % around);
      skin.triangles.push(a, b, b + around, a, b + around, a + around);
    }
  }
}

function perpendicular(axis: Point): Point {
  const helper: Point = Math.abs(axis[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0];
  const aside = cross(helper, axis);
  const length = Math.hypot(...aside);
  return [aside[0] / length, aside[1] / length, aside[2] / length];
}

function cross(a: Point, b: Point): Point {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
