import { describe, expect, it } from "vitest";
import { EMPTY } from "../../api/constants";
import type * as T from "../../api/types";
import { kindOf, namedTakes } from "./kinds";

const blank = EMPTY.direct.request;
const takes = { bodies: ["walk/1"], points: ["face/smile", "face/anger"] };
const keyed: T.DirectRequest = { ...blank, poses: [{ at: "0f", pose: { take: "face/anger", frame: 3 } } as unknown as T.KeyPose] };

describe("what is directed", () => {
  it("is what the takes have that a request names", () => {
    expect(kindOf({ ...blank, start_from: "walk/1" }, takes)).toBe("body");
    expect(kindOf({ ...blank, start_from: "face/smile" }, takes)).toBe("points");
    expect(kindOf(keyed, takes)).toBe("points");
    expect([kindOf(blank, takes), kindOf({ ...blank, start_from: "gone" }, takes)]).toEqual([null, null]);
  });

  it("names takes of keys and of the head too", () => {
    const head = { like: null, still: { take: "face/smile", frame: 0 } } as T.Head;
    expect(namedTakes({ ...keyed, head })).toEqual(["face/anger", "face/smile"]);
  });
});
