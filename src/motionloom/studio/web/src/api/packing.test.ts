import { describe, expect, it } from "vitest";
import { unpack } from "./packing";

function message(header: object, data: Uint8Array): ArrayBuffer {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const begin = Math.ceil((4 + text.length) / 8) * 8;
  const bytes = new Uint8Array(begin + data.length);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  bytes.set(data, begin);
  return bytes.buffer;
}

describe("binary messages", () => {
  it("give arrays without copying them", () => {
    const data = new Uint8Array(24);
    data.set(new Uint8Array(Float32Array.of(1.5, -2, 3).buffer), 0);
    data.set(new Uint8Array(Int16Array.of(-7, 32767).buffer), 16);
    const arrays = [
      { name: "a", dtype: "float32", shape: [3], offset: 0 },
      { name: "b", dtype: "int16", shape: [1, 2], offset: 16 },
    ];
    const packed = message({ motion: "take:x", arrays }, data);
    const found = unpack(packed);
    expect([...found.arrays.a]).toEqual([1.5, -2, 3]);
    expect([...found.arrays.b]).toEqual([-7, 32767]);
    expect(found.shapes.b).toEqual([1, 2]);
    expect(found.header.motion).toBe("take:x");
    expect(found.arrays.a.buffer).toBe(packed);
  });

  it("of unknown kinds are refused", () => {
    const arrays = [{ name: "a", dtype: "complex64", shape: [0], offset: 0 }];
    expect(() => unpack(message({ arrays }, new Uint8Array(0)))).toThrow("complex64");
  });
});
