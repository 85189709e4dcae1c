import { describe, expect, it } from "vitest";
import { Random } from "../testing/random";
import { FrameCache } from "./frame_cache";
import { CHUNK, UNIT } from "../api/constants";
import { FrameStore } from "./frames";
import type { MotionInfo, Pose } from "./types";

const JOINTS = 3;

function infoOf(frames: number, fps = 30, id = "take:a"): MotionInfo {
  return { id, name: id, kind: "body", fps, frames, floor: 0, skeleton: "s", points: null };
}

type Quaternion = [number, number, number, number];

/** A motion that turns steadily, with a random sign for every quaternion. */
function turning(frames: number, random: Random) {
  const axes = Array.from({ length: JOINTS }, () => {
    const [x, y, z] = [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)];
    const length = Math.hypot(x, y, z);
    return [x / length, y / length, z / length];
  });
  const roots = new Float32Array(frames * 3).map(() => random.between(-5, 5));
  const rotations = new Int16Array(frames * JOINTS * 4);
  for (let frame = 0; frame < frames; frame++) {
    for (let joint = 0; joint < JOINTS; joint++) {
      const half = (frame * (0.05 + 0.03 * joint)) / 2;
      const sign = random.next() < 0.5 ? -1 : 1;
      const [x, y, z] = axes[joint].map((part) => part * Math.sin(half));
      [Math.cos(half), x, y, z].forEach((value, k) => (rotations[(frame * JOINTS + joint) * 4 + k] = Math.round(sign * value * UNIT)));
    }
  }
  return { roots, rotations };
}

function emptyPose(): Pose {
  return { root: new Float32Array(3), rotations: new Float32Array(JOINTS * 4) };
}

function slerp(a: Quaternion, b: Quaternion, part: number): Quaternion {
  let cosine = a.reduce((sum, value, k) => sum + value * b[k], 0);
  const to = cosine < 0 ? (b.map((value) => -value) as Quaternion) : b;
  cosine = Math.min(1, Math.abs(cosine));
  const angle = Math.acos(cosine);
  if (angle < 1e-6) return a;
  const [from, into] = [Math.sin((1 - part) * angle), Math.sin(part * angle)].map((value) => value / Math.sin(angle));
  return a.map((value, k) => value * from + to[k] * into) as Quaternion;
}

function quaternionOf(rotations: Int16Array, frame: number, joint: number): Quaternion {
  const at = (frame * JOINTS + joint) * 4;
  const parts = [...rotations.subarray(at, at + 4)];
  const length = Math.hypot(...parts);
  return parts.map((part) => part / length) as Quaternion;
}

function addChunk(store: FrameStore, motion: ReturnType<typeof turning>, start: number, stop: number) {
  store.add(start, motion.roots.slice(start * 3, stop * 3), motion.rotations.slice(start * JOINTS * 4, stop * JOINTS * 4));
}

describe("poses between frames", () => {
  it("equal a plain slerp, whatever the signs", () => {
    const random = new Random(3);
    const motion = turning(100, random);
    const store = new FrameStore(infoOf(100));
    addChunk(store, motion, 0, 100);
    const pose = emptyPose();
    for (let trial = 0; trial < 300; trial++) {
      const place = random.between(0, 99);
      const [frame, part] = [Math.floor(place), place - Math.floor(place)];
      expect(store.poseAt(place / 30, pose)).toBe(true);
      for (let axis = 0; axis < 3; axis++) {
        const [a, b] = [motion.roots[frame * 3 + axis], motion.roots[frame * 3 + 3 + axis]];
        expect(pose.root[axis]).toBeCloseTo(a + (b - a) * part, 3);
      }
      for (let joint = 0; joint < JOINTS; joint++) {
        const twin = slerp(quaternionOf(motion.rotations, frame, joint), quaternionOf(motion.rotations, frame + 1, joint), part);
        const found = [...pose.rotations.subarray(joint * 4, joint * 4 + 4)];
        expect(Math.hypot(...found)).toBeCloseTo(1, 5);
        const cosine = Math.abs(found.reduce((sum, value, k) => sum + value * twin[k], 0));
        expect(2 * Math.acos(Math.min(1, cosine))).toBeLessThan(2e-3);
      }
    }
  });

  it("are the frames themselves at their times, and the ends before and behind", () => {
    const motion = turning(40, new Random(5));
    const store = new FrameStore(infoOf(40));
    addChunk(store, motion, 0, 40);
    const pose = emptyPose();
    for (const [time, frame] of [[-1, 0], [0, 0], [0.1, 3], [0.7, 21], [39 / 30, 39], [99, 39]]) {
      expect(store.poseAt(time, pose)).toBe(true);
      expect(pose.root[0]).toBe(motion.roots[frame * 3]);
    }
  });
});

