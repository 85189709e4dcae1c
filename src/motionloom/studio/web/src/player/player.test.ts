import { describe, expect, it } from "vitest";

import { hubGraph, steppedFile } from "../testing/hub_graph";
import { Random } from "../testing/random";
import { wrapAngle } from "./controls";
import { writeJoints } from "./joints";
import { Planner } from "./planner";
import library from "./player.fixture.json"; // written by the library: tests/methods/snap/play/test_player_fixture.py
import { readHubs } from "./hubs_file";
import { Player, type PlayerEvent } from "./player";
import stepped from "./steps.fixture.json"; // written beside it

const graph = hubGraph();
const joints = graph.skeleton.names.length;

function emptyPose() {
  return { root: new Float32Array(3), rotations: new Float32Array(joints * 4) };
}

type Asked = [step: number, what: string, argument: never];

function ask(player: Player, what: string, argument: never): void {
  if (what === "steer") player.steer(argument);
  else if (what === "choose") player.choose(argument);
  else {
    const { place, heading } = argument as { place: number[]; heading: number };
    player.goTo(place, { heading });
  }
}

/** Degrees between two rotations, whatever their signs. */
function between(a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): number {
  const dot = [0, 1, 2, 3].reduce((sum, k) => sum + a[i + k] * b[j + k], 0);
  const off = [0, 1, 2, 3].map((k) => a[i + k] - Math.sign(dot) * b[j + k]);
  return (2 * Math.asin(Math.min(1, Math.hypot(...off) / 2)) * 360) / Math.PI;
}

describe("the player", () => {
  library.runs.forEach((run, number) => {
    it(`chooses and shows what the library does, run ${number}`, () => {
      const player = new Player(graph, { start: run.start, placement: run.placement });
      const poses = new Map(run.poses.map(([step, ...pose]) => [step, pose]));
      const pose = emptyPose();
      const events: unknown[] = [];
      for (let step = 0; step < library.steps; step++) {
        for (const [at, what, argument] of run.asked as unknown as Asked[]) if (at === step) ask(player, what, argument);
        player.step();
        events.push(...player.takeEvents().map((event) => [step, event.kind, event.node, [...event.clips]]));
        const expected = poses.get(step);
        if (!expected) continue;
        player.writePose(pose.root, pose.rotations);
        expected.slice(0, 3).forEach((value, axis) => expect(pose.root[axis]).toBeCloseTo(value, 5));
        expected.slice(3).forEach((value, k) => expect(pose.rotations[k]).toBeCloseTo(value, 5));
      }
      expect(events).toEqual(run.events);
    });
  });

  it("has below its feet what the library has", () => {
    const player = new Player(readHubs(steppedFile()), { start: stepped.start, placement: stepped.placement });
    const rows = () => player.supports.map(({ start, stop, centre, half, turn, top, bottom }) => [start, stop, ...centre, ...half, turn, top, bottom]);
    for (const [clip, expected] of stepped.begun as [number, number[][]][]) {
      if (clip >= 0) {
        player.follow([clip]);
        do player.step();
        while (player.frame > 0);
      }
      expect(player.clip).toBe(clip);
      expect(rows().length).toBe(expected.length);
      rows().forEach((row, k) => row.forEach((value, column) => expect(value).toBeCloseTo(expected[k][column], 5)));
    }
  });

  it("is driven by what is chosen when a choice is due", () => {
    const random = new Random(4);
    const wanted: number[] = [];
    const player = new Player(graph, { onEvent: choose });
    const hubClips = (clips: readonly number[]) => clips.filter((c) => graph.clips[c].target < graph.hubs);
    function choose(event: PlayerEvent): void {
      if (event.kind !== "choice") return;
      wanted.push(random.pick(hubClips(event.clips)));
      player.follow([wanted[wanted.length - 1]]);
    }
    const begun: number[] = [];
    while (begun.length < 50) {
      const isDue = player.framesToChoice <= 1;
      player.step();
      const clips = player.takeEvents().filter((event) => event.kind === "clip");
      expect(clips.length).toBe(isDue ? 1 : 0);
      begun.push(...clips.map((event) => event.clips[0]));
    }
    expect(begun).toEqual(wanted);
  });

  it("goes on from a restored state as if it had never stopped", () => {
    const player = new Player(graph, { placement: [1, 2, 3] });
    player.steer({ speed: 1, curvature: 0.5 });
    for (let step = 0; step < 77; step++) player.step();
    player.choose("walk");
    const { state } = player;
    const play = () => Array.from({ length: 200 }, () => (player.step(), player.state));
    const first = play();
    player.restore(state);
    expect(play()).toEqual(first);
  });

  it("rejects invalid arguments with a sentence", () => {
    const player = new Player(graph);
    expect(() => player.choose("somersault")).toThrow("no clip 'somersault' in the graph; it has 18: ");
    expect(() => player.steer({ word: "somersault" })).toThrow("no clip 'somersault'");
    expect(() => player.steer({ speed: NaN })).toThrow("a speed of NaN cannot be steered by");
    expect(() => player.follow([graph.leaving[1][0]])).toThrow("does not leave node 'hub 0'");
    expect(() => new Player(graph, { start: 99 })).toThrow("node 99 of a graph whose nodes are 0 to 6");
    expect(() => new Player(graph, { start: "end of take 0" })).toThrow("no clip leaves node 'end of take 0'");
    expect(() => player.goTo([NaN, 0])).toThrow("cannot be gone to");
  });

  it("drops the oldest events that are not taken", () => {
    const player = new Player(graph);
    for (let step = 0; step < 9000; step++) player.step();
    expect(player.takeEvents().length).toBe(256);
    expect(player.takeEvents()).toEqual([]);
  });
});

