/** Where joints go: a line along the whole motion, brightest just behind the joint, faint ahead of it. */

import type { Object3D } from "three";

import { parseColour, type ViewColours } from "./colours";
import { LAYERS } from "./layers";
import { Ribbon } from "./ribbon";
import type { Trail } from "./types";

const LOOK = { thickness: 3, past: 0.4, future: 0.28, recent: 40, dash: 0 };

interface Kept {
  ribbon: Ribbon;
  colour: string;
}

export class Trails {
  private readonly kept = new Map<string, Kept>();
  private width = 1;
  private height = 1;

  constructor(
    private readonly scene: Object3D,
    private readonly colours: ViewColours,
  ) {}

  set(trails: Trail[]): void {
    for (const [id, trail] of this.kept) {
      if (trails.some((wanted) => wanted.id === id)) continue;
      trail.ribbon.dispose();
      this.kept.delete(id);
    }
    for (const trail of trails) {
      const { ribbon } = this.find(trail);
      ribbon.lay(trail.points);
      ribbon.setCurrent(trail.current);
    }
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    for (const { ribbon } of this.kept.values()) ribbon.setPicture(width, height);
  }

  /** Colours may be named by tokens, which differ between themes. */
  recolour(): void {
    for (const { ribbon, colour } of this.kept.values()) ribbon.setColour(parseColour(colour, this.colours.accent));
  }

  dispose(): void {
    this.set([]);
  }

  private find(trail: Trail): Kept {
    let kept = this.kept.get(trail.id);
    if (kept === undefined) {
      kept = { ribbon: new Ribbon(LOOK, LAYERS.trails), colour: "" };
      kept.ribbon.setPicture(this.width, this.height);
      this.kept.set(trail.id, kept);
      this.scene.add(kept.ribbon.mesh);
    }
    if (kept.colour !== trail.colour) {
      kept.colour = trail.colour;
      kept.ribbon.setColour(parseColour(trail.colour, this.colours.accent));
    }
    return kept;
  }
}