describe("chunks", () => {
  it("may come in any order and any pieces", () => {
    const random = new Random(11);
    const frames = 900;
    const motion = turning(frames, random);
    const whole = new FrameStore(infoOf(frames));
    addChunk(whole, motion, 0, frames);
    const pieces = new FrameStore(infoOf(frames));
    const cuts = [0, 100, 256, 300, 511, 512, 700, 900];
    const ranges = cuts.slice(1).map((stop, k) => [cuts[k], stop]);
    ranges.sort(() => random.next() - 0.5).forEach(([start, stop]) => addChunk(pieces, motion, start, stop));
    expect(pieces.isWhole).toBe(true);
    expect(pieces.bytes).toBe(whole.bytes);
    const [a, b] = [emptyPose(), emptyPose()];
    for (let trial = 0; trial < 200; trial++) {
      const time = random.between(0, frames / 30);
      expect(pieces.poseAt(time, a)).toBe(whole.poseAt(time, b));
      expect(a).toEqual(b);
    }
  });

  it("that are missing hold the nearest pose there is, and are reported", () => {
    const motion = turning(1500, new Random(2));
    const store = new FrameStore(infoOf(1500));
    const pose = emptyPose();
    pose.root[0] = 42;
    expect(store.poseAt(3, pose)).toBe(false);
    expect(pose.root[0]).toBe(42);
    addChunk(store, motion, 512, 768);
    expect(store.poseAt(0, pose)).toBe(false);
    expect(pose.root[0]).toBe(motion.roots[512 * 3]);
    expect(store.poseAt(1400 / 30, pose)).toBe(false);
    expect(pose.root[0]).toBe(motion.roots[767 * 3]);
    expect(store.poseAt(767.5 / 30, pose)).toBe(false);
    expect(store.poseAt(767 / 30, pose)).toBe(true);
  });

  it("are wanted around the playhead first, then ahead, and not twice", () => {
    const store = new FrameStore(infoOf(CHUNK * 20, 60));
    const time = (CHUNK * 8 + 30) / 60;
    const ranges = store.wanted(time, 1);
    expect(ranges[0]).toEqual([CHUNK * 8, CHUNK * 9]);
    expect(ranges[1]).toEqual([CHUNK * 9, CHUNK * 10]);
    expect(ranges[ranges.length - 1][0]).toBeLessThan(CHUNK * 8);
    ranges.forEach((range) => store.markAsked(range));
    expect(store.wanted(time, 1)).toEqual([]);
    store.forgetAsked();
    expect(store.wanted(time, 1)).toEqual(ranges);
    expect(store.wanted(time, -1)[1][0]).toBeLessThan(CHUNK * 8);
  });

  it("of the loop's start are wanted before its end is reached", () => {
    const store = new FrameStore(infoOf(CHUNK * 20, 60));
    const loop: [number, number] = [(CHUNK * 2) / 60, (CHUNK * 9) / 60];
    const starts = store.wanted((CHUNK * 8 + 100) / 60, 1, { loop, behind: 0 }).map(([start]) => start / CHUNK);
    expect(starts.slice(0, 3)).toEqual([8, 9, 2]);
    expect(Math.max(...starts)).toBe(9);
  });

  it("are never asked for outside the motion", () => {
    const random = new Random(9);
    for (let trial = 0; trial < 200; trial++) {
      const frames = random.whole(1, 3000);
      const store = new FrameStore(infoOf(frames));
      for (const [start, stop] of store.wanted(random.between(-2, 200), random.pick([1, -1]), { ahead: Infinity })) {
        expect(start).toBeGreaterThanOrEqual(0);
        expect(stop).toBeLessThanOrEqual(frames);
        expect(stop).toBeGreaterThan(start);
      }
    }
  });
});

