import { beforeEach, describe, expect, it } from "vitest";
import type * as T from "../api/types";
import { studio } from "../state.svelte";
import { addHub } from "./add_hub";
import { addMatchFrame } from "./add_match_frame";
import { redo, undo } from "./command";
import { dropHub } from "./drop_hub";
import { dropMatchFrame } from "./drop_match_frame";
import { freeColour, freeName, hubName, makeHub } from "./edit_graph";
import { renameHub } from "./rename_hub";
import { renamedIn } from "./rename_take";
import { setActions } from "./set_actions";
import { setGraphTakes } from "./set_graph_takes";
import { setGraphThreshold } from "./set_graph_threshold";
import { setHubThreshold } from "./set_hub_threshold";
import { setMending } from "./set_mending";
import { setWMin } from "./set_w_min";

const before = studio.document;
const at = (take: string, frame: number): T.TakeFrame => ({ take, frame });
const hubs = (): T.Hub[] => studio.document.graph.request.hubs;

describe("steps of the graph", () => {
  beforeEach(() => {
    studio.document = before;
    studio.past = [];
    studio.future = [];
  });

  it("can all be undone and redone, from the saved history alone", async () => {
    const seen: string[] = [JSON.stringify(studio.document)];
    const steps = [
      () => setGraphTakes({ takes: ["a", "b", "c"] }),
      () => addHub({ hub: makeHub("left", { like: at("a", 20), threshold: 0.04 }), colour: 0 }),
      () => addHub({ hub: makeHub("right", { frames: [at("b", 50), at("c", 60)] }), colour: 1 }),
      () => addMatchFrame({ hub: "left", frame: at("b", 10) }),
      () => dropMatchFrame({ hub: "left", frame: at("a", 80) }),
      () => addMatchFrame({ hub: "right", frame: at("a", 200) }),
      () => setHubThreshold({ hub: "left", threshold: 0.05, like: null }),
      () => renameHub({ hub: "left", name: "ready" }),
      () => setGraphThreshold({ threshold: 0.06 }),
      () => setWMin({ seconds: 0.4 }),
      () => setMending({ mend: "keep" }),
      () => setActions({ actions: [{ name: "kick", clips: ["kick 1"] }], title: "Kick" }),
      () => setGraphTakes({ takes: ["a", "b"] }),
      () => dropHub({ hub: "ready" }),
    ];
    for (const step of steps) {
      expect(await step()).toBe(true);
      seen.push(JSON.stringify(studio.document));
      expect(seen.at(-1)).not.toBe(seen.at(-2));
    }
    studio.past = JSON.parse(JSON.stringify(studio.past)) as T.CommandRecord[];
    for (let i = steps.length - 1; i >= 0; i--) {
      await undo();
      expect(JSON.parse(JSON.stringify(studio.document))).toEqual(JSON.parse(seen[i]));
    }
    for (let i = 1; i <= steps.length; i++) {
      await redo();
      expect(JSON.parse(JSON.stringify(studio.document))).toEqual(JSON.parse(seen[i]));
    }
  });

  it("add and drop match frames so that one undoes the other", async () => {
    await addHub({ hub: makeHub("one", { like: at("a", 20) }), colour: 0 });
    const grown = hubs();
    await dropMatchFrame({ hub: "one", frame: at("a", 90) });
    expect(hubs()[0].drop).toEqual([at("a", 90)]);
    await addMatchFrame({ hub: "one", frame: at("a", 90) });
    expect(hubs()).toEqual(grown);
    await addMatchFrame({ hub: "one", frame: at("a", 33.5) });
    expect(hubs()[0].add).toEqual([at("a", 33.5)]);
    await dropMatchFrame({ hub: "one", frame: at("a", 33.5) });
    expect(hubs()).toEqual(grown);
  });

  it("leave a hub by hand its frames, without thresholds", async () => {
    await addHub({ hub: makeHub("one", { frames: [at("a", 1), at("a", 90)] }), colour: 0 });
    await addMatchFrame({ hub: "one", frame: at("b", 5) });
    await dropMatchFrame({ hub: "one", frame: at("a", 1) });
    expect(hubs()[0]).toEqual(makeHub("one", { frames: [at("a", 90), at("b", 5)] }));
  });

  it("keep the largest set the one that it is when its threshold is changed", async () => {
    await addHub({ hub: makeHub("one", { largest: true }), colour: 0 });
    await setHubThreshold({ hub: "one", threshold: 0.05, like: at("b", 40) });
    expect(hubs()).toEqual([makeHub("one", { like: at("b", 40), threshold: 0.05 })]);
    await setHubThreshold({ hub: "one", threshold: 0.06, like: at("c", 1) });
    expect(hubs()[0]).toMatchObject({ like: at("b", 40), threshold: 0.06 });
  });

  it("take match frames along when their take is left out, and hubs that were grown from it", async () => {
    await setGraphTakes({ takes: ["a", "b"] });
    await addHub({ hub: makeHub("one", { like: at("a", 20), add: [at("b", 7)] }), colour: 0 });
    await addHub({ hub: makeHub("two", { like: at("b", 20) }), colour: 1 });
    await setGraphTakes({ takes: ["a"] });
    expect(hubs()).toEqual([makeHub("one", { like: at("a", 20) })]);
    expect(studio.document.graph.colours).toEqual({ one: 0 });
  });

  it("follow a take that gets another name", async () => {
    await setGraphTakes({ takes: ["a", "b"] });
    await addHub({ hub: makeHub("one", { like: at("a", 20), add: [at("b", 7)], drop: [at("a", 3)] }), colour: 0 });
    const { request } = renamedIn(studio.document, "a", "c").graph;
    expect(request.takes).toEqual(["c", "b"]);
    expect(request.hubs).toEqual([makeHub("one", { like: at("c", 20), add: [at("b", 7)], drop: [at("c", 3)] })]);
  });

  it("give names and colours that are free", async () => {
    const part = (): T.GraphPart => studio.document.graph;
    await addHub({ hub: makeHub(freeName(part().request), { like: at("a", 1) }), colour: freeColour(part()) });
    await addHub({ hub: makeHub(freeName(part().request), { like: at("a", 2) }), colour: freeColour(part()) });
    await dropHub({ hub: "hub 1" });
    expect([freeName(part().request), freeColour(part())]).toEqual(["hub 3", 0]);
    expect(hubName({ ...part().request, hubs: [makeHub("hub 2", {}), { ...makeHub("", {}), name: null }] }, 1)).toBe("hub 2'");
  });
});
