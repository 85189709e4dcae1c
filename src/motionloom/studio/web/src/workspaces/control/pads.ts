/** Buttons: where they are on a gamepad, on the keyboard and on the screen. A set of them is the bits of one number. */

export type ButtonId = "a" | "b" | "x" | "y" | "lb" | "rb" | "lt" | "rt";

export interface PadButton {
  id: ButtonId;
  sign: string; // on the glyph
  place: string; // for people
  index: number; // in `buttons` of the standard gamepad
  codes: readonly string[]; // of keys, wherever the keyboard has them
  keys: string; // for people
}

/** In the order in which proposals fill them: what the right thumb reaches first. */
export const BUTTONS: readonly PadButton[] = [
  { id: "a", sign: "A", place: "lower button", index: 0, codes: ["Digit1", "KeyJ"], keys: "1" },
  { id: "b", sign: "B", place: "right button", index: 1, codes: ["Digit2", "KeyK"], keys: "2" },
  { id: "x", sign: "X", place: "left button", index: 2, codes: ["Digit3", "KeyU"], keys: "3" },
  { id: "y", sign: "Y", place: "upper button", index: 3, codes: ["Digit4", "KeyI"], keys: "4" },
  { id: "rb", sign: "RB", place: "right shoulder", index: 5, codes: ["Digit5", "KeyE"], keys: "5" },
  { id: "lb", sign: "LB", place: "left shoulder", index: 4, codes: ["Digit6", "KeyQ"], keys: "6" },
  { id: "rt", sign: "RT", place: "right trigger", index: 7, codes: ["Digit7", "KeyO"], keys: "7" },
  { id: "lt", sign: "LT", place: "left trigger", index: 6, codes: ["Digit8", "KeyP"], keys: "8" },
];

const TRIGGERED = 0.5; // of the way of a trigger
const [PAUSE, RESET] = [9, 8]; // "start" and "back" of the standard gamepad
const [UP, DOWN, LEFT, RIGHT] = [12, 13, 14, 15];
export const PAUSE_BIT = 1 << 16;
export const RESET_BIT = 1 << 17;

/** The current input; refilled for every frame, never allocated again. */
export interface Hands {
  x: number; // -1 right to 1 left: the way that curvature counts
  y: number; // -1 back to 1 forward
  buttons: number; // bits of those that are held, in the order of BUTTONS
  struck: number; // bits of those that were pressed since the last look, also if they were let go before it
}

export function bitOf(id: ButtonId): number {
  return 1 << BUTTONS.findIndex((button) => button.id === id);
}

/** A stick with a dead zone: nothing inside it, then evenly up to 1 at the rim. */
export function liveliness(x: number, y: number, dead = 0.18, rim = 0.95): number {
  const size = Math.hypot(x, y);
  if (!(size > dead)) return 0;
  return Math.min(1, (size - dead) / (rim - dead)) / size;
}

/** The parts of a `Gamepad` that are read, so that tests can make one. */
export interface PadLike {
  readonly connected: boolean;
  readonly axes: readonly number[];
  readonly buttons: readonly { readonly pressed: boolean; readonly value: number }[];
}

/** Add the input of a gamepad: the left stick, the directional pad, the buttons. The farthest push counts. */
export function readPad(pad: PadLike, hands: Hands): void {
  if (!pad.connected) return;
  const ax = pad.axes[0] ?? 0;
  const ay = pad.axes[1] ?? 0;
  const scale = liveliness(ax, ay);
  push(hands, -ax * scale, -ay * scale);
  const across = held(pad, LEFT) - held(pad, RIGHT);
  const along = held(pad, UP) - held(pad, DOWN);
  push(hands, across, along);
  for (let n = 0; n < BUTTONS.length; n++) if (held(pad, BUTTONS[n].index)) hands.buttons |= 1 << n;
  if (held(pad, PAUSE)) hands.buttons |= PAUSE_BIT;
  if (held(pad, RESET)) hands.buttons |= RESET_BIT;
}

/** Add a push; the farther one counts, separately for each axis. */
export function push(hands: Hands, x: number, y: number): void {
  if (Math.abs(x) > Math.abs(hands.x)) hands.x = x;
  if (Math.abs(y) > Math.abs(hands.y)) hands.y = y;
}

