/** Small pictures of poses, all from the same side and in the same size, with nothing behind them. */

import { Color, DirectionalLight, Euler, HemisphereLight, OrthographicCamera, Scene, Vector3, WebGLRenderer } from "three";

import type { BodyData, Pose, SkeletonData } from "../motion/types";
import { Figure } from "./figure";
import { makeDepthOnly, makeMatte } from "./materials";
import { Skins } from "./skins";

const MARGIN = 0.17; // metres of skin and air around the joints
const SIDE = 0.65; // radians that poses are seen from the side
const ABOVE = 0.14; // radians that they are seen from above
const UP = new Vector3(0, 1, 0);

/** Draw poses that look along +z at the origin; the pictures can be drawn on canvases. */
export async function makePortraits(
  skeleton: SkeletonData,
  body: BodyData | null,
  poses: readonly Pose[],
  look: { colour: string; width: number; height: number },
): Promise<ImageBitmap[]> {
  const { width, height, colour } = look;
  const renderer = new WebGLRenderer({ canvas: new OffscreenCanvas(width, height), antialias: true, alpha: true });
  renderer.setSize(width, height, false);
  const scene = new Scene();
  const key = new DirectionalLight(0xffffff, 2.7);
  key.position.set(-0.5, 1.2, 1);
  scene.add(key, new HemisphereLight(0xffffff, 0x8a8f99, 1.7));
  const skins = new Skins();
  const skin = skins.take(skeleton, body, body === null ? "stick" : "body");
  const [depth, matte] = [makeDepthOnly(), makeMatte(new Color(colour))];
  const figure = new Figure(skeleton, skin, [depth, matte]);
  scene.add(figure.group);
  const camera = new OrthographicCamera();
  frame(camera, figure, poses, width / height);
  const pictures: ImageBitmap[] = [];
  try {
    for (const pose of poses) {
      figure.pose(pose, 0);
      figure.refresh();
      renderer.render(scene, camera);
      pictures.push(await createImageBitmap(renderer.domElement));
    }
  } finally {
    figure.dispose();
    skins.release(skin);
    depth.dispose();
    matte.dispose();
    renderer.dispose();
    renderer.forceContextLoss();
  }
  return pictures;
}

/** Look at all poses from the same place, so that the largest just fits. */
function frame(camera: OrthographicCamera, figure: Figure, poses: readonly Pose[], aspect: number): void {
  const [low, high] = [new Vector3(Infinity, Infinity, Infinity), new Vector3(-Infinity, -Infinity, -Infinity)];
  const point = new Vector3();
  const turn = new Euler(ABOVE, -SIDE, 0);
  for (const pose of poses) {
    figure.pose(pose, 0);
    figure.refresh();
    for (let n = 0; n < figure.positions.length; n += 3) {
      point.fromArray(figure.positions, n).add(figure.group.position).applyEuler(turn);
      low.min(point);
      high.max(point);
    }
  }
  const half = Math.max((high.y - low.y) / 2 + MARGIN, (Math.max(-low.x, high.x) + MARGIN) / aspect);
  const middle = Math.max((low.y + high.y) / 2, low.y - MARGIN / 2 + half); // all stand at the lower edge
  Object.assign(camera, { left: -half * aspect, right: half * aspect, top: half, bottom: -half, near: 0.1, far: 20 });
  camera.updateProjectionMatrix();
  const up = new Vector3(0, Math.cos(ABOVE), -Math.sin(ABOVE)).applyAxisAngle(UP, SIDE);
  const from = new Vector3(0, Math.sin(ABOVE), Math.cos(ABOVE)).applyAxisAngle(UP, SIDE);
  const at = up.multiplyScalar(middle);
  camera.position.copy(at).addScaledVector(from, 6);
  camera.lookAt(at);
  camera.updateMatrixWorld();
}