describe("real time", () => {
  it("shows the frames themselves at their times, however it is divided", () => {
    const [stepped, timed] = [new Player(graph, { placement: [1, 1, 1] }), new Player(graph, { placement: [1, 1, 1] })];
    timed.advance(0);
    stepped.step();
    const [a, b] = [emptyPose(), emptyPose()];
    for (let frame = 0; frame < 300; frame++) {
      for (let part = 0; part < 4; part++) timed.advance(0.25 / graph.fps); // quarters of 60 a second are exact
      stepped.step();
      expect(timed.state).toEqual(stepped.state);
      timed.writePose(a.root, a.rotations);
      stepped.writePose(b.root, b.rotations);
      expect(a).toEqual(b);
    }
  });

  it("moves evenly between frames, over joins too", () => {
    const player = new Player(graph, { placement: [-2, 1, 2] });
    player.advance(0);
    const [before, middle, after] = [emptyPose(), emptyPose(), emptyPose()];
    let joins = 0;
    for (let frame = 0; frame < 300; frame++) {
      if (player.framesToChoice === 1) joins++;
      player.writePose(before.root, before.rotations);
      player.phase = 0.5;
      player.writePose(middle.root, middle.rotations);
      player.phase = 0;
      player.step();
      player.writePose(after.root, after.rotations);
      for (let axis = 0; axis < 3; axis++) expect(middle.root[axis]).toBeCloseTo((before.root[axis] + after.root[axis]) / 2, 4);
      for (let k = 0; k < joints * 4; k += 4) {
        expect(Math.hypot(...middle.rotations.subarray(k, k + 4))).toBeCloseTo(1, 5);
        const halves = [between(before.rotations, k, middle.rotations, k), between(middle.rotations, k, after.rotations, k)];
        const whole = between(before.rotations, k, after.rotations, k);
        halves.forEach((half) => expect(Math.abs(half - whole / 2)).toBeLessThan(0.02));
      }
    }
    expect(joins).toBeGreaterThan(5);
  });

  it("holds still at a dead end, and does not catch up after a suspended page", () => {
    const player = new Player(graph, { start: "end 0" });
    expect(player.advance(100)).toBeLessThanOrEqual(graph.fps + 2);
    for (let k = 0; k < 50; k++) player.advance(0.7 / graph.fps);
    expect(player.isEnded).toBe(true);
    const [before, after] = [emptyPose(), emptyPose()];
    player.writePose(before.root, before.rotations);
    player.advance(0.3 / graph.fps);
    player.writePose(after.root, after.rotations);
    expect(after).toEqual(before);
    expect(player.takeEvents().filter((event) => event.kind === "end").length).toBe(1);
    player.advance(NaN);
    expect(player.phase).toBe(0);
  });

  it("ends clips at their placement on the ground", () => {
    const player = new Player(graph);
    const pose = emptyPose();
    for (let step = 0; step < 400; step++) {
      const [x, z, heading] = player.arrive();
      const wasDue = player.framesToChoice <= 1;
      player.step();
      if (!wasDue) continue;
      expect([player.x, player.z, player.heading]).toEqual([x, z, heading]);
      expect(Math.abs(wrapAngle(heading))).toBe(Math.abs(heading));
      player.writePose(pose.root, pose.rotations);
      expect(Math.hypot(pose.root[0] - x, pose.root[2] - z)).toBeLessThan(1e-5); // a hub's pose stands over its node
    }
  });
});

