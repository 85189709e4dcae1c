/** All keys of the studio: one table for the handler and for the help sheet. */

export type Where = "everywhere" | "playing" | "timeline" | "annotate" | "buildup" | "control" | "view";

export interface Shortcut {
  keys: string[]; // "Ctrl+Shift+Z"; "1-9" is any of these figures
  where: Where;
  does: string; // for people
}

const TABLE = {
  undo: { keys: ["Ctrl+Z"], where: "everywhere", does: "Undo" },
  redo: { keys: ["Ctrl+Shift+Z", "Ctrl+Y"], where: "everywhere", does: "Redo" },
  help: { keys: ["H", "?"], where: "everywhere", does: "Show or hide this sheet" },
  cancel: { keys: ["Escape"], where: "everywhere", does: "Cancel what is being dragged, close what is open" },

  play: { keys: ["Space"], where: "playing", does: "Play or pause" },
  frameBack: { keys: ["ArrowLeft"], where: "playing", does: "One frame back" },
  frameForward: { keys: ["ArrowRight"], where: "playing", does: "One frame forward" },
  secondBack: { keys: ["Shift+ArrowLeft"], where: "playing", does: "One second back" },
  secondForward: { keys: ["Shift+ArrowRight"], where: "playing", does: "One second forward" },
  toStart: { keys: ["Home"], where: "playing", does: "To the start" },
  toEnd: { keys: ["End"], where: "playing", does: "To the end" },
  loopStart: { keys: ["["], where: "playing", does: "Loop from the playhead" },
  loopStop: { keys: ["]"], where: "playing", does: "Loop up to the playhead" },
  loop: { keys: ["L"], where: "playing", does: "Loop on or off" },

  chooseTrack: { keys: ["1-9"], where: "timeline", does: "Choose a track" },
  trackUp: { keys: ["ArrowUp"], where: "timeline", does: "Choose the track above" },
  trackDown: { keys: ["ArrowDown"], where: "timeline", does: "Choose the track below" },
  previousStretch: { keys: [","], where: "timeline", does: "Select the stretch before" },
  nextStretch: { keys: ["."], where: "timeline", does: "Select the next stretch" },
  paintHere: { keys: ["P"], where: "timeline", does: "Paint the loop range, or a second from the playhead, on the chosen track; in Build-up put in the pose that is tried, in Direct pin the joint" },
  startHere: { keys: ["I"], where: "timeline", does: "Start the selected stretch at the playhead" },
  stopHere: { keys: ["O"], where: "timeline", does: "End the selected stretch at the playhead" },
  eraseStretch: { keys: ["Delete"], where: "timeline", does: "Erase the selected stretch" },
  toolMust: { keys: ["M"], where: "timeline", does: "Paint must" },
  toolMustNot: { keys: ["N"], where: "timeline", does: "Paint must not" },
  toolErase: { keys: ["E"], where: "timeline", does: "Erase" },
  toolSelect: { keys: ["V"], where: "timeline", does: "Select and move" },
  zoomIn: { keys: ["+", "="], where: "timeline", does: "Zoom in at the playhead" },
  zoomOut: { keys: ["-"], where: "timeline", does: "Zoom out" },
  zoomFit: { keys: ["0"], where: "timeline", does: "Show the whole timeline" },

  accept: { keys: ["Enter"], where: "annotate", does: "Accept the proposal; in Build-up the way that is shown" },
  reject: { keys: ["Backspace"], where: "annotate", does: "Reject the proposal; in Build-up give up the pose that is tried, else take the last one away" },
  nextUncertain: { keys: ["Tab"], where: "annotate", does: "Next uncertain stretch" },

  nextWay: { keys: ["W"], where: "buildup", does: "Show another way" },
  wishLeft: { keys: ["Alt+ArrowLeft"], where: "buildup", does: "Move the pose that is tried, the selected one in the middle, or where all begins, to the left; in Direct the pin" },
  wishRight: { keys: ["Alt+ArrowRight"], where: "buildup", does: "Move it to the right" },
  wishAway: { keys: ["Alt+ArrowUp"], where: "buildup", does: "Move it away; in Direct up" },
  wishNear: { keys: ["Alt+ArrowDown"], where: "buildup", does: "Move it nearer; in Direct down" },
  wishTurnLeft: { keys: ["Shift+Alt+ArrowLeft"], where: "buildup", does: "Turn it to the left; in Direct move the pin away" },
  wishTurnRight: { keys: ["Shift+Alt+ArrowRight"], where: "buildup", does: "Turn it to the right; in Direct nearer" },

  resetDrive: { keys: ["R"], where: "control", does: "Start again (Space pauses)" },

  frameCharacter: { keys: ["F"], where: "view", does: "Bring the character into view" },
  grid: { keys: ["G"], where: "view", does: "Grid on or off" },
  compare: { keys: ["B"], where: "view", does: "In Direct: the motion as it was before, and back" },
  stick: { keys: ["S"], where: "view", does: "Body or stick figure" },
} as const satisfies Record<string, Shortcut>;

