/** Cameras of pictures: where a point of the world is seen, and how a camera is drawn in the view. */

import type * as T from "../../api/types";
import type { Trail } from "../../view3d/types";

type Place = [number, number, number];

const REACH = { body: 0.6, points: 0.06 }; // metres that the drawn pyramid is long

const minus = (a: readonly number[], b: readonly number[]): Place => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a: Place, b: Place): Place => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a: readonly number[], b: readonly number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const unit = (a: Place): Place => {
  const length = Math.hypot(...a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
};

interface Axes {
  right: Place;
  down: Place;
  forward: Place;
  focal: number; // pixels
}

/** As the method has them: upright, unless it looks straight up or down. */
function axesOf({ position, look_at, field_of_view, size }: T.Camera): Axes {
  const forward = unit(minus(look_at, position));
  const up: Place = Math.abs(forward[1]) < 0.999 ? [0, 1, 0] : [0, 0, 1];
  const right = unit(cross(forward, up));
  const down = minus([0, 0, 0], cross(right, forward));
  return { right, down, forward, focal: (0.5 * size[1]) / Math.tan((field_of_view * Math.PI) / 360) };
}

/** Where a point is in the picture, pixels from its upper left corner; null behind the camera. */
export function seen(camera: T.Camera, point: readonly number[]): [number, number] | null {
  const { right, down, forward, focal } = axesOf(camera);
  const away = minus(point, camera.position);
  const depth = dot(away, forward);
  if (depth <= 0.01) return null;
  return [camera.size[0] / 2 + (focal * dot(away, right)) / depth, camera.size[1] / 2 + (focal * dot(away, down)) / depth];
}

/** The corners of a picture in the world, at some distance before its camera. */
function corners(camera: T.Camera, reach: number): Place[] {
  const { right, down, forward, focal } = axesOf(camera);
  const [width, height] = camera.size;
  const signs = [[-1, -1], [1, -1], [1, 1], [-1, 1]]; // prettier-ignore
  return signs.map(([x, y]) => {
    const [u, v] = [(x * width) / 2 / focal, (y * height) / 2 / focal];
    return [0, 1, 2].map((axis) => camera.position[axis] + reach * (forward[axis] + u * right[axis] + v * down[axis])) as Place;
  });
}

/** Cameras as wire pyramids. */
export function cameraTrails({ cameras }: T.DirectRequest, kind: T.Director["kind"]): Trail[] {
  return Object.entries(cameras).map(([name, camera]) => {
    const ends = corners(camera, REACH[kind]);
    const eye = camera.position;
    const line = [eye, ends[0], ends[1], eye, ends[2], ends[1], ends[2], ends[3], eye, ends[3], ends[0]];
    return { id: `camera ${name}`, joint: "", points: new Float32Array(line.flat()), current: 1e6, colour: "var(--text-dim)" };
  });
}
