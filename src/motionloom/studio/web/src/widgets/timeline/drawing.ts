/** Draws the stretches of one lane. */

import type { Colours } from "./colours";
import { stretchesIn } from "./edges";
import { hatch, type Hatch } from "./patterns";
import { toPixel, visible, type Scale } from "./scale";
import type { Stretch, Track } from "./types";

export interface LaneLook {
  context: CanvasRenderingContext2D;
  scale: Scale;
  height: number; // pixels
  ratio: number; // of the screen's pixels to CSS pixels
  colours: Colours;
}

const INSET = 3; // pixels between a stretch and the lane's borders
const RADIUS = 4;
const THIN = 7; // pixels: no room for hatches
const DIAMOND = 8; // pixels from the middle of a moment to its corners
const TEXT_ROOM = 22; // pixels: narrower stretches stay without text

export function clearLane(look: LaneLook, grid: number[]): void {
  const { context, scale, height, ratio, colours } = look;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, scale.width, height);
  context.font = `500 11px ${colours.font}`;
  context.textBaseline = "middle";
  context.fillStyle = colours.line;
  context.globalAlpha = 0.55;
  for (const x of grid) context.fillRect(Math.round(x), 0, 1 / Math.min(ratio, 2), height);
  context.globalAlpha = 1;
}

export function drawStretches(look: LaneLook, track: Track, stretches: Stretch[]): void {
  const [first, last] = visible(look.scale);
  for (const stretch of stretchesIn(stretches, first, last)) drawStretch(look, track, stretch);
}