function held(pad: PadLike, index: number): 0 | 1 {
  const button = pad.buttons[index];
  return button !== undefined && (button.pressed || button.value > TRIGGERED) ? 1 : 0;
}

const STEERING: Readonly<Record<string, "left" | "right" | "forward" | "back">> = {
  KeyA: "left",
  ArrowLeft: "left",
  KeyD: "right",
  ArrowRight: "right",
  KeyW: "forward",
  ArrowUp: "forward",
  KeyS: "back",
  ArrowDown: "back",
};

const GENTLE = 0.6; // that a key bends the path, which has no half way; with Shift all of it
const SHIFTS = ["ShiftLeft", "ShiftRight"];

/**
 * The keys that are held down, and those that were tapped since the last look: taps shorter than a frame count for one.
 * Their combined input is computed when one of them changes.
 */
export class HeldKeys {
  private readonly codes = new Set<string>();
  private readonly tapped = new Set<string>(); // pressed since the last look
  private readonly asked: Hands = { x: 0, y: 0, buttons: 0, struck: 0 };

  /** Whether this key is one of ours; then it is held from now on. */
  press(code: string): boolean {
    const isOurs = code in STEERING || KEYED.has(code);
    if (!isOurs && !SHIFTS.includes(code)) return false;
    if (this.codes.has(code)) return isOurs; // the keyboard repeats what is held
    this.codes.add(code);
    this.tapped.add(code);
    this.add();
    return isOurs;
  }

  release(code: string): void {
    if (this.codes.delete(code)) this.add();
  }

  clear(): void {
    this.codes.clear();
    this.tapped.clear();
    this.add();
  }

  /** Add the input of the keys; taps are used up by this. */
  read(hands: Hands): void {
    push(hands, this.asked.x, this.asked.y);
    hands.buttons |= this.asked.buttons;
    hands.struck |= this.asked.struck;
    if (this.tapped.size === 0) return;
    this.tapped.clear();
    this.add();
  }

  private add(): void {
    const steering = [...new Set([...this.codes, ...this.tapped])];
    const count = (way: string): number => steering.filter((code) => STEERING[code] === way).length;
    const far = steering.some((code) => SHIFTS.includes(code)) ? 1 : GENTLE;
    this.asked.x = far * Math.sign(count("left") - count("right"));
    this.asked.y = Math.sign(count("forward") - count("back"));
    this.asked.buttons = bitsOf(this.codes);
    this.asked.struck = bitsOf(this.tapped);
  }
}

/** The stick and the buttons on the screen; taps shorter than a frame count for one, as those of keys do. */
export class ScreenPad {
  private readonly now: Hands = { x: 0, y: 0, buttons: 0, struck: 0 };
  private readonly tapped = { x: 0, y: 0 }; // where the stick was last pushed to since the last look

  push(x: number, y: number): void {
    [this.now.x, this.now.y] = [x, y];
    if (x !== 0 || y !== 0) [this.tapped.x, this.tapped.y] = [x, y];
  }

  hold(bit: number, isDown: boolean): void {
    if (isDown) this.now.struck |= bit;
    this.now.buttons = isDown ? this.now.buttons | bit : this.now.buttons & ~bit;
  }

  /** Add the input of the screen; taps are used up by this. */
  read(hands: Hands): void {
    const isLetGo = this.now.x === 0 && this.now.y === 0;
    if (isLetGo) push(hands, this.tapped.x, this.tapped.y);
    else push(hands, this.now.x, this.now.y);
    hands.buttons |= this.now.buttons;
    hands.struck |= this.now.struck;
    this.now.struck = this.tapped.x = this.tapped.y = 0;
  }
}

function bitsOf(codes: ReadonlySet<string>): number {
  let bits = 0;
  for (const code of codes) if (KEYED.has(code)) bits |= 1 << (KEYED.get(code) ?? 0);
  return bits;
}

const KEYED: ReadonlyMap<string, number> = new Map(BUTTONS.flatMap(({ codes }, n) => codes.map((code) => [code, n] as const)));
