import { describe, expect, it } from "vitest";
import { bitOf, BUTTONS, type Hands, HeldKeys, liveliness, type PadLike, readPad, ScreenPad } from "./pads";

const resting = (): Hands => ({ x: 0, y: 0, buttons: 0, struck: 0 });

/** One look at the keys or the screen. */
function look(at: { read(hands: Hands): void }): Hands {
  const hands = resting();
  at.read(hands);
  return hands;
}

function pad(axes: number[], pressed: Record<number, number> = {}, connected = true): PadLike {
  const buttons = Array.from({ length: 17 }, (_, n) => ({ pressed: (pressed[n] ?? 0) === 1, value: pressed[n] ?? 0 }));
  return { connected, axes, buttons };
}

function read(pad: PadLike): Hands {
  const hands = resting();
  readPad(pad, hands);
  return hands;
}

describe("a stick", () => {
  it("does nothing around its middle, in every direction alike", () => {
    for (let turn = 0; turn < 6.3; turn += 0.3) expect(liveliness(0.17 * Math.cos(turn), 0.17 * Math.sin(turn))).toBe(0);
  });

  it("begins at nothing, grows evenly and keeps its direction", () => {
    const sizes = [0.19, 0.3, 0.5, 0.7, 0.9].map((size) => size * liveliness(size * 0.6, size * 0.8));
    expect(sizes[0]).toBeLessThan(0.02);
    for (let n = 1; n < sizes.length; n++) expect(sizes[n]).toBeGreaterThan(sizes[n - 1]);
    const { x, y } = read(pad([0.3, -0.4]));
    expect(-x / y).toBeCloseTo(0.75);
  });

  it("reaches the rim though many sticks do not, and never goes beyond it", () => {
    for (const size of [0.95, 1, 1.4]) expect(size * liveliness(size, 0)).toBeCloseTo(1);
  });

  it("asks for left with a positive number, as headings count, and for ahead when it is pushed away", () => {
    expect(read(pad([-1, 0]))).toMatchObject({ x: 1 });
    expect(read(pad([0, -1]))).toMatchObject({ y: 1 });
  });

  it("yields to the directional pad if that is pushed farther", () => {
    expect(read(pad([-0.5, 0], { 15: 1 })).x).toBe(-1);
    expect(read(pad([0, 0], { 12: 1, 13: 1 })).y).toBe(0);
  });
});

describe("buttons", () => {
  it("are the bits of one number, as the standard gamepad has them", () => {
    expect(read(pad([0, 0], { 0: 1, 5: 1 })).buttons).toBe(bitOf("a") | bitOf("rb"));
  });

  it("that are triggers count from the half of their way", () => {
    expect(read(pad([0, 0], { 7: 0.4 })).buttons).toBe(0);
    expect(read(pad([0, 0], { 7: 0.6 })).buttons).toBe(bitOf("rt"));
  });

  it("of a disconnected gamepad are not held any more", () => {
    expect(read(pad([1, 1], { 0: 1 }, false))).toEqual(resting());
  });

  it("of few gamepads are missing", () => {
    expect(read({ connected: true, axes: [], buttons: [] })).toEqual(resting());
  });

  it("share no key with each other", () => {
    const codes = BUTTONS.flatMap((button) => button.codes);
    expect(new Set(codes).size).toBe(codes.length);
  });
});

describe("keys", () => {
  it("steer and press while they are held", () => {
    const keys = new HeldKeys();
    expect(["KeyA", "ArrowUp", "Digit2"].map((code) => keys.press(code))).toEqual([true, true, true]);
    const hands = resting();
    keys.read(hands);
    expect(hands).toEqual({ x: 0.6, y: 1, buttons: bitOf("b"), struck: bitOf("b") });
    keys.release("KeyA");
    const later = resting();
    keys.read(later);
    expect(later.x).toBe(0);
  });

  it("bend the path gently, with Shift as sharply as a stick at its end", () => {
    const keys = new HeldKeys();
    keys.press("KeyD");
    expect(keys.press("ShiftLeft")).toBe(false); // other handlers may need it too
    const hands = resting();
    keys.read(hands);
    expect(hands.x).toBe(-1);
    keys.release("ShiftLeft");
    const later = resting();
    keys.read(later);
    expect(later.x).toBe(-0.6);
  });

  it("that are not for driving are not handled", () => {
    expect(new HeldKeys().press("KeyG")).toBe(false);
  });

  it("for both ways at once ask for neither; two for one way are no more than one", () => {
    const keys = new HeldKeys();
    for (const code of ["KeyA", "KeyD", "KeyW", "ArrowUp"]) keys.press(code);
    const hands = resting();
    keys.read(hands);
    expect(hands).toMatchObject({ x: 0, y: 1 });
  });
});

describe("taps between two looks", () => {
  it("of keys count once: for steering and for buttons", () => {
    const keys = new HeldKeys();
    for (const code of ["KeyA", "Digit2"]) {
      keys.press(code);
      keys.release(code);
    }
    expect(look(keys)).toEqual({ x: 0.6, y: 0, buttons: 0, struck: bitOf("b") });
    expect(look(keys)).toEqual(resting());
  });

  it("of a key that was held before are a second press", () => {
    const keys = new HeldKeys();
    keys.press("Digit1");
    expect(look(keys)).toMatchObject({ buttons: bitOf("a"), struck: bitOf("a") });
    keys.press("Digit1"); // repeated by the keyboard
    expect(look(keys)).toMatchObject({ buttons: bitOf("a"), struck: 0 });
    keys.release("Digit1");
    keys.press("Digit1");
    expect(look(keys)).toMatchObject({ buttons: bitOf("a"), struck: bitOf("a") });
  });

  it("are gone when the window loses the keyboard", () => {
    const keys = new HeldKeys();
    keys.press("Digit1");
    keys.clear();
    expect(look(keys)).toEqual(resting());
  });

  it("on the screen count once too, and a stick that is held is where it is now", () => {
    const screen = new ScreenPad();
    screen.push(0.5, 1);
    screen.push(0, 0);
    screen.hold(bitOf("x"), true);
    screen.hold(bitOf("x"), false);
    expect(look(screen)).toEqual({ x: 0.5, y: 1, buttons: 0, struck: bitOf("x") });
    expect(look(screen)).toEqual(resting());
    screen.push(1, 0);
    screen.push(0.2, 0);
    expect(look(screen).x).toBe(0.2);
    expect(look(screen).x).toBe(0.2);
  });
});
