import { describe, expect, it } from "vitest";
import { Random } from "../testing/random";
import type { Clock } from "./clock";
import { FADE, Player, type PoseSource } from "./player";
import type { Pose } from "./types";

class TestClock implements Clock {
  time = 1000;
  private waiting: ((stamp: number) => void) | null = null;
  now = () => this.time;
  request(callback: (stamp: number) => void): number {
    this.waiting = callback;
    return 1;
  }
  cancel(): void {
    this.waiting = null;
  }
  /** A frame of the screen after so many milliseconds; true if one was requested. */
  frame(milliseconds = 16): boolean {
    this.time += milliseconds;
    const callback = this.waiting;
    this.waiting = null;
    callback?.(this.time);
    return callback !== null;
  }
  run(seconds: number, random = new Random()): void {
    for (let left = seconds * 1000; left > 1e-9; ) {
      const step = Math.min(left, random.between(4, 40));
      this.frame(step);
      left -= step;
    }
  }
}

/** Stands at x = `x`, turned by `angle` about y. */
function still(x: number, angle: number, length = 10, isReady = () => true, skeleton = "s"): PoseSource {
  return {
    info: { id: `at ${x}`, fps: 30, frames: length * 30, skeleton },
    length,
    poseAt(_time, out) {
      if (!isReady()) return false;
      out.root.set([x, 1, 0]);
      out.rotations.set([Math.cos(angle / 2), 0, Math.sin(angle / 2), 0]);
      return true;
    },
  };
}

function poseOf(player: Player): Pose {
  const pose = { root: new Float32Array(3), rotations: new Float32Array(4) };
  player.pose(pose);
  return pose;
}

function playerWith(length = 10) {
  const clock = new TestClock();
  const player = new Player(clock);
  player.show(still(0, 0, length));
  return { clock, player };
}

describe("time", () => {
  it("equals the clock after thousands of uneven frames", () => {
    const { clock, player } = playerWith(10);
    player.setSpeed(0.7);
    player.play();
    clock.run(3600);
    expect(player.time).toBeCloseTo((3600 * 0.7) % 10, 6);
  });

  it("never leaves the loop while it plays", () => {
    const random = new Random(4);
    for (let trial = 0; trial < 40; trial++) {
      const { clock, player } = playerWith(10);
      const start = random.between(0, 8);
      const stop = start + random.between(0.1, 10 - start);
      player.setSpeed(random.between(0.1, 2));
      player.setLoop([start, stop]);
      player.seek(random.between(0, 10));
      player.play();
      for (let frame = 0; frame < 200; frame++) {
        clock.frame(random.between(1, 300));
        expect(player.time).toBeGreaterThanOrEqual(start - 1e-9);
        expect(player.time).toBeLessThanOrEqual(stop + 1e-9);
      }
    }
  });

  it("stops at the end when it does not loop, and starts again from the start", () => {
    const { clock, player } = playerWith(2);
    player.setLooping(false);
    player.play();
    clock.run(3);
    expect([player.time, player.playing]).toEqual([2, false]);
    expect(clock.frame()).toBe(false); // no frames are requested when nothing moves
    player.play();
    clock.run(0.5);
    expect(player.time).toBeCloseTo(0.5, 6);
  });

  it("goes on where it was when the page was hidden", () => {
    const { clock, player } = playerWith(10);
    player.play();
    clock.run(1);
    clock.frame(60_000);
    expect(player.time).toBeCloseTo(1, 6);
    clock.run(0.5);
    expect(player.time).toBeCloseTo(1.5, 6);
  });

  it("is not slowed by a loop whose edge is being dragged", () => {
    const { clock, player } = playerWith(10);
    player.play();
    for (let event = 0; event < 100; event++) {
      player.setLoop([0, 9 + event / 1000]);
      clock.time += 8;
      player.setLoop([0, 9 + event / 1000 + 0.0005]);
      clock.frame(8);
    }
    expect(player.time).toBeCloseTo(1.6, 6);
  });

  it("does not advance while the playhead is held", () => {
    const { clock, player } = playerWith(10);
    player.play();
    clock.run(1);
    player.hold();
    player.seek(4);
    clock.run(1);
    expect(player.time).toBe(4);
    player.release();
    clock.run(0.5);
    expect(player.time).toBeCloseTo(4.5, 6);
    expect(player.playing).toBe(true);
  });

  it("steps whole frames and stays in the motion", () => {
    const { player } = playerWith(1);
    player.seek(0.5);
    player.step(1);
    expect(player.time * 30).toBeCloseTo(16, 9);
    for (let k = 0; k < 40; k++) player.step(1);
    expect(player.time * 30).toBeCloseTo(29, 9);
    player.step(-100);
    expect(player.time).toBe(0);
  });

  it("keeps speed between a tenth and twice", () => {
    const { player } = playerWith();
    player.setSpeed(0);
    expect(player.speed).toBe(0.1);
    player.setSpeed(9);
    expect(player.speed).toBe(2);
  });
});

