/** What part of a long row of frames is seen: zooming at the pointer, and panning. */

export interface Span {
  start: number; // frames, not always whole
  stop: number;
}

export const LEAST = 20; // frames that are seen at least

/** The nearest span that is inside [0, count] and not too short. */
export function inside(span: Span, count: number): Span {
  const length = Math.min(count, Math.max(Math.min(LEAST, count), span.stop - span.start));
  const start = Math.max(0, Math.min(count - length, span.start));
  return { start, stop: start + length };
}

/** Zoom so that what is at a share of the width stays there; a factor above 1 shows less. */
export function zoomAt(span: Span, share: number, factor: number, count: number): Span {
  const before = span.stop - span.start;
  const length = Math.min(count, Math.max(Math.min(LEAST, count), before / factor));
  const start = span.start + share * (before - length);
  return inside({ start, stop: start + length }, count);
}

/** Move on by a share of what is seen. */
export function panBy(span: Span, share: number, count: number): Span {
  const move = share * (span.stop - span.start);
  return inside({ start: span.start + move, stop: span.stop + move }, count);
}

/** Where a frame is, as a share of the width. */
export function shareOf(span: Span, frame: number): number {
  return (frame - span.start) / (span.stop - span.start);
}

/** The frame at a share of the width. */
export function frameAt(span: Span, share: number, count: number): number {
  const frame = Math.floor(span.start + share * (span.stop - span.start));
  return Math.max(0, Math.min(count - 1, frame));
}

/** Whole frames that cover what is seen. */
export function covering(span: Span, count: number): [number, number] {
  return [Math.max(0, Math.floor(span.start)), Math.min(count, Math.max(Math.ceil(span.stop), Math.floor(span.start) + 1))];
}
