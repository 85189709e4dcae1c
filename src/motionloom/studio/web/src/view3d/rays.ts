/** From the pointer into the world: rays, where they meet the ground and planes, and headings on the ground. */

import type { PerspectiveCamera, Ray, Vector3 } from "three";

const GRAZING = 1e-4; // a ray this nearly parallel to a plane meets it nowhere useful
const FARTHEST = 500; // metres

/** The ray under a place in the picture, in pixels from its upper left corner. */
export function aimRay(camera: PerspectiveCamera, x: number, y: number, width: number, height: number, ray: Ray): Ray {
  ray.origin.setFromMatrixPosition(camera.matrixWorld);
  ray.direction.set((x / width) * 2 - 1, 1 - (y / height) * 2, 0.5).unproject(camera);
  ray.direction.sub(ray.origin).normalize();
  return ray;
}

/** Where a ray meets the ground; false where it looks at the sky. */
export function meetGround(ray: Ray, result: Vector3): boolean {
  if (ray.direction.y > -GRAZING) return false;
  const along = -ray.origin.y / ray.direction.y;
  if (along < 0 || along > FARTHEST) return false;
  result.copy(ray.direction).multiplyScalar(along).add(ray.origin);
  result.y = 0;
  return true;
}

/** Where a ray meets the plane through a point; false where it never does. */
export function meetPlane(ray: Ray, point: Vector3, normal: Vector3, result: Vector3): boolean {
  const steep = ray.direction.dot(normal);
  if (Math.abs(steep) < GRAZING) return false;
  const along = (point.dot(normal) - ray.origin.dot(normal)) / steep;
  if (along < 0 || along > FARTHEST) return false;
  result.copy(ray.direction).multiplyScalar(along).add(ray.origin);
  return true;
}

/** The height at which the upright line through (x, z) comes nearest to a ray; null where both are parallel. */
export function heightNearRay(ray: Ray, x: number, z: number): number | null {
  const { origin, direction } = ray;
  const flat = direction.x * direction.x + direction.z * direction.z;
  if (flat < GRAZING * GRAZING) return null;
  const along = ((x - origin.x) * direction.x + (z - origin.z) * direction.z) / flat;
  return along < 0 ? null : origin.y + along * direction.y;
}

/** The heading of a direction on the ground: 0 looks along +z, positive turns left, towards +x. */
export function headingOf(dx: number, dz: number): number {
  return Math.atan2(dx, dz);
}

/** The point that lies `distance` metres ahead of (x, z) in a heading. */
export function ahead(x: number, z: number, heading: number, distance: number): [number, number] {
  return [x + Math.sin(heading) * distance, z + Math.cos(heading) * distance];
}