function drawStretch(look: LaneLook, track: Track, stretch: Stretch): void {
  const box = boxOf(look, stretch);
  const colour = colourOf(look.colours, track, stretch);
  if (stretch.isMoment) return drawMoment(look, stretch, colour);
  if (box.width < THIN) drawThin(look, box, colour, stretch);
  else {
    roundedPath(look.context, box);
    fillKind(look, box, colour, stretch);
    const taken = drawPicture(look, box, stretch);
    if (box.width - taken > TEXT_ROOM) drawText(look, box, colour, stretch, taken);
  }
  if (stretch.selected) drawSelected(look, box);
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function boxOf(look: LaneLook, stretch: { start: number; stop: number }): Box {
  const left = toPixel(look.scale, stretch.start);
  const right = toPixel(look.scale, stretch.stop);
  // Half a pixel on either side keeps neighbours apart without moving their edges.
  const width = Math.max(1.5, right - left - 1);
  return { x: left + 0.5, y: INSET, width, height: look.height - 2 * INSET };
}

export function colourOf(colours: Colours, track: Track, stretch: Stretch): string {
  if (stretch.colour) return colours.legible(stretch.colour);
  if (stretch.kind === "must") return colours.must;
  if (stretch.kind === "must_not") return colours.mustNot;
  return colours.legible(track.colour);
}

function fillKind(look: LaneLook, box: Box, colour: string, stretch: Stretch): void {
  const { context, colours } = look;
  context.fillStyle = colour;
  context.strokeStyle = colour;
  switch (stretch.kind) {
    case "must":
      fill(context, 1);
      break;
    case "must_not":
      fill(context, 0.14);
      fillHatch(look, box, "stripes", colour, 0.55);
      outline(context, box, 1.5);
      break;
    case "verified":
      fill(context, 0.62);
      context.fillStyle = colours.verified;
      fillBorder(look, { ...box, y: box.y + box.height - 3, height: 3 }, [0, 0, RADIUS, RADIUS]);
      break;
    case "proposed":
      drawProposal(look, box, colour, stretch.confidence ?? 0.5);
      break;
    case "clip":
      fill(context, 0.2);
      fillBorder(look, { ...box, width: 4 }, [RADIUS, 0, 0, RADIUS]);
      outline(context, box, 1.5);
      break;
    case "piece":
      fill(context, 0.34);
      fillBorder(look, { ...box, height: 3 }, [RADIUS, RADIUS, 0, 0]);
      break;
    default: // holds, plain
      fill(context, 0.38);
      outline(context, box, 1, 0.7);
  }
}

/** A diamond at a moment: filled where it must hold exactly. */
function drawMoment(look: LaneLook, stretch: Stretch, colour: string): void {
  const { context, colours } = look;
  diamondPath(look, stretch);
  context.fillStyle = stretch.kind === "clip" ? colour : colours.panel;
  context.fill();
  context.strokeStyle = stretch.selected ? colours.accent : stretch.kind === "clip" ? colours.panel : colour;
  context.lineWidth = stretch.selected ? 2.5 : 1.5;
  context.stroke();
}

/** The outline of a diamond in the middle of a stretch; a little larger, to go around another one. */
export function diamondPath(look: LaneLook, { start, stop }: { start: number; stop: number }, more = 0): Box {
  const x = toPixel(look.scale, (start + stop) / 2);
  const y = look.height / 2;
  const size = Math.min(DIAMOND, y - 2) + more;
  traceDiamond(look.context, x, y, size);
  return { x: x - size, y: y - size, width: 2 * size, height: 2 * size };
}

/** A diamond about a point as the path that is filled or stroked next. */
export function traceDiamond(context: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  context.beginPath();
  context.moveTo(x, y - size);
  context.lineTo(x + size, y);
  context.lineTo(x, y + size);
  context.lineTo(x - size, y);
  context.closePath();
}

/** The less sure, the paler and the more of it dotted; its border is dashed until it is accepted. */
function drawProposal(look: LaneLook, box: Box, colour: string, confidence: number): void {
  const { context } = look;
  fill(context, 0.08 + 0.34 * confidence);
  fillHatch(look, box, "dots", colour, 0.95 - 0.7 * confidence);
  context.setLineDash(confidence >= 0.8 ? [5, 2] : [3, 3]);
  outline(context, box, 1, 0.55 + 0.45 * confidence);
  context.setLineDash([]);
}

/** Fills the path with a pattern that moves along with its box. */
export function fillHatch(look: LaneLook, box: Box, kind: Hatch, colour: string, alpha: number): void {
  const { context, ratio } = look;
  const x = Math.round(box.x * ratio) / ratio;
  context.translate(x, 0);
  context.fillStyle = hatch(context, kind, colour, ratio);
  fill(context, alpha);
  context.translate(-x, 0);
}

function fillBorder(look: LaneLook, box: Box, radii: number[]): void {
  const { context } = look;
  context.beginPath();
  context.roundRect(box.x, box.y, box.width, box.height, radii);
  context.fill();
}

function drawThin(look: LaneLook, box: Box, colour: string, stretch: Stretch): void {
  const { context } = look;
  context.fillStyle = colour;
  const isFaint = stretch.kind === "proposed" || stretch.kind === "holds" || stretch.kind === "piece";
  context.globalAlpha = isFaint ? 0.55 : 1;
  const isShort = stretch.kind === "must_not"; // hatches have no room: half the height distinguishes them
  context.fillRect(box.x, isShort ? box.y + box.height / 2 : box.y, box.width, isShort ? box.height / 2 : box.height);
  context.globalAlpha = 1;
}

/** Draws the picture of a stretch at its right end, which is what it comes to; the pixels that the text has to leave it. */
function drawPicture(look: LaneLook, box: Box, stretch: Stretch): number {
  const { picture } = stretch;
  if (picture === undefined) return 0;
  const height = box.height - 2;
  const width = (picture.width * height) / picture.height;
  if (box.width < width + 4) return 0;
  look.context.drawImage(picture, box.x + box.width - width - 2, box.y + 1, width, height);
  return width;
}

function drawText(look: LaneLook, box: Box, colour: string, stretch: Stretch, taken: number): void {
  const { context, colours, scale } = look;
  const text = (stretch.kind === "must_not" ? `✕ ${stretch.text ?? ""}` : (stretch.text ?? "")).trim();
  if (!text) return;
  // What begins to the left of the view keeps its text in sight.
  const left = Math.max(box.x, 0) + (stretch.kind === "clip" || stretch.kind === "piece" ? 9 : 6);
  const room = Math.min(box.x + box.width - taken, scale.width) - left - 5;
  if (room < 8) return;
  const middle = box.y + box.height / 2 + 0.5;
  const shown = shorten(context, text, room);
  if (stretch.kind === "must_not") {
    // A plain background under the text: nothing can be read on stripes.
    context.fillStyle = colours.panel;
    context.globalAlpha = 0.85;
    const width = context.measureText(shown).width;
    context.beginPath();
    context.roundRect(left - 3, middle - 7.5, width + 6, 14, 3);
    context.fill();
    context.globalAlpha = 1;
  }
  context.fillStyle = stretch.kind === "must" ? colours.inkOn(colour) : colours.text;
  context.fillText(shown, left, middle);
}

function drawSelected(look: LaneLook, box: Box): void {
  const { context, colours } = look;
  context.lineWidth = 2;
  context.strokeStyle = colours.accent;
  context.beginPath();
  context.roundRect(box.x, box.y - 1, box.width, box.height + 2, RADIUS + 1);
  context.stroke();
}

export function roundedPath(context: CanvasRenderingContext2D, box: Box): void {
  context.beginPath();
  context.roundRect(box.x, box.y, box.width, box.height, Math.min(RADIUS, box.width / 2));
}

export function fill(context: CanvasRenderingContext2D, alpha: number): void {
  context.globalAlpha = alpha;
  context.fill();
  context.globalAlpha = 1;
}

export function outline(context: CanvasRenderingContext2D, box: Box, width: number, alpha = 1): void {
  const half = width / 2;
  context.lineWidth = width;
  context.globalAlpha = alpha;
  context.beginPath();
  const radius = Math.max(0, Math.min(RADIUS, box.width / 2) - half);
  context.roundRect(box.x + half, box.y + half, Math.max(0, box.width - width), box.height - width, radius);
  context.stroke();
  context.globalAlpha = 1;
}

const shortened = new Map<string, string>();

function shorten(context: CanvasRenderingContext2D, text: string, room: number): string {
  const whole = Math.floor(room);
  const key = `${whole} ${text}`;
  let shown = shortened.get(key);
  if (shown === undefined) {
    shown = text;
    for (let length = text.length; length > 1 && context.measureText(shown).width > whole; length--) {
      shown = `${text.slice(0, length - 1).trimEnd()}…`;
    }
    if (context.measureText(shown).width > whole) shown = "";
    if (shortened.size > 4000) shortened.clear();
    shortened.set(key, shown);
  }
  return shown;
}
