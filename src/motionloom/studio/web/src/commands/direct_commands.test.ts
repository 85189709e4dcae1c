import { beforeEach, describe, expect, it } from "vitest";
import { EMPTY } from "../api/constants";
import type * as T from "../api/types";
import { studio } from "../state.svelte";
import { redo, undo } from "./command";
import { editDirect } from "./edit_direct";
import { loadDirect } from "./load_direct";

const point = { joint: "head", at: "3f", position: [0, 1.6, 0] } as unknown as T.PointTarget;

beforeEach(() => {
  studio.document = EMPTY;
  [studio.past, studio.future] = [[], []];
});

describe("steps of directing", () => {
  it("can all be undone and redone, from the saved history alone", async () => {
    const seen = [JSON.stringify(studio.document)];
    const commands = [
      () => loadDirect({ request: { ...EMPTY.direct.request, start_from: "walk" }, what: "Direct walk", opens: true }),
      () => editDirect({ changes: { points: [point] }, what: "Drag head" }),
      () => editDirect({ changes: { prior_weight: 4, method: "spline" }, what: "Weigh the prior" }),
      () => editDirect({ changes: { points: [] }, what: "Remove head" }),
    ];
    for (const run of commands) {
      expect(await run()).toBe(true);
      seen.push(JSON.stringify(studio.document));
    }
    expect(studio.document.workspace).toBe("direct");
    expect(studio.past.map(({ title }) => title)).toEqual(["Direct walk", "Drag head", "Weigh the prior", "Remove head"]);
    studio.past = JSON.parse(JSON.stringify(studio.past)) as T.CommandRecord[];
    for (const before of seen.slice(0, -1).reverse()) {
      await undo();
      expect(JSON.parse(JSON.stringify(studio.document))).toEqual(JSON.parse(before));
    }
    for (const after of seen.slice(1)) {
      await redo();
      expect(JSON.parse(JSON.stringify(studio.document))).toEqual(JSON.parse(after));
    }
  });

  it("that change nothing are no steps", async () => {
    await editDirect({ changes: { points: [] }, what: "Nothing" });
    expect(studio.past).toEqual([]);
  });
});