describe("the planner", () => {
  const planner = new Planner(graph);

  it("answers as the library does", () => {
    expect(planner.isAlive).toEqual(library.planner.alive);
    for (const [node, word, walk] of library.planner.walks) expect(planner.findWalk(node as number, word as string)).toEqual(walk);
    for (const [node, hub, walk] of library.planner.to_nodes as [number, number, number[]][]) expect(planner.walkToNode(node, hub)).toEqual(walk);
    for (const [node, control, facing, clip] of library.planner.nearest) {
      expect(planner.nearestClip(node as number, control as object, facing as number)).toBe(clip);
    }
    expect(() => planner.clipsFor("somersault")).toThrow(library.planner.unknown);
  });

  it("finds places as the library does", () => {
    for (const [place, wishes, expected] of library.planner.places) {
      const [clips, distance, headingOff, isReached, isShortest] = expected as [number[], number, number, boolean, boolean];
      const walk = planner.walkToPlace(0, [0.3, -0.2, 0.7], place as number[], wishes as object);
      expect(walk).toMatchObject({ clips, isReached, isShortest });
      expect(walk.distance).toBeCloseTo(distance, 5);
      expect(walk.headingOff).toBeCloseTo(headingOff, 5);
      expect(walk.seconds).toBeCloseTo(planner.secondsOf(clips), 9);
    }
  });

  it("finds no walk to nodes that no clip enters", () => {
    expect(() => planner.walkToNode(0, planner.findNode("start of take 0"))).toThrow("no way from 'hub 0' to 'start of take 0'");
    expect(planner.walkToNode(1, 1)).toEqual([]);
    expect(planner.walkToNode(0, planner.findNode("end of take 0")).map((c) => graph.clips[c].name).pop()).toBe("end 0");
    expect(() => planner.nearestClip(planner.findNode("end of take 1"), {})).toThrow("no clip leaves node");
  });
});

describe("joints", () => {
  it("hang from their parents by their bones", () => {
    const player = new Player(graph);
    const { root, rotations } = emptyPose();
    const positions = new Float32Array(joints * 3);
    const { parents, offsets } = graph.skeleton;
    for (let step = 0; step < 20; step++) {
      player.step();
      player.writePose(root, rotations);
      writeJoints(graph.skeleton, root, rotations, positions);
      expect([...positions.subarray(0, 3)]).toEqual([...root]);
      for (let j = 1; j < joints; j++) {
        const away = [0, 1, 2].map((axis) => positions[j * 3 + axis] - positions[parents[j] * 3 + axis]);
        expect(Math.hypot(...away)).toBeCloseTo(Math.hypot(...offsets.subarray(j * 3, j * 3 + 3)), 5);
      }
    }
  });
});
