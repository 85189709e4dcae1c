/** Uneven ground that feet stand on: a surface over a grid of heights. */

import { BufferAttribute, BufferGeometry, DoubleSide, Mesh, type MeshLambertMaterial, type Object3D } from "three";

import type { Terrain } from "../motion/types";
import type { ViewColours } from "./colours";
import { makeMatte } from "./materials";

const LEVEL = 1e-3; // metres from the floor up to which terrain is the floor, which is drawn already

export class TerrainSurface {
  private readonly material: MeshLambertMaterial;
  private readonly mesh: Mesh<BufferGeometry, MeshLambertMaterial>;
  private terrain: Terrain | null = null;

  constructor(
    scene: Object3D,
    private readonly colours: ViewColours,
  ) {
    this.material = makeMatte(colours.terrain.clone());
    this.material.side = DoubleSide;
    this.mesh = new Mesh(new BufferGeometry(), this.material);
    this.mesh.visible = false;
    scene.add(this.mesh);
  }

  /** The same terrain again costs nothing; answers whether another one is to be seen. */
  set(terrain: Terrain | null): boolean {
    if (terrain === this.terrain) return false;
    this.terrain = terrain;
    this.mesh.geometry.dispose();
    this.mesh.geometry = terrain === null ? new BufferGeometry() : makeSurface(terrain);
    this.mesh.visible = terrain !== null;
    return true;
  }

  recolour(): void {
    this.material.color.copy(this.colours.terrain);
  }

  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    this.material.dispose();
  }
}

/** Two triangles for each cell of the grid that is not level with the floor, facing upwards. */
export function makeSurface({ origin, spacing, turn, heights }: Terrain): BufferGeometry {
  const [rows, columns] = [heights.length, heights[0]?.length ?? 0];
  const positions = new Float32Array(3 * rows * columns);
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      const [x, z] = [i * spacing[0], j * spacing[1]];
      // as motionloom.motion.placement.turn_ground turns: a positive heading takes +z towards +x
      positions.set([origin[0] + c * x + s * z, heights[i][j], origin[1] - s * x + c * z], 3 * (i * columns + j));
    }
  }
  const triangles: number[] = [];
  for (let i = 0; i + 1 < rows; i++) {
    for (let j = 0; j + 1 < columns; j++) {
      const corners = [heights[i][j], heights[i + 1][j], heights[i + 1][j + 1], heights[i][j + 1]];
      if (corners.every((height) => Math.abs(height) < LEVEL)) continue;
      const first = i * columns + j;
      triangles.push(first, first + 1, first + columns, first + columns, first + 1, first + columns + 1);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setIndex(triangles);
  geometry.computeVertexNormals();
  return geometry;
}
