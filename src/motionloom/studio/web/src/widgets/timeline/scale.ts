/** Time and pixels: what part of the timeline is seen, and how large. */

export interface Scale {
  offset: number; // seconds at the left edge
  perSecond: number; // pixels
  width: number; // pixels
}

/** Pixels kept free before the start, so that a playhead at zero can be seen and held. */
export const BEFORE = 10;
/** Pixels kept free behind the end when everything is shown. */
export const BEHIND = 28;
const WIDEST_FRAME = 48; // pixels
const ROOM_BEHIND = 0.25; // of the width: to drag the end outwards

export function toPixel(scale: Scale, time: number): number {
  return (time - scale.offset) * scale.perSecond;
}

export function toTime(scale: Scale, pixel: number): number {
  return scale.offset + pixel / scale.perSecond;
}

export function visible(scale: Scale): [number, number] {
  return [scale.offset, toTime(scale, scale.width)];
}

/** Show everything. */
export function fit(width: number, length: number): Scale {
  const room = Math.max(1, width - BEFORE - BEHIND);
  const perSecond = room / Math.max(length, 1e-3);
  return { offset: -BEFORE / perSecond, perSecond, width };
}

/** Show one range, with a little air around it. */
export function fitRange(width: number, range: [number, number], length: number, fps: number): Scale {
  const seconds = Math.max(range[1] - range[0], 1 / fps);
  const perSecond = (Math.max(1, width) * 0.8) / seconds;
  const offset = (range[0] + range[1]) / 2 - width / 2 / perSecond;
  return limit({ offset, perSecond, width }, length, fps);
}

/** The nearest scale that shows something: neither too small nor too large, nor beside the timeline. */
export function limit(scale: Scale, length: number, fps: number): Scale {
  const smallest = fit(scale.width, length).perSecond / 2;
  const largest = Math.max(WIDEST_FRAME * fps, smallest);
  const perSecond = Math.min(largest, Math.max(smallest, scale.perSecond));
  const first = -BEFORE / perSecond;
  const last = length + (ROOM_BEHIND * scale.width) / perSecond - scale.width / perSecond;
  const offset = Math.max(first, Math.min(last, scale.offset));
  return { offset, perSecond, width: scale.width };
}

/** Zoom so that the time under the pointer stays under it. */
export function zoomAt(scale: Scale, pixel: number, factor: number, length: number, fps: number): Scale {
  const anchor = toTime(scale, pixel);
  const perSecond = limit({ ...scale, perSecond: scale.perSecond * factor }, length, fps).perSecond;
  return limit({ offset: anchor - pixel / perSecond, perSecond, width: scale.width }, length, fps);
}

export function pan(scale: Scale, pixels: number, length: number, fps: number): Scale {
  return limit({ ...scale, offset: scale.offset + pixels / scale.perSecond }, length, fps);
}

/** Two fingers: the times that were under them stay under them. */
export function pinch(scale: Scale, from: [number, number], to: [number, number], length: number, fps: number): Scale {
  const spread = Math.max(8, Math.abs(from[1] - from[0]));
  const factor = Math.max(8, Math.abs(to[1] - to[0])) / spread;
  const [before, after] = [(from[0] + from[1]) / 2, (to[0] + to[1]) / 2];
  const zoomed = zoomAt(scale, before, factor, length, fps);
  return pan(zoomed, before - after, length, fps);
}

/** Keep a moving playhead in sight: scroll by a page when it leaves, unless it was out of sight already. */
export function follow(scale: Scale, before: number, now: number, length: number, fps: number): Scale {
  const [first, last] = visible(scale);
  const wasSeen = before >= first && before <= last;
  const isSeen = now >= first && now <= last;
  if (!wasSeen || isSeen) return scale;
  const lead = 0.08 * (last - first);
  return limit({ ...scale, offset: now - lead }, length, fps);
}
