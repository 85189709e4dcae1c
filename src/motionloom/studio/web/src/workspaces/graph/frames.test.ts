import { describe, expect, it } from "vitest";
import type * as T from "../../api/types";
import { describeFrame, placeOf, toNumber, toTakeFrame } from "./frames";

const material: T.MaterialState = {
  fps: 60,
  frames: 500,
  takes: [
    { name: "walk/one", start: 0, frames: 200, step: 2 },
    { name: "walk/two", start: 200, frames: 300, step: 0.5 },
  ],
  least_w_min: 0.15,
  skeleton: "x",
  usual: 0.03,
  threshold: 0.045,
  most: 0.09,
  far: 0.2,
};

describe("frames of the material", () => {
  it("go to the frames of a recording and back, whatever its rate is", () => {
    for (let frame = 0; frame < 500; frame++) {
      const takeFrame = toTakeFrame(material, frame) as T.TakeFrame;
      expect(toNumber(material, takeFrame)).toBe(frame);
    }
    expect(toTakeFrame(material, 10)).toEqual({ take: "walk/one", frame: 20 });
    expect(toTakeFrame(material, 201)).toEqual({ take: "walk/two", frame: 0.5 });
  });

  it("are found by the end of a take's name, and nowhere beside the takes", () => {
    expect(toNumber(material, { take: "two", frame: 1 })).toBe(202);
    expect(toNumber(material, { take: "three", frame: 1 })).toBeNull();
    expect(toNumber(material, { take: "one", frame: 400 })).toBeNull();
    expect(placeOf(material, 500)).toBeNull();
    expect(placeOf(material, 200)?.take.name).toBe("walk/two");
  });

  it("are described by take and time", () => expect(describeFrame(material, 230)).toBe("two at 0.50 s"));
});
