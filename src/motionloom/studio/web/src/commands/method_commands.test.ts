import { beforeEach, describe, expect, it } from "vitest";
import { EMPTY } from "../api/constants";
import { studio } from "../state.svelte";
import { redo, undo } from "./command";
import { loadMethodRequest } from "./load_method_request";
import { setRequestValue } from "./set_request_value";

beforeEach(() => {
  studio.document = EMPTY;
  [studio.past, studio.future] = [[], []];
});

describe("what is asked of a method", () => {
  const from = { take: "walk", marks: [] };

  it("starts as the example and is changed, undone and redone value by value", async () => {
    await setRequestValue({ method: "duet", path: ["take"], value: "run", what: "Take", from });
    await setRequestValue({ method: "duet", path: ["marks"], value: [{ name: "a" }], what: "Marks" });
    await setRequestValue({ method: "duet", path: ["marks", 0, "name"], value: "b", what: "Name" });
    expect(studio.document.methods.duet.request).toEqual({ take: "run", marks: [{ name: "b" }] });
    expect(studio.past.map((step) => step.title)).toEqual(["Change take of duet", "Change marks of duet", "Change name of duet"]);
    await undo();
    expect(studio.document.methods.duet.request.marks).toEqual([{ name: "a" }]);
    await undo();
    await undo();
    expect(studio.document.methods).toEqual({});
    await redo();
    expect(studio.document.methods.duet.request).toEqual({ take: "run", marks: [] });
  });

  it("can be loaded from a file, and reset", async () => {
    await loadMethodRequest({ method: "duet", request: { take: "jump" }, name: "mine.yaml" });
    expect(studio.document.methods.duet.request).toEqual({ take: "jump" });
    await loadMethodRequest({ method: "duet", request: from, name: "" });
    expect(studio.past.map((step) => step.title)).toEqual(["Load mine.yaml", "Reset the request of duet"]);
  });

  it("changes nothing where the value is the same", async () => {
    await loadMethodRequest({ method: "duet", request: from, name: "a" });
    await setRequestValue({ method: "duet", path: ["take"], value: "walk", what: "Take" });
    expect(studio.past.length).toBe(1);
  });
});
