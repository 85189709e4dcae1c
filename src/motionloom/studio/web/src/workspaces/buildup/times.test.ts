import { describe, expect, it } from "vitest";
import { framesOf } from "./times";

describe("times of a request", () => {
  it("are seconds or frames", () => {
    expect([framesOf("2.5s", 60), framesOf("150f", 60), framesOf("0.01s", 60)]).toEqual([150, 150, 1]);
  });

  it("have no number where they are words", () => {
    expect([framesOf("end", 60), framesOf("start", 60)]).toEqual([null, null]);
  });
});
