/** Pictures with points on them: each has a camera, which stands in the view. */

import type * as T from "../../api/types";
import { editDirect, editDirectChange } from "../../commands/edit_direct";
import { stage } from "../../stage.svelte";
import { notify, studio } from "../../state.svelte";
import { idOf, newEntry, words } from "./demands";
import { directState } from "./direct.svelte";
import { atFrame, isMoment, spanOf } from "./times";

export interface Picture {
  address: string; // of the image, in this page
  width: number; // pixels
  height: number;
}

const asked = (): T.DirectRequest => studio.document.direct.request;
const rounded = <Numbers extends number[]>(numbers: Numbers): Numbers => numbers.map((number) => Number(number.toFixed(4))) as Numbers;

/** The camera of the view, for a picture of some size. */
function cameraOfView(size: [number, number]): T.Camera | null {
  const lens = stage.view?.lens();
  if (lens === undefined) return null;
  return { position: rounded(lens.position), look_at: rounded(lens.look_at), field_of_view: Number(lens.field_of_view.toFixed(2)), size };
}

/** Load a picture, for a camera that there is or for a new one that stands where the view is seen from. */
export async function loadPicture(file: File | undefined, name: string | null = null): Promise<void> {
  if (file === undefined) return;
  try {
    const bitmap = await createImageBitmap(file);
    const picture = { address: URL.createObjectURL(file), width: bitmap.width, height: bitmap.height };
    bitmap.close();
    const size: [number, number] = [picture.width, picture.height];
    const { cameras } = asked();
    const called = name ?? freeName(Object.keys(cameras));
    const known = cameras[called];
    const camera = known === undefined ? cameraOfView(size) : { ...known, size };
    if (camera === null) return;
    directState.pictures = { ...directState.pictures, [called]: picture };
    directState.picture = called;
    await editDirect({ changes: { cameras: { ...cameras, [called]: camera } }, what: known === undefined ? `Add ${called}` : `Load the picture of ${called}` });
  } catch {
    notify("error", `${file.name} is no picture that this browser can show; try a PNG or a JPEG`);
  }
}

function freeName(names: string[]): string {
  for (let number = 1; ; number++) if (!names.includes(`picture ${number}`)) return `picture ${number}`;
}

export function setCamera(name: string, changes: Partial<T.Camera>): void {
  const { cameras } = asked();
  void editDirect({ changes: { cameras: { ...cameras, [name]: { ...cameras[name], ...changes } } }, what: `Move the camera of ${name}` });
}

/** Let the camera stand where the view is seen from. */
export function standHere(name: string): void {
  const camera = cameraOfView(asked().cameras[name].size);
  if (camera !== null) setCamera(name, camera);
}

/** See the motion as the picture does. */
export const lookThrough = (name: string): void => stage.view?.lookThrough(asked().cameras[name]);

/** Take a picture away, with the points on it. */
export function dropPicture(name: string): void {
  const { cameras, projections } = asked();
  const { [name]: _, ...others } = cameras;
  const picture = directState.pictures[name];
  if (picture !== undefined) URL.revokeObjectURL(picture.address);
  directState.pictures = Object.fromEntries(Object.entries(directState.pictures).filter(([known]) => known !== name));
  if (directState.picture === name) directState.picture = Object.keys(others)[0] ?? null;
  directState.selected = null;
  void editDirect({ changes: { cameras: others, projections: projections.filter((each) => each.camera !== name) }, what: `Remove ${name}` });
}

/** The point of a joint on a picture in a frame; -1 where there is none. */
export function pointOf(name: string, joint: string, frame: number): number {
  const { fps, frames } = directState;
  return asked().projections.findIndex((each) => each.camera === name && each.joint === joint && isMoment(each) && spanOf(each, fps, frames)[0] === frame);
}

/** Put a point of a joint on a picture, or move it there. */
export function putPoint(name: string, index: number, joint: string, pixel: [number, number], phase: "move" | "end" | "cancel"): void {
  const { projections } = asked();
  const at = rounded(pixel);
  const point: T.Projection = newEntry("projections", { joint, camera: name, at: atFrame(directState.frame), pixel: at });
  const isNew = index < 0 || index >= projections.length;
  const list = isNew ? [...projections, point] : projections.map((each, n) => (n === index ? { ...each, pixel: at } : each));
  const args = { changes: { projections: list }, what: `Put ${words(joint)} on ${name}` };
  if (phase === "cancel") studio.draft = null;
  else if (phase === "move") studio.draft = editDirectChange(studio.document, args);
  else {
    directState.selected = idOf({ list: "projections", index: isNew ? projections.length : index });
    void editDirect(args);
  }
}
