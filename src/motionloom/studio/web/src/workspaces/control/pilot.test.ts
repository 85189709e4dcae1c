import { describe, expect, it } from "vitest";
import { Planner } from "../../player";
import { type Arc, makeHubGraph } from "../../testing/arcs";
import { factsOf, mapButtons, steeredClips } from "./mapping";
import { Pilot } from "./pilot";

function pilotOf(hubs: string[], arcs: Arc[]) {
  const planner = new Planner(makeHubGraph(hubs, arcs));
  const facts = factsOf(planner.graph);
  const buttons = mapButtons(facts, {});
  const names = (way: readonly number[] | null): string[] | null => way && way.map((c) => facts.clips[c].name);
  return { pilot: new Pilot(facts, buttons, steeredClips(facts, buttons), planner), buttons, names };
}

const word = (label: string, from: number, to: number, more: Partial<Arc> = {}): Arc => ({ name: `${label} ${from}${to}`, from, to, labels: { [label]: 1 }, ...more });
const straight = { speed: 1.2, curvature: 0 };
const still = { speed: 0, curvature: 0 };

describe("a button", () => {
  const { pilot, names } = pilotOf(
    ["left", "right", "walking"],
    [
      word("punch", 0, 0, { name: "jab" }),
      word("punch", 0, 0, { name: "hook", turn: 0.6, speed: 0.3 }),
      word("kick", 1, 1),
      word("switch", 0, 1, { seconds: 0.8 }),
      word("switch", 1, 0, { seconds: 0.6 }),
      { name: "idle 1", from: 0, to: 0 },
      { name: "idle 2", from: 0, to: 0 },
      { name: "walk 1", from: 2, to: 2, speed: 1.2, labels: { walk: 1 } },
      { name: "draw", from: 2, to: 0, labels: { draw: 1 } },
    ],
  );

  it("plays its clip where the hub offers it", () => {
    expect(names(pilot.wayToButton(1, "b", still, false))).toEqual(["kick 11"]);
  });

  it("goes there by the shortest graph walk if it does not, and describes the walk", () => {
    const way = pilot.wayToButton(0, "b", still, false);
    expect(names(way)).toEqual(["switch 01", "kick 11"]);
    expect(pilot.describe(way ?? [], "kick", 0)).toBe("switch, then kick: 0.8 s");
    expect(pilot.describe(way ?? [], "kick", 0.35)).toBe("switch, then kick: 1.1 s");
    expect(names(pilot.wayToButton(2, "b", still, false))).toEqual(["draw", "switch 01", "kick 11"]);
  });

  it("describes when its clip begins if nothing comes before", () => {
    expect(pilot.describe([2], "kick", 0.25)).toBe("kick: 0.3 s");
  });

  it("of several clips plays the nearest to the stick, else one after the other", () => {
    expect(names(pilot.wayToButton(0, "a", { speed: 0.3, curvature: 2 }, true))).toEqual(["hook"]);
    expect(names(pilot.wayToButton(0, "a", still, true))).toEqual(["jab"]);
    const inTurn = [0, 1, 2].map(() => {
      const way = names(pilot.wayToButton(0, "a", still, false));
      pilot.takeTurn("a");
      return way?.[0];
    });
    expect(inTurn).toEqual(["jab", "hook", "jab"]);
  });

  it("that nothing leads to is out of reach", () => {
    const { pilot: lost } = pilotOf(["a", "b"], [word("wave", 1, 1), { name: "idle 1", from: 0, to: 0 }]);
    expect(lost.wayToButton(0, "a", still, false)).toBeNull();
  });

  it("with nothing on it starts nothing", () => {
    expect(pilot.wayToButton(0, "lt", still, false)).toBeNull();
  });
});