export type ShortcutId = keyof typeof TABLE;
export const SHORTCUTS: Record<ShortcutId, Shortcut> = TABLE;

/** Keys that are held while a character is driven, for the help sheet; they mean this in Control alone. */
export const DRIVING: Shortcut[] = [
  { keys: ["A", "D"], where: "control", does: "Bend the path to the left, to the right, with Shift sharper; arrows do the same" },
  { keys: ["W", "S"], where: "control", does: "Faster, slower" },
  { keys: ["1-8"], where: "control", does: "The buttons" },
];

/** Gestures of the pointer, for the help sheet; the same everywhere. */
export const GESTURES: { gesture: string; does: string }[] = [
  { gesture: "Drag", does: "Paint with the chosen tool, or move" },
  { gesture: "Alt + drag", does: "Erase" },
  { gesture: "Shift", does: "While dragging: do not snap" },
  { gesture: "Wheel", does: "Zoom at the pointer" },
  { gesture: "Shift + wheel, middle drag, two fingers", does: "Pan" },
  { gesture: "Drag on the ruler", does: "Scrub" },
  { gesture: "Drag along the top of the ruler", does: "Set the loop range; double click takes it away" },
  { gesture: "Double click on a stretch", does: "Select and loop it" },
];

export interface Pressed {
  id: ShortcutId;
  digit: number | null; // of "1-9"
}

/** What a key means, wherever the keyboard has it; null for all other keys. */
export function shortcutOf(event: KeyboardEvent): Pressed[] {
  const found = entries().filter(([, shortcut]) => shortcut.keys.some((key) => isKey(event, key)));
  const means = found.length > 0 ? found : entries().filter(([, { keys }]) => keys.some((key) => isAtPlaceOf(event, key)));
  return means.map(([id]) => ({ id, digit: digitOf(event) }));
}

/** "Ctrl Shift Z" as it is written on the help sheet. */
export function keyParts(key: string, isApple = false): string[] {
  const signs: Record<string, string> = {
    ArrowLeft: "←",
    ArrowRight: "→",
    ArrowUp: "↑",
    ArrowDown: "↓",
    Escape: "Esc",
    "1-9": "1 … 9",
    "1-8": "1 … 8",
    "-": "−",
    Ctrl: isApple ? "⌘" : "Ctrl",
  };
  return split(key).map((part) => signs[part] ?? part);
}

type Action = (pressed: Pressed, event: KeyboardEvent) => void | boolean;
export type Actions = Partial<Record<ShortcutId, Action>>;

/** Listens to keys and calls the action that was registered last; an action that returns false passes the key on. */
export class Shortcuts {
  private readonly registered: Actions[] = [];
  private readonly taken = new Set<string>();

  constructor(private readonly target: Pick<EventTarget, "addEventListener" | "removeEventListener"> | null) {}

  register(actions: Actions): () => void {
    if (this.registered.length === 0) this.listen(true);
    this.registered.push(actions);
    return () => {
      const index = this.registered.indexOf(actions);
      if (index >= 0) this.registered.splice(index, 1);
      if (this.registered.length === 0) this.listen(false);
    };
  }

  /** Runs the action of a key; true if there was one. */
  handle(event: KeyboardEvent): boolean {
    if (event.defaultPrevented || event.isComposing) return false;
    for (const pressed of shortcutOf(event)) {
      if (belongsToElement(event, pressed.id)) continue;
      for (const actions of [...this.registered].reverse()) {
        const action = actions[pressed.id];
        if (!action || action(pressed, event) === false) continue;
        event.preventDefault();
        return true;
      }
    }
    return false;
  }

  private listen(isOn: boolean): void {
    const change = isOn ? "addEventListener" : "removeEventListener";
    this.target?.[change]("keydown", this.down as EventListener);
    this.target?.[change]("keyup", this.up as EventListener);
    this.target?.[change]("pointerdown", noteTouch, true);
  }

  private readonly down = (event: KeyboardEvent): void => {
    if (event.key === "Tab") touched = null;
    if (this.handle(event)) this.taken.add(event.code);
  };

