import { describe, expect, it } from "vitest";
import type * as T from "../api/types";
import { assignClipChange } from "./assign_clip";
import { renameButtonChange } from "./rename_button";
import { withoutClip } from "./unassign_clip";

const documentOf = (buttons: Record<string, T.ButtonPart>): T.Document => ({ control: { buttons } }) as unknown as T.Document;
const proposed = { name: "punch", clips: ["punch 1", "punch 2"] };
const button = { button: "a", sign: "A", proposed };
const nothing = { name: "", clips: [] };

describe("a clip on a button", () => {
  it("is added to the proposed clips", () => {
    const after = assignClipChange(documentOf({}), { ...button, clip: "kick 1" });
    expect(after.control.buttons).toEqual({ a: { name: "punch", clips: ["punch 1", "punch 2", "kick 1"] } });
  });

  it("is added to the clips that people have assigned, whatever is proposed by now", () => {
    const after = assignClipChange(documentOf({ a: { name: "hit", clips: ["jab"] } }), { ...button, clip: "kick 1" });
    expect(after.control.buttons.a).toEqual({ name: "hit", clips: ["jab", "kick 1"] });
  });

  it("is there once, however often it is dropped", () => {
    const once = assignClipChange(documentOf({}), { ...button, clip: "punch 2" });
    expect(once.control.buttons.a.clips).toEqual(proposed.clips);
  });

  it("leaves the button that it is dragged from", () => {
    const to = { button: "b", sign: "B", proposed: nothing, clip: "punch 1", from: button };
    expect(assignClipChange(documentOf({}), to).control.buttons).toEqual({
      a: { name: "punch", clips: ["punch 2"] },
      b: { name: "", clips: ["punch 1"] },
    });
  });

  it("stays when it is dropped where it was taken", () => {
    const back = { ...button, clip: "punch 1", from: button };
    expect(assignClipChange(documentOf({}), back).control.buttons.a.clips).toEqual(proposed.clips);
  });

  it("can be taken off; the button's name goes with the last clip", () => {
    const rest = withoutClip(documentOf({}), { ...button, clip: "punch 1" });
    expect(rest.control.buttons.a).toEqual({ name: "punch", clips: ["punch 2"] });
    expect(withoutClip(rest, { ...button, clip: "punch 2" }).control.buttons.a).toEqual(nothing);
  });
});

it("a button can be renamed, and keeps its clips", () => {
  const after = renameButtonChange(documentOf({}), { ...button, name: "  jab and cross " });
  expect(after.control.buttons.a).toEqual({ name: "jab and cross", clips: proposed.clips });
});
