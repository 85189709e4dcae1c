/** Popups, such as menus: drawn above everything else and wholly inside the window, beside what opened them. */

import type { Attachment } from "svelte/attachments";

export interface Box {
  left: number; // pixels of the window
  top: number;
  right: number;
  bottom: number;
}

export interface Size {
  width: number; // pixels
  height: number;
}

export interface Placed {
  left: number; // pixels of the window
  top: number;
  maxWidth: number;
  maxHeight: number; // of what does not fit, the rest is reached by scrolling
}

export interface FloatingOptions {
  align?: "left" | "right"; // which edges are in line
  gap?: number; // pixels between the popup and what opened it
}

const MARGIN = 4; // pixels that stay free at the edges of the window
const GAP = 4;

/**
 * Where a popup goes: below what opened it, else above it, else over it. At the edges of the window it is moved in.
 *
 * anchor: what opened it; a point for context menus. size: that the popup would like to have.
 */
export function placePopup(anchor: Box, size: Size, window: Size, align: "left" | "right" = "left", gap = GAP): Placed {
  const maxWidth = window.width - 2 * MARGIN;
  const maxHeight = window.height - 2 * MARGIN;
  const [width, height] = [Math.min(size.width, maxWidth), Math.min(size.height, maxHeight)];
  const below = anchor.bottom + gap;
  const above = anchor.top - gap - height;
  const isRoomBelow = below + height <= window.height - MARGIN;
  const top = isRoomBelow || above < MARGIN ? below : above;
  return {
    left: moveIn(align === "left" ? anchor.left : anchor.right - width, width, window.width),
    top: moveIn(top, height, window.height),
    maxWidth,
    maxHeight,
  };
}

/** Open an element as a popup beside what `anchor` says, and keep it there while the window and the popup change. */
export function floating(anchor: () => Box, { align = "left", gap = GAP }: FloatingOptions = {}): Attachment<HTMLElement> {
  return (popup) => {
    popup.popover = "manual"; // panels that scroll would cut it off
    popup.showPopover?.();
    const place = (): void => {
      Object.assign(popup.style, { maxWidth: "", maxHeight: "" });
      const { width, height } = popup.getBoundingClientRect();
      const placed = placePopup(anchor(), { width, height }, { width: innerWidth, height: innerHeight }, align, gap);
      Object.assign(popup.style, {
        left: `${placed.left}px`,
        top: `${placed.top}px`,
        maxWidth: width > placed.maxWidth ? `${placed.maxWidth}px` : "", // else as its style sheet has it
        maxHeight: height > placed.maxHeight ? `${placed.maxHeight}px` : "",
      });
    };
    const onscroll = ({ target }: Event): void => {
      if (!(target instanceof Node && popup.contains(target))) place();
    };
    const observer = typeof ResizeObserver === "undefined" ? null : new ResizeObserver(() => requestAnimationFrame(place));
    place();
    observer?.observe(popup);
    window.addEventListener("resize", place);
    document.addEventListener("scroll", onscroll, { capture: true, passive: true });
    return () => {
      observer?.disconnect();
      window.removeEventListener("resize", place);
      document.removeEventListener("scroll", onscroll, { capture: true });
    };
  };
}

/** The box of a point, for context menus. */
export function boxOfPoint(x: number, y: number): Box {
  return { left: x, top: y, right: x, bottom: y };
}

function moveIn(start: number, length: number, room: number): number {
  return Math.max(MARGIN, Math.min(start, room - MARGIN - length));
}
