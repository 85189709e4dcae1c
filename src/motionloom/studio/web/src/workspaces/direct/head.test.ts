import { describe, expect, it } from "vitest";
import { EMPTY } from "../../api/constants";
import type * as T from "../../api/types";
import { choiceOf, choicesFor, chosenHead } from "./head";

const blank = EMPTY.direct.request;
const edit: T.DirectRequest = { ...blank, start_from: "face/smile" };
const fresh: T.DirectRequest = { ...blank, poses: [{ at: "0f", pose: { take: "face/anger", frame: 30 } } as unknown as T.KeyPose] };

describe("the head of a face", () => {
  it("of an edit stays as it was, or still as at the playhead", () => {
    expect(choicesFor(edit)).toEqual({ usual: "as it was", still: "still, as at the playhead" });
    expect(chosenHead(edit, "still", 1.5, 120)).toMatchObject({ still: { take: "face/smile", frame: 180 }, like: null });
    expect(chosenHead(edit, "usual", 1.5, 120)).toBeNull();
  });

  it("of a new motion is still, or goes as in the take of its first key", () => {
    expect(choicesFor(blank)).toEqual({ usual: "still" });
    expect(choicesFor(fresh)).toEqual({ usual: "still", like: "as in face/anger" });
    expect(chosenHead(fresh, "like", 0, 120)).toMatchObject({ like: { take: "face/anger", frame: 30 }, still: null });
    expect(chosenHead(blank, "like", 0, 120)).toBeNull();
  });

  it("is told from what a file asks", () => {
    const asked = (head: Partial<T.Head> | null): string => choiceOf({ ...edit, head: head as T.Head | null });
    expect([asked(null), asked({ like: { take: "a", frame: 0 } }), asked({ still: { take: "a", frame: 0 } }), asked({ position: [0, 0, 0] })]).toEqual(["usual", "like", "still", "other"]); // prettier-ignore
  });
});