describe("another motion", () => {
  it("keeps the time where it can", () => {
    const { player } = playerWith(10);
    player.seek(6);
    player.show(still(1, 0, 8));
    expect(player.time).toBe(6);
    player.show(still(1, 0, 4));
    expect(player.time).toBe(4);
  });

  it("drops a loop that lies behind its end, and cuts one that reaches over it", () => {
    const { player } = playerWith(10);
    player.setLoop([2, 8]);
    player.show(still(1, 0, 5));
    expect(player.loop).toEqual([2, 5]);
    player.show(still(2, 0, 1));
    expect(player.loop).toBeNull();
  });

  it("fades in from the old one over a quarter of a second", () => {
    const { clock, player } = playerWith(10);
    player.play();
    player.show(still(1, Math.PI / 2), { crossfade: true });
    expect(poseOf(player).root[0]).toBe(0);
    let last = 0;
    for (let part = 1; part <= 5; part++) {
      clock.frame((FADE * 1000) / 5);
      const pose = poseOf(player);
      expect(pose.root[0]).toBeGreaterThan(last);
      expect(Math.hypot(...pose.rotations)).toBeCloseTo(1, 5);
      last = pose.root[0];
    }
    expect(last).toBe(1);
    expect(player.isFading).toBe(false);
  });

  it("plays as long as others go on, and stands in its last pose meanwhile", () => {
    const { clock, player } = playerWith(10);
    player.show(still(1, 0, 2), { seconds: 6 });
    expect(player.length).toBe(6);
    player.seek(5);
    expect(poseOf(player).root[0]).toBe(1);
    player.show(still(2, 0, 3), { crossfade: true, seconds: 8 });
    clock.frame();
    expect(poseOf(player).root[0]).toBeGreaterThanOrEqual(1);
    expect(player.length).toBe(8);
  });

  it("waits for its frames while the old one plays on", () => {
    const { clock, player } = playerWith(10);
    let isReady = false;
    player.play();
    player.show(still(1, 0, 10, () => isReady), { crossfade: true });
    for (let frame = 0; frame < 60; frame++) {
      clock.frame();
      expect(poseOf(player).root[0]).toBe(0);
    }
    expect(player.next?.info.id).toBe("at 1");
    expect(player.playing).toBe(true);
    isReady = true;
    for (let frame = 0; frame < 30; frame++) {
      clock.frame();
      poseOf(player);
    }
    expect(poseOf(player).root[0]).toBe(1);
  });

  it("that arrives during a fade waits for its end: poses never jump", () => {
    const { clock, player } = playerWith(10);
    player.play();
    const random = new Random(6);
    let before = poseOf(player).root[0];
    for (let frame = 0; frame < 400; frame++) {
      if (random.next() < 0.05) player.show(still(random.between(-1, 1), 0), { crossfade: true });
      clock.frame(16);
      const now = poseOf(player).root[0];
      expect(Math.abs(now - before)).toBeLessThan(0.25);
      before = now;
    }
  });

  it("of another skeleton is shown at once", () => {
    const { player } = playerWith(10);
    player.show(still(1, 0, 10, () => true, "other"), { crossfade: true });
    expect(poseOf(player).root[0]).toBe(1);
  });

  it("fades while paused too", () => {
    const { clock, player } = playerWith(10);
    player.show(still(1, 0), { crossfade: true });
    player.onFrame((each) => poseOf(each));
    for (let frame = 0; frame < 40; frame++) clock.frame();
    expect(poseOf(player).root[0]).toBe(1);
    expect(clock.frame()).toBe(false);
  });
});
