/** Draws what is laid over a lane: what was met and missed, joins, contacts, events. */

import { boxOf, diamondPath, fill, fillHatch, outline, roundedPath, traceDiamond, type LaneLook } from "./drawing";
import { toPixel, visible } from "./scale";
import type { Mark, Track } from "./types";

export function drawMarks(look: LaneLook, track: Track, marks: Mark[]): void {
  const [first, last] = visible(look.scale);
  const margin = 12 / look.scale.perSecond;
  for (const mark of marks) {
    if (mark.stop < first - margin || mark.start > last + margin) continue;
    DRAW_MARK[mark.kind](look, mark, track);
  }
}

const DRAW_MARK: Record<Mark["kind"], (look: LaneLook, mark: Mark, track: Track) => void> = {
  met(look, mark) {
    const { context, colours } = look;
    const box = boxOf(look, mark);
    context.fillStyle = colours.verified;
    context.fillRect(box.x, look.height - 2, box.width, 2);
    if (box.width > 30) drawSign(look, box.x + box.width - 11, "✓", colours.verified);
  },
  unknown(look, mark) {
    const { context, colours } = look;
    const box = boxOf(look, mark);
    context.fillStyle = colours.textDim;
    for (let x = box.x; x < box.x + box.width; x += 5) context.fillRect(x, look.height - 2, 2, 2);
  },
  missed: drawMissed,
  join: (look, mark) => drawJoin(look, mark, false),
  hard_join: (look, mark) => drawJoin(look, mark, true),
  contact(look, mark, track) {
    const { context, colours } = look;
    const box = boxOf(look, mark);
    context.fillStyle = colours.legible(track.colour);
    context.beginPath();
    context.roundRect(box.x, look.height - 7, box.width, 4, 2);
    context.fill();
  },
  event(look, mark) {
    const { context, colours } = look;
    const x = toPixel(look.scale, mark.start);
    context.fillStyle = colours.text;
    context.beginPath();
    context.moveTo(x - 4, 1);
    context.lineTo(x + 4, 1);
    context.lineTo(x, 7);
    context.fill();
  },
};

/** What could not be met: amber, hatched the other way, framed, with a sign where it fits. */
function drawMissed(look: LaneLook, mark: Mark): void {
  const { context, colours } = look;
  if (mark.isMoment) return drawMissedMoment(look, mark);
  const box = boxOf(look, mark);
  roundedPath(context, box);
  context.fillStyle = colours.panel;
  fill(context, 0.72);
  fillHatch(look, box, "warning", colours.unmet, 0.9);
  context.strokeStyle = colours.unmet;
  outline(context, box, 1.5);
  if (box.width > 20) drawSign(look, box.x + 11, "!", colours.unmet);
}

/** A moment that is missed: amber, framed, with a sign in it. */
function drawMissedMoment(look: LaneLook, mark: Mark): void {
  const { context, colours, height } = look;
  const box = diamondPath(look, mark);
  context.fillStyle = colours.unmet;
  context.fill();
  context.strokeStyle = colours.panel;
  context.lineWidth = 1;
  context.stroke();
  context.save();
  context.fillStyle = colours.inkOn(colours.unmet);
  context.font = `700 10px ${colours.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText("!", box.x + box.width / 2, height / 2 + 0.5);
  context.restore();
}

function drawSign(look: LaneLook, x: number, sign: string, colour: string): void {
  const { context, colours } = look;
  const y = look.height / 2;
  context.save();
  context.fillStyle = colour;
  context.strokeStyle = colours.panel;
  context.lineWidth = 1;
  context.beginPath();
  context.arc(x, y, 6.5, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
  context.fillStyle = colours.inkOn(colour);
  context.font = `700 10px ${colours.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(sign, x, y + 0.5);
  context.restore();
}

/** A hollow diamond where two pieces meet; a filled amber one where it shows. */
function drawJoin(look: LaneLook, mark: Mark, isHard: boolean): void {
  const { context, colours, height } = look;
  const x = toPixel(look.scale, (mark.start + mark.stop) / 2);
  const size = isHard ? 5.5 : 4;
  const middle = height / 2;
  context.save();
  context.fillStyle = isHard ? colours.unmet : colours.text;
  context.fillRect(x - 0.75, 1, 1.5, height - 2);
  traceDiamond(context, x, middle, size);
  context.fillStyle = isHard ? colours.unmet : colours.panel;
  context.fill();
  context.strokeStyle = isHard ? colours.panel : colours.text;
  context.lineWidth = 1.25;
  context.stroke();
  context.restore();
}
