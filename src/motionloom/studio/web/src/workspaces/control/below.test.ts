import { describe, expect, it } from "vitest";

import { Planner, type HubSupport, readHubs } from "../../player";
import { makeHubGraph } from "../../testing/arcs";
import { steppedFile } from "../../testing/hub_graph";
import { Below } from "./below";
import { Ride } from "./ride";

const graph = readHubs(steppedFile());

function rideOf(clips: (ride: Ride) => number): Ride {
  const ride: Ride = new Ride(new Planner(graph), {
    choose: () => void ride.player.follow([clips(ride)]),
    begun: () => undefined,
    ended: () => undefined,
  });
  return ride;
}

const isOf = (a: HubSupport, b: HubSupport) => Math.hypot(a.centre[0] - b.centre[0], a.centre[1] - b.centre[1]) < 1e-9 && a.top === b.top;

describe("what a character stands on", () => {
  it("is that of the clip being played, in its frames of the ride", () => {
    let count = 0;
    const ride = rideOf((r) => r.player.choices[count++ % r.player.choices.length]);
    let seen = 0;
    for (let n = 0; n < 700; n++) {
      ride.run((n % 7) / 120); // sometimes several frames at once
      if (ride.player.clip < 0) continue;
      const first = ride.frames - ride.player.frame;
      for (const support of ride.player.supports) {
        const found = ride.below.supports.find((other) => isOf(other, support) && other.start === support.start + first);
        expect(found?.stop).toBe(support.stop + first);
        seen++;
      }
    }
    expect(seen).toBeGreaterThan(200);
  });

  it("stays for a while after its clip, and goes then", () => {
    const ride = rideOf((r) => r.player.choices[ride.player.choices.length - 1]);
    for (let n = 0; n < 600; n++) {
      ride.run(1 / 60);
      for (const { stop } of ride.below.supports) expect(stop).toBeGreaterThan(ride.frames - 5 * graph.fps);
    }
    expect(ride.below.supports.length).toBeLessThan(60);
  });

  it("is below the first frame before anything was played", () => {
    const ride = rideOf(() => 0);
    const first = ride.player.supports.filter((support) => support.start === 0);
    expect(ride.below.supports).toEqual(first.map((support) => ({ ...support, stop: 1 })));
  });

  it("is as high as the highest box that a place is on, in its frames", () => {
    const box = { start: 0, stop: 10, centre: [1, 2] as [number, number], half: [0.3, 0.1] as [number, number], turn: Math.PI / 2, top: 0.3, bottom: 0 };
    const below = new Below(graph, []);
    below.supports = [box, { ...box, top: 0.5, start: 5 }];
    expect(below.heightAt(1, 0.5, 2.25, 3)).toBe(0.3); // turned by a quarter, its long side is along z
    expect(below.heightAt(1.25, 0.5, 2, 3)).toBe(0);
    expect(below.heightAt(1, 0.5, 2.25, 7)).toBe(0.5);
    expect(below.heightAt(1, 0.3, 2.25, 7)).toBe(0.3); // under the higher one
    expect(below.heightAt(1, 0.5, 2.25, 10)).toBe(0);
  });

  it("is the same list while a clip lasts, and an empty one on the floor", () => {
    const ride = rideOf((r) => r.player.choices[0]);
    ride.run(1 / 60);
    const before = ride.below.supports;
    ride.run(1 / 60);
    expect(ride.below.supports).toBe(before);
    const flat = makeHubGraph(["walking"], [{ name: "ahead", from: 0, to: 0, speed: 1.2 }]);
    const walk = new Ride(new Planner(flat), { choose: () => undefined, begun: () => undefined, ended: () => undefined });
    const none = walk.below.supports;
    for (let n = 0; n < 200; n++) walk.run(1 / 60);
    expect(walk.below.supports).toBe(none);
    expect(none).toEqual([]);
  });
});
