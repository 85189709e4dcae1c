import { describe, expect, it } from "vitest";
import { type ClipFacts, type GraphFacts, mapButtons, proposeButtons, steeredClips } from "./mapping";

const HUBS = [
  { name: "left stance", kind: "hub" },
  { name: "right stance", kind: "hub" },
  { name: "end of a", kind: "end" },
] as const;

function clip(name: string, source: number, target: number, more: Partial<ClipFacts> = {}): ClipFacts {
  const labels = /^[a-z]+ \d/.test(name) ? { [name.replace(/ \d+$/, "")]: 0.9 } : {};
  return { name, source, target, labels, seconds: 1, speed: 0.1, turn: 0, curvature: 0, ...more };
}

function graphOf(clips: ClipFacts[], actions: GraphFacts["actions"] = []): GraphFacts {
  return { nodes: HUBS, clips, actions };
}

const fighting = graphOf([
  clip("idle 1", 0, 0),
  clip("kick 1", 0, 0),
  clip("punch 1", 0, 0),
  clip("punch 2", 1, 1),
  clip("switch 1", 0, 1),
  clip("switch 2", 1, 0),
  clip("punch 3", 1, 2),
]);

describe("proposals", () => {
  it("put an action on each button, the familiar ones first, with all clips that do it and go on", () => {
    expect(proposeButtons(fighting)).toEqual({
      a: { name: "punch", clips: ["punch 1", "punch 2"] },
      b: { name: "kick", clips: ["kick 1"] },
      x: { name: "switch", clips: ["switch 1", "switch 2"] },
    });
  });

  it("come from the graph's actions if it has some", () => {
    const graph = graphOf([...fighting.clips], [{ name: "strike", clips: [1, 2] }]);
    expect(proposeButtons(graph)).toEqual({ a: { name: "strike", clips: ["kick 1", "punch 1"] } });
  });

  it("leave transitions between hubs to the stick and the planner if there are actions", () => {
    const ways = [{ name: "to right stance", clips: [4] }, { name: "to left stance", clips: [5] }]; // prettier-ignore
    const strike = { name: "strike", clips: [1, 2] };
    expect(Object.keys(proposeButtons(graphOf([...fighting.clips], [strike, ...ways])))).toEqual(["a"]);
    expect(proposeButtons(graphOf([...fighting.clips], ways))).toEqual(proposeButtons(fighting));
  });

  it("leave walking and standing to the stick", () => {
    const graph = graphOf([clip("walk 1", 0, 0), clip("turn_left 1", 0, 0), clip("stand 1", 0, 0)]);
    expect(proposeButtons(graph)).toEqual({});
    expect(steeredClips(graph, mapButtons(graph, {}))).toEqual([0, 1, 2]);
  });

  it("without labels give transitions between hubs, then the longest clips on the spot, but leave one for idling", () => {
    const graph = graphOf([clip("t [0, 9)", 0, 0, { seconds: 0.4 }), clip("t [9, 20)", 0, 0), clip("t [20, 31)", 0, 1), clip("t [31, 40)", 1, 0)]);
    const proposed = proposeButtons(graph);
    expect(Object.values(proposed).map((part) => part.name)).toEqual(["to right stance", "to left stance", "t [9, 20)"]);
    expect(steeredClips(graph, mapButtons(graph, {}))).toEqual([0]);
  });

  it("without labels leave a graph to walk about in to the stick", () => {
    const graph = graphOf([clip("t [0, 9)", 0, 0, { speed: 1.2 }), clip("t [9, 20)", 0, 0, { speed: 1.4 })]);
    expect(proposeButtons(graph)).toEqual({});
  });

  it("are never more than there are buttons", () => {
    const graph = graphOf("abcdefghijk".split("").map((word) => clip(`${word}x 1`, 0, 0)));
    expect(Object.keys(proposeButtons(graph))).toHaveLength(8);
  });
});

describe("buttons", () => {
  it("do what people assigned, else what is proposed", () => {
    const mapped = mapButtons(fighting, { a: { name: "", clips: ["kick 1"] }, b: { name: "", clips: [] } });
    expect(mapped[0]).toMatchObject({ name: "kick", clips: [1], isOwn: true });
    expect(mapped[1]).toMatchObject({ name: "", clips: [], isOwn: true });
    expect(mapped[2]).toMatchObject({ name: "switch", clips: [4, 5], isOwn: false });
  });

  it("report which of their clips another graph does not have", () => {
    expect(mapButtons(fighting, { a: { name: "hit", clips: ["punch 1", "punch 9"] } })[0]).toMatchObject({
      name: "hit",
      clips: [2],
      missing: ["punch 9"],
    });
  });

  it("leave the rest to the stick; clips that end a take are never steered into", () => {
    expect(steeredClips(fighting, mapButtons(fighting, {}))).toEqual([0]);
  });

  it("that hold everything leave everything to the stick", () => {
    const all = { a: { name: "", clips: fighting.clips.map((clip) => clip.name) } };
    expect(steeredClips(fighting, mapButtons(fighting, all))).toEqual([0, 1, 2, 3, 4, 5]);
  });
});
