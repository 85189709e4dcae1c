// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from "vitest";
import { keyParts, SHORTCUTS, shortcutOf, Shortcuts, type ShortcutId } from "./shortcuts";

function key(key: string, more: KeyboardEventInit = {}): KeyboardEvent {
  return new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
}

function idsOf(event: KeyboardEvent): ShortcutId[] {
  return shortcutOf(event).map(({ id }) => id);
}

describe("keys on different keyboards", () => {
  it("mean what is printed on the help sheet", () => {
    expect(idsOf(key(" ", { code: "Space" }))).toEqual(["play"]);
    expect(idsOf(key("z", { ctrlKey: true }))).toEqual(["undo"]);
    expect(idsOf(key("Z", { ctrlKey: true, shiftKey: true }))).toEqual(["redo"]);
    expect(idsOf(key("z", { metaKey: true }))).toEqual(["undo"]);
    expect(idsOf(key("ArrowLeft"))).toEqual(["frameBack"]);
    expect(idsOf(key("ArrowLeft", { shiftKey: true }))).toEqual(["secondBack"]);
    expect(idsOf(key("?", { shiftKey: true }))).toEqual(["help"]);
    expect(idsOf(key("q"))).toEqual([]);
    expect(idsOf(key("f", { ctrlKey: true }))).toEqual([]);
  });

  it("find [ and ] behind AltGr, and by their place where they cannot be written", () => {
    expect(idsOf(key("[", { code: "Digit8", ctrlKey: true, altKey: true }))).toEqual(["loopStart"]);
    expect(idsOf(key("ü", { code: "BracketLeft" }))).toEqual(["loopStart"]);
    expect(idsOf(key("+", { code: "BracketRight" }))).toEqual(["zoomIn"]);
    expect(idsOf(key("[", { ctrlKey: true }))).toEqual([]);
  });

  it("find letters by their place on keyboards that write others, and never against what is written", () => {
    expect(idsOf(key("я", { code: "KeyZ", ctrlKey: true }))).toEqual(["undo"]);
    expect(idsOf(key("y", { code: "KeyZ", ctrlKey: true }))).toEqual(["redo"]);
    expect(idsOf(key("q", { code: "KeyM" }))).toEqual([]);
  });

  it("find figures on French keyboards and on the number pad", () => {
    expect(shortcutOf(key("é", { code: "Digit2" }))).toEqual([{ id: "chooseTrack", digit: 2 }]);
    expect(shortcutOf(key("7", { code: "Numpad7" }))).toEqual([{ id: "chooseTrack", digit: 7 }]);
  });
});

describe("the table", () => {
  it("gives no key two meanings", () => {
    const keys = Object.values(SHORTCUTS).flatMap((shortcut) => shortcut.keys);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("can be written down", () => {
    expect(keyParts("Ctrl+Shift+Z")).toEqual(["Ctrl", "Shift", "Z"]);
    expect(keyParts("Ctrl+Z", true)).toEqual(["⌘", "Z"]);
    expect(keyParts("+")).toEqual(["+"]);
    expect(keyParts("Shift+ArrowLeft")).toEqual(["Shift", "←"]);
  });
});

describe("the handler", () => {
  afterEach(() => document.body.replaceChildren());

  function setUp() {
    const shortcuts = new Shortcuts(window);
    const play = vi.fn();
    const undo = vi.fn();
    const end = shortcuts.register({ play, undo });
    return { shortcuts, play, undo, end };
  }

  function focused(markup: string): HTMLElement {
    document.body.innerHTML = markup;
    const element = document.body.querySelector<HTMLElement>("[data-it]")!;
    element.focus();
    return element;
  }

  it("does what is registered, once, until it is not any more", () => {
    const { play, end } = setUp();
    const event = key(" ");
    document.body.dispatchEvent(event);
    expect(play).toHaveBeenCalledTimes(1);
    expect(event.defaultPrevented).toBe(true);
    end();
    document.body.dispatchEvent(key(" "));
    expect(play).toHaveBeenCalledTimes(1);
  });

  it("ignores keys while text is edited", () => {
    const { play, undo, end } = setUp();
    for (const markup of ["<input data-it>", "<textarea data-it></textarea>", "<input type=number data-it>"]) {
      const element = focused(markup);
      element.dispatchEvent(key(" "));
      element.dispatchEvent(key("z", { ctrlKey: true }));
    }
    expect(play).not.toHaveBeenCalled();
    expect(undo).not.toHaveBeenCalled();
    focused("<input type=range data-it>").dispatchEvent(key(" "));
    expect(play).toHaveBeenCalledTimes(1);
    end();
  });

  it("undoes a choice while its list still has the focus, and leaves plain keys to the list", () => {
    const { play, undo, end } = setUp();
    const element = focused("<select data-it></select>");
    element.dispatchEvent(key(" "));
    element.dispatchEvent(key("z", { ctrlKey: true }));
    expect(play).not.toHaveBeenCalled();
    expect(undo).toHaveBeenCalledTimes(1);
    end();
  });

  it("plays when a button was clicked last, and presses a button that Tab led to", () => {
    const { play, end } = setUp();
    const button = focused("<button data-it>a</button>");
    button.dispatchEvent(new Event("pointerdown", { bubbles: true }));
    button.dispatchEvent(key("Home"));
    button.dispatchEvent(key(" "));
    expect(play).toHaveBeenCalledTimes(1);
    button.dispatchEvent(key("Tab"));
    button.dispatchEvent(key(" "));
    expect(play).toHaveBeenCalledTimes(1);
    end();
  });

  it("leaves arrows to sliders", () => {
    const shortcuts = new Shortcuts(window);
    const frameBack = vi.fn();
    const end = shortcuts.register({ frameBack });
    focused("<input type=range data-it>").dispatchEvent(key("ArrowLeft"));
    expect(frameBack).not.toHaveBeenCalled();
    document.body.dispatchEvent(key("ArrowLeft"));
    expect(frameBack).toHaveBeenCalledTimes(1);
    end();
  });

  it("does nothing behind an open dialog, except help", () => {
    const shortcuts = new Shortcuts(window);
    const [play, help] = [vi.fn(), vi.fn()];
    const end = shortcuts.register({ play, help });
    document.body.innerHTML = "<dialog open></dialog>";
    document.body.dispatchEvent(key(" "));
    document.body.dispatchEvent(key("h"));
    expect(play).not.toHaveBeenCalled();
    expect(help).toHaveBeenCalledTimes(1);
    end();
  });

  it("lets Tab go from field to field, and takes it in the timeline", () => {
    const shortcuts = new Shortcuts(window);
    const nextUncertain = vi.fn();
    const end = shortcuts.register({ nextUncertain });
    focused("<button data-it>a</button>").dispatchEvent(key("Tab"));
    expect(nextUncertain).not.toHaveBeenCalled();
    focused("<section data-takes-tab><button data-it>a</button></section>").dispatchEvent(key("Tab"));
    focused("<section data-takes-tab><button data-it>a</button></section>").dispatchEvent(key("Tab", { shiftKey: true }));
    expect(nextUncertain).toHaveBeenCalledTimes(1);
    end();
  });

  it("calls the last registered handler first, and passes on keys for which it returns false", () => {
    const { shortcuts, play } = setUp();
    const over = vi.fn(() => false);
    const end = shortcuts.register({ play: over });
    document.body.dispatchEvent(key(" "));
    expect(over).toHaveBeenCalledTimes(1);
    expect(play).toHaveBeenCalledTimes(1);
    end();
  });
});