  /** Some browsers press a focused button when Space is let go. */
  private readonly up = (event: KeyboardEvent): void => {
    if (this.taken.delete(event.code)) event.preventDefault();
  };
}

export const shortcuts = new Shortcuts(typeof window === "undefined" ? null : window);

function entries(): [ShortcutId, Shortcut][] {
  return Object.entries(SHORTCUTS) as [ShortcutId, Shortcut][];
}

function split(key: string): string[] {
  return key === "+" ? ["+"] : key.split("+").filter(Boolean);
}

function isKey(event: KeyboardEvent, key: string): boolean {
  if (key === "1-9") return hasNoModifiers(event) && digitOf(event) !== null;
  const parts = split(key);
  const name = parts[parts.length - 1];
  if (name.length === 1 && !/[A-Z]/.test(name)) {
    // Signs stand elsewhere on every keyboard, some behind Shift or AltGr: only what they write counts.
    const isAltGraph = event.ctrlKey && event.altKey;
    return event.key === name && !event.metaKey && (!event.ctrlKey || isAltGraph);
  }
  const isNamed = name === "Space" ? event.key === " " : event.key.toLowerCase() === name.toLowerCase();
  return isNamed && hasModifiers(event, parts);
}

/** Keyboards that write other letters: by where the key is. */
function isAtPlaceOf(event: KeyboardEvent, key: string): boolean {
  const parts = split(key);
  const name = parts[parts.length - 1];
  if (name === "[" || name === "]") {
    return event.code === (name === "[" ? "BracketLeft" : "BracketRight") && hasNoModifiers(event);
  }
  const writesLatin = /^[\x20-\x7e]$/.test(event.key) || event.key.length > 1;
  return !writesLatin && /^[A-Z]$/.test(name) && event.code === `Key${name}` && hasModifiers(event, parts);
}

function hasModifiers(event: KeyboardEvent, parts: string[]): boolean {
  const isControl = event.ctrlKey || event.metaKey;
  return (
    isControl === parts.includes("Ctrl") &&
    event.shiftKey === parts.includes("Shift") &&
    event.altKey === parts.includes("Alt")
  );
}

function hasNoModifiers(event: KeyboardEvent): boolean {
  return !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
}

/** Figures by the place of their key (French keyboards write them with Shift), or as written. */
function digitOf(event: KeyboardEvent): number | null {
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1] ?? (/^[1-9]$/.test(event.key) ? event.key : null);
  return digit === null ? null : Number(digit);
}

const MOVING_KEYS = /^(Arrow|Home$|End$|Page)/;

/** Keys that the focused element needs itself: text, lists, sliders, and buttons reached by keyboard. */
function belongsToElement(event: KeyboardEvent, id: ShortcutId): boolean {
  const element = event.target instanceof Element ? event.target : null;
  const isSheetOpen = typeof document !== "undefined" && document.querySelector("dialog[open]") !== null;
  if (isSheetOpen) return id !== "help" || isTyping(element);
  if (!element) return false;
  if (element.matches("select")) return !event.ctrlKey && !event.metaKey; // a list has no steps of its own to undo
  if (isTyping(element)) return true;
  if (element.matches("input[type=range], [role=separator]")) return MOVING_KEYS.test(event.key);
  if (element.matches("input[type=checkbox], input[type=radio]")) return event.key === " " || MOVING_KEYS.test(event.key);
  const presses = event.key === " " || event.key === "Enter";
  if (presses && element.closest(PRESSABLE)) return isByKeyboard(element);
  if (event.key === "Tab") return !(element === document.body || element.closest("[data-takes-tab]"));
  return false;
}

function isTyping(element: Element | null): boolean {
  if (!element) return false;
  const others = "[type=range], [type=checkbox], [type=radio], [type=button], [type=color], [type=file]";
  if (element.matches("input")) return !element.matches(others);
  return element.matches("textarea, select") || element.closest("[contenteditable=''], [contenteditable=true]") !== null;
}

const PRESSABLE = "button, a[href], summary, [role=button], [role=option], [role=tab]";
let touched: Element | null = null; // had the focus from a pointer; browsers forget that with the next key

function noteTouch(event: Event): void {
  touched = event.target instanceof Element ? event.target.closest(PRESSABLE) : null;
}

function isByKeyboard(element: Element): boolean {
  if (touched !== null && touched === element.closest(PRESSABLE)) return false;
  try {
    return element.matches(":focus-visible");
  } catch {
    return true; // in browsers that do not know :focus-visible, the button keeps its key
  }
}