describe("points", () => {
  it("are interpolated, and what was not seen stays unseen", () => {
    const info: MotionInfo = { ...infoOf(3), kind: "points", skeleton: null, points: ["a", "b"] };
    const store = new FrameStore(info);
    store.addPoints(0, new Float32Array([0, 0, 0, 1, 1, 1, 2, 4, 6, NaN, NaN, NaN, 4, 4, 4, 1, 1, 1]));
    const out = new Float32Array(6);
    expect(store.pointsAt(0.5 / 30, out)).toBe(true);
    expect([...out.subarray(0, 3)]).toEqual([1, 2, 3]);
    expect(out[3]).toBeNaN();
    expect(store.pointsAt(2 / 30, out)).toBe(true);
    expect([...out]).toEqual([4, 4, 4, 1, 1, 1]);
  });
});

describe("the cache", () => {
  function fill(store: FrameStore) {
    const { frames } = store.info;
    store.add(0, new Float32Array(frames * 3), new Int16Array(frames * JOINTS * 4));
  }

  it("asks again for what is not on the screen when takes have changed: a name may mean other frames", () => {
    const cache = new FrameCache();
    const [shown, other] = [cache.open(infoOf(256, 30, "a")), cache.open(infoOf(256, 30, "b"))];
    cache.keep(["a"]);
    cache.age();
    expect(cache.open(infoOf(256, 30, "a"))).toBe(shown);
    const again = cache.open(infoOf(256, 30, "b"));
    expect(again).not.toBe(other);
    expect(cache.open(infoOf(256, 30, "b"))).toBe(again);
    cache.keep(["b"]);
    expect(cache.open(infoOf(256, 30, "a"))).not.toBe(shown);
  });

  it("evicts the least recently used and keeps what is shown", () => {
    const cache = new FrameCache(3 * 256 * (12 + JOINTS * 8));
    for (const id of ["a", "b", "c"]) fill(cache.open(infoOf(256, 30, id)));
    cache.open(infoOf(256, 30, "a"));
    cache.keep(["b"]);
    fill(cache.open(infoOf(256, 30, "d")));
    cache.trim(0);
    expect(["a", "b", "c", "d"].filter((id) => cache.has(id))).toEqual(["a", "b", "d"]);
    expect(cache.bytes).toBeLessThanOrEqual(cache.budget);
  });

  it("stays in its budget even with one long motion, and keeps what is near the playhead", () => {
    const cache = new FrameCache(5 * 256 * (12 + JOINTS * 8));
    const store = cache.open(infoOf(256 * 20));
    cache.keep([store.info.id]);
    fill(store);
    cache.trim((256 * 10.5) / 30);
    expect(cache.bytes).toBeLessThanOrEqual(cache.budget);
    expect(store.has(256 * 10 + 5)).toBe(true);
    expect(store.has(0)).toBe(false);
  });

  it("starts over when a motion has changed", () => {
    const cache = new FrameCache();
    const before = cache.open(infoOf(256));
    expect(cache.open(infoOf(256))).toBe(before);
    expect(cache.open(infoOf(300))).not.toBe(before);
  });
});
