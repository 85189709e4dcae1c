import { describe, expect, it } from "vitest";
import { Planner } from "../../player";
import { alongArc, makeHubGraph } from "../../testing/arcs";
import { placeFrame, poseOf, Ride } from "./ride";

const graph = makeHubGraph(
  ["walking"],
  [
    { name: "ahead", from: 0, to: 0, speed: 1.2 },
    { name: "left", from: 0, to: 0, speed: 1.2, turn: 0.9, seconds: 0.8 },
  ],
);

function rideWith(choose: (ride: Ride) => number) {
  const begun: number[] = [];
  const ride: Ride = new Ride(new Planner(graph), {
    choose: () => void ride.player.follow([choose(ride)]),
    begun: (clip) => void begun.push(clip),
    ended: () => undefined,
  });
  return { ride, begun };
}

describe("a ride", () => {
  it("goes where it is steered: left turns grow the heading", () => {
    const { ride, begun } = rideWith(() => 1);
    const headings = Array.from({ length: 120 }, () => {
      ride.run(1 / 60);
      return ride.player.heading;
    });
    expect(begun).toEqual([1, 1, 1]);
    expect(headings.at(-1)).toBeCloseTo(1.8);
    expect(ride.heading).toBeGreaterThan(1.8);
  });

  it("has no jumps, whatever the frame rate of the screen and whatever follows", () => {
    let count = 0;
    const { ride } = rideWith(() => count++ % 2);
    const before = Float32Array.from(ride.pose.root);
    for (let n = 0; n < 300; n++) {
      const seconds = 1 / 144 + (n % 5) / 100;
      ride.run(seconds);
      const moved = Math.hypot(ride.pose.root[0] - before[0], ride.pose.root[2] - before[2]);
      expect(moved).toBeLessThan(1.2 * (seconds + 1 / 30) + 1e-3);
      before.set(ride.pose.root);
    }
  });

  it("plays as many seconds as it is given, but does not catch up after a suspended page", () => {
    const { ride } = rideWith(() => 0);
    for (let n = 0; n < 100; n++) ride.run(0.013);
    expect(ride.seconds).toBeCloseTo(1.3 + 1 / graph.fps, 5); // the first frame shows the hub
    ride.run(60);
    expect(ride.seconds).toBeLessThan(1.7);
  });

  it("leaves its trail behind", () => {
    const { ride } = rideWith(() => 0);
    for (let n = 0; n < 60; n++) ride.run(1 / 30);
    const end = ride.trail.points.at(-1) ?? 0;
    expect(end).toBeGreaterThan(1.5);
    expect(end).toBeLessThanOrEqual(ride.pose.root[2]);
  });
});

it("reports once that nothing follows, and stays where it is", () => {
  const calls: string[] = [];
  const planner = new Planner(makeHubGraph(["walking", "nowhere"], [{ name: "out", from: 0, to: 1, speed: 1 }]));
  const ride = new Ride(planner, { choose: () => undefined, begun: () => void calls.push("begun"), ended: () => void calls.push("ended") });
  for (let n = 0; n < 90; n++) ride.run(1 / 30);
  expect(calls).toEqual(["begun", "ended"]);
  expect(ride.pose.root[2]).toBeCloseTo(1, 1);
});

it("a frame is put down where its node is", () => {
  const pose = poseOf(graph.skeleton);
  const { first, frames } = graph.clips[1];
  placeFrame(graph, first + frames / 2, 5, 6, Math.PI / 2, pose);
  const [x, z, turned] = alongArc(1.2 * 0.8, 0.9, 0.5);
  expect(pose.root[0]).toBeCloseTo(5 + z, 5);
  expect(pose.root[2]).toBeCloseTo(6 - x, 5);
  expect(2 * Math.atan2(pose.rotations[2], pose.rotations[0])).toBeCloseTo(Math.PI / 2 + turned, 3);
});
