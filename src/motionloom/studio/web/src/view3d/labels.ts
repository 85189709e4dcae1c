/** Text labels in the view, as small HTML elements over the picture: crisp on every screen, in the font of the page. */

import type { Matrix4 } from "three";

import { findSpot, type Spot } from "./picking";

interface Label {
  element: HTMLElement;
  x: number;
  y: number;
  z: number;
  below: number; // pixels under the point; negative above it
  isUsed: boolean;
  shownAt: string;
}

const STYLE =
  "position:absolute;left:0;top:0;white-space:nowrap;pointer-events:none;user-select:none;will-change:transform;" +
  "padding:1px 6px;border-radius:999px;font:500 11px/16px system-ui,sans-serif;font-variant-numeric:tabular-nums;" +
  "color:var(--view-label-text,#23272f);background:var(--view-label,#ffffffd9);box-shadow:0 0 0 1px var(--view-label-line,#00000014);";

export class Labels {
  private readonly layer: HTMLElement;
  private readonly labels = new Map<string, Label>();
  private readonly spot: Spot = { x: 0, y: 0, depth: 0 };

  constructor(canvas: HTMLCanvasElement) {
    this.layer = canvas.ownerDocument.createElement("div");
    this.layer.style.cssText = "position:absolute;inset:0;overflow:hidden;pointer-events:none;contain:strict";
    this.layer.setAttribute("aria-hidden", "true"); // the inspector has the same as text
    canvas.after(this.layer);
  }

  /** Put a label at a point of the world, under a name; the same name again moves or changes it. */
  put(name: string, text: string, x: number, y: number, z: number, below = 0, strong = false): void {
    let label = this.labels.get(name);
    if (label === undefined) {
      const element = this.layer.ownerDocument.createElement("div");
      element.style.cssText = STYLE;
      this.layer.append(element);
      label = { element, x, y, z, below, isUsed: true, shownAt: "" };
      this.labels.set(name, label);
    }
    if (label.element.textContent !== text) label.element.textContent = text;
    const weight = strong ? "650" : "500";
    if (label.element.style.fontWeight !== weight) label.element.style.fontWeight = weight;
    label.x = x;
    label.y = y;
    label.z = z;
    label.below = below;
    label.isUsed = true;
  }

  /** Write it lower (or, negative, higher) by some pixels. */
  shift(name: string, below: number): void {
    const label = this.labels.get(name);
    if (label !== undefined) label.below = below;
  }

  remove(name: string): void {
    this.labels.get(name)?.element.remove();
    this.labels.delete(name);
  }

  /** Forget those of a kind ("waypoint:") that are not put again before `sweep`. */
  begin(kind: string): void {
    for (const [name, label] of this.labels) if (name.startsWith(kind)) label.isUsed = false;
  }

  sweep(kind: string): void {
    for (const [name, label] of this.labels) if (name.startsWith(kind) && !label.isUsed) this.remove(name);
  }

  /** Bring all to their places in the picture; elements that did not move are not touched. */
  place(matrix: Matrix4, width: number, height: number): void {
    for (const label of this.labels.values()) {
      const spot = findSpot(matrix, label.x, label.y, label.z, width, height, this.spot);
      const isSeen = spot.depth > 0 && spot.x > -80 && spot.x < width + 80 && spot.y > -40 && spot.y < height + 40;
      const at = isSeen
        ? `translate(${spot.x.toFixed(1)}px,${(spot.y + label.below).toFixed(1)}px) translate(-50%,-50%)`
        : "translate(-9999px,0)";
      if (at === label.shownAt) continue;
      label.shownAt = at;
      label.element.style.transform = at;
    }
  }

  dispose(): void {
    this.layer.remove();
    this.labels.clear();
  }
}
