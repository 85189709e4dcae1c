import { describe, expect, it } from "vitest";
import { Random } from "../testing/random";
import { placePopup } from "./popups";

const WINDOW = { width: 1280, height: 720 };
const MARGIN = 4;

/** A box of a button at a place. */
const box = (left: number, top: number, width = 80, height = 28) => ({ left, top, right: left + width, bottom: top + height });

describe("a popup", () => {
  it("is below what opened it, at its left or its right edge, if there is room", () => {
    expect(placePopup(box(100, 100), { width: 220, height: 200 }, WINDOW)).toMatchObject({ left: 100, top: 132 });
    expect(placePopup(box(400, 100), { width: 220, height: 200 }, WINDOW, "right")).toMatchObject({ left: 260, top: 132 });
  });

  it("is above it at the lower edge of the window", () => {
    expect(placePopup(box(100, 680), { width: 220, height: 200 }, WINDOW).top).toBe(680 - 4 - 200);
  });

  it("is moved in at the right and the left edge", () => {
    expect(placePopup(box(1200, 100), { width: 220, height: 200 }, WINDOW).left).toBe(1280 - MARGIN - 220);
    expect(placePopup(box(10, 100), { width: 220, height: 200 }, WINDOW, "right").left).toBe(MARGIN);
  });

  it("covers what opened it if there is room neither below nor above", () => {
    const placed = placePopup(box(100, 180), { width: 220, height: 340 }, { width: 900, height: 380 });
    expect(placed.top).toBe(380 - MARGIN - 340);
  });

  it("is as high as the window if it is higher, and scrolls inside", () => {
    const placed = placePopup(box(100, 180), { width: 220, height: 900 }, { width: 900, height: 380 });
    expect(placed).toMatchObject({ top: MARGIN, maxHeight: 380 - 2 * MARGIN });
  });

  it("is wholly inside the window, wherever it is opened and however large it is", () => {
    const dice = new Random();
    const random = (): number => dice.next();
    for (let n = 0; n < 2000; n++) {
      const window = { width: 80 + 1500 * random(), height: 60 + 900 * random() };
      const size = { width: 600 * random(), height: 1200 * random() };
      const anchor = box(1.4 * window.width * random() - 100, 1.4 * window.height * random() - 100, 200 * random(), 60 * random());
      const { left, top, maxWidth, maxHeight } = placePopup(anchor, size, window, random() < 0.5 ? "left" : "right");
      const [width, height] = [Math.min(size.width, maxWidth), Math.min(size.height, maxHeight)];
      expect(left).toBeGreaterThanOrEqual(MARGIN);
      expect(top).toBeGreaterThanOrEqual(MARGIN);
      expect(left + width).toBeLessThanOrEqual(window.width - MARGIN + 1e-6);
      expect(top + height).toBeLessThanOrEqual(window.height - MARGIN + 1e-6);
      const isCut = size.height > window.height - 2 * MARGIN;
      if (!isCut) expect(height).toBe(size.height); // nothing is hidden that has room
    }
  });
});
