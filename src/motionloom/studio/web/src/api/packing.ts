/** Binary messages: a JSON header, then arrays; the other side is motionloom.studio.server.packing. */

import { ALIGNMENT } from "./constants";

interface Described {
  name: string;
  dtype: string;
  shape: number[];
  offset: number;
}

type TypedArray = Float32Array | Float64Array | Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array;

const KINDS = {
  float32: Float32Array,
  float64: Float64Array,
  int8: Int8Array,
  uint8: Uint8Array,
  bool: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
} as const;

export interface Unpacked {
  header: Record<string, unknown>;
  arrays: Record<string, TypedArray>;
  shapes: Record<string, number[]>;
}

/** The header and the arrays of a message; the arrays are views into it, nothing is copied. */
export function unpack(message: ArrayBuffer): Unpacked {
  const length = new DataView(message).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(message, 4, length))) as Record<string, unknown>;
  const begin = Math.ceil((4 + length) / ALIGNMENT) * ALIGNMENT;
  const arrays: Record<string, TypedArray> = {};
  const shapes: Record<string, number[]> = {};
  for (const described of header.arrays as Described[]) {
    const Kind = KINDS[described.dtype as keyof typeof KINDS];
    if (Kind === undefined) throw new Error(`arrays of ${described.dtype} are not known to the page`);
    const count = described.shape.reduce((product, size) => product * size, 1);
    arrays[described.name] = new Kind(message, begin + described.offset, count);
    shapes[described.name] = described.shape;
  }
  return { header, arrays, shapes };
}
