/** Which joint is meant: the one nearest to the pointer in the picture, of all characters. */

import { type Matrix4, type PerspectiveCamera, type Vector3 } from "three";

/** Pixels across and down, and how far in front of the camera, metres (negative behind it). */
export interface Spot {
  x: number;
  y: number;
  depth: number;
}

/** Where a point of the world is in the picture. matrix: projection times view. */
export function findSpot(matrix: Matrix4, px: number, py: number, pz: number, width: number, height: number, spot: Spot): Spot {
  const m = matrix.elements;
  const w = m[3] * px + m[7] * py + m[11] * pz + m[15];
  const x = m[0] * px + m[4] * py + m[8] * pz + m[12];
  const y = m[1] * px + m[5] * py + m[9] * pz + m[13];
  spot.x = (x / w / 2 + 0.5) * width;
  spot.y = (0.5 - y / w / 2) * height;
  spot.depth = w;
  return spot;
}

/** The pointer, the picture and the best joint so far; one object is used for all picks. */
export class JointPicker {
  character: string | null = null;
  joint = -1;
  private away = Infinity;
  private depth = Infinity;
  private x = 0;
  private y = 0;
  private width = 1;
  private height = 1;
  private matrix: Matrix4 | null = null;
  private readonly spot: Spot = { x: 0, y: 0, depth: 0 };

  /** Begin at a place in the picture; only joints within some pixels count. */
  begin(matrix: Matrix4, x: number, y: number, width: number, height: number, within: number): void {
    this.matrix = matrix;
    this.x = x;
    this.y = y;
    this.width = width;
    this.height = height;
    this.away = within;
    this.depth = Infinity;
    this.character = null;
    this.joint = -1;
  }

  /** Look at a character's (J * 3) joints, metres around its root. */
  consider(character: string, joints: Float32Array, root: Vector3): void {
    if (this.matrix === null) return;
    for (let joint = 0; joint * 3 < joints.length; joint++) {
      const x = root.x + joints[joint * 3];
      const y = root.y + joints[joint * 3 + 1];
      const z = root.z + joints[joint * 3 + 2];
      const spot = findSpot(this.matrix, x, y, z, this.width, this.height, this.spot);
      if (spot.depth <= 0) continue;
      const away = Math.hypot(spot.x - this.x, spot.y - this.y);
      // of two that lie over each other in the picture the nearer one is meant
      if (away < this.away - 1 || (away < this.away + 1 && spot.depth < this.depth)) {
        this.away = Math.min(away, this.away);
        this.depth = spot.depth;
        this.character = character;
        this.joint = joint;
      }
    }
  }
}

/** Projection times view of a camera. */
export function fillViewMatrix(camera: PerspectiveCamera, matrix: Matrix4): Matrix4 {
  return matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
}