describe("the stick", () => {
  const arcs: Arc[] = [
    { name: "ahead", from: 0, to: 0, speed: 1.2 },
    { name: "left", from: 0, to: 0, speed: 1.1, turn: 0.8 },
    { name: "right", from: 0, to: 0, speed: 1.1, turn: -0.8 },
    { name: "stand 1", from: 1, to: 1 },
    { name: "stand 2", from: 1, to: 1 },
    { name: "start", from: 1, to: 0, speed: 0.6, seconds: 0.5 },
  ];
  const { pilot, names } = pilotOf(["walking", "standing"], arcs);

  it("chooses the clip that is nearest to the control", () => {
    expect(names(pilot.steer(0, straight))).toEqual(["ahead"]);
    expect(names(pilot.steer(0, { speed: 1.2, curvature: 0.7 }))).toEqual(["left"]);
    expect(names(pilot.steer(0, { speed: 1.2, curvature: -3 }))).toEqual(["right"]);
  });

  it("in its middle plays the standing clips in turn", () => {
    const stood = [0, 1, 2].map(() => {
      const way = names(pilot.steer(1, still));
      pilot.takeTurn("rest");
      return way?.[0];
    });
    expect(stood).toEqual(["stand 1", "stand 2", "stand 1"]);
  });

  it("leads out of a hub that it cannot choose from, to one where it can", () => {
    const { pilot: fighter, names: namesOf } = pilotOf(["fight", "walk"], [word("punch", 0, 0), word("leave", 0, 1), { name: "walk 1", from: 1, to: 1, speed: 1 }]);
    expect(namesOf(fighter.steer(0, straight))).toEqual(["leave 01", "walk 1"]);
  });

  const fightAndWalk: Arc[] = [
    { name: "stance", from: 0, to: 0, seconds: 0.8 },
    { name: "shuffle", from: 0, to: 0, speed: 0.3 },
    { name: "turn", from: 0, to: 0, turn: 1.2, speed: 0.25 },
    { name: "lower", from: 0, to: 1, speed: 0.2, seconds: 0.5 },
    { name: "dawdle", from: 0, to: 1, speed: 0.2, seconds: 3 },
    { name: "set off", from: 1, to: 2, speed: 0.5, seconds: 0.7 },
    { name: "wait long", from: 1, to: 1, seconds: 9 },
    { name: "wait", from: 1, to: 1, seconds: 1 },
    { name: "walk 1", from: 2, to: 2, speed: 1.2, seconds: 0.5 },
    { name: "walk 2", from: 2, to: 2, speed: 1.1, turn: 0.7, seconds: 0.5 },
    { name: "slow", from: 2, to: 2, speed: 0.4, seconds: 0.5 },
    { name: "halt", from: 2, to: 1, speed: 0.6, seconds: 0.7 },
  ];
  const both = pilotOf(["stance", "standing", "walking"], fightAndWalk.map((arc) => ({ ...arc, labels: { go: 1 } }))); // nothing for buttons

  it("pushed in a stance leads to walking clips, by the shortest graph walk", () => {
    expect(both.names(both.pilot.steer(0, straight))?.slice(0, 2)).toEqual(["lower", "set off"]);
    expect(both.names(both.pilot.steer(1, straight))?.slice(0, 1)).toEqual(["set off"]);
    expect(both.names(both.pilot.steer(2, straight))).toEqual(["walk 1"]);
  });

  it("pushed aside turns on the spot where a clip does", () => {
    expect(both.names(both.pilot.steer(0, { speed: 1.2, curvature: 5 }))).toEqual(["turn"]);
  });

  it("released leads from walking to standing clips, not on and on at the slowest pace", () => {
    expect(both.names(both.pilot.steer(2, still))?.slice(0, 1)).toEqual(["halt"]);
  });

  it("released plays short clips, so that the next push is answered", () => {
    const stood = [0, 1].map(() => {
      const way = both.names(both.pilot.steer(1, still));
      both.pilot.takeTurn("rest");
      return way?.[0];
    });
    expect(stood).toEqual(["wait", "wait"]);
    expect(both.names(both.pilot.steer(0, still))).toEqual(["stance"]); // and stays at its hub
  });
});
