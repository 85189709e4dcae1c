/** Choosing stretches without a pointer, and descriptions of tracks and stretches for screen readers. */

import { inOrder } from "./painting";
import type { Stretch, StretchKind, Track } from "./types";

const KIND_NAMES: Record<StretchKind, string> = {
  must: "must",
  must_not: "must not",
  holds: "holds",
  proposed: "proposed",
  verified: "verified",
  clip: "clip",
  piece: "piece",
  plain: "",
};

export interface Selected {
  track: Track;
  stretch: Stretch;
}

export function selectedIn(tracks: Track[]): Selected | null {
  for (const track of tracks) {
    const stretch = track.stretches.find((each) => each.selected);
    if (stretch) return { track, stretch };
  }
  return null;
}

/** The next or previous stretch of a track: from the selected one, else from the playhead. */
export function neighbour(track: Track, time: number, direction: 1 | -1): Stretch | null {
  const ordered = inOrder(track.stretches);
  if (ordered.length === 0) return null;
  const current = ordered.findIndex((stretch) => stretch.selected);
  if (current >= 0) return ordered[Math.max(0, Math.min(ordered.length - 1, current + direction))];
  if (direction > 0) return ordered.find((stretch) => stretch.stop > time) ?? ordered[ordered.length - 1];
  return [...ordered].reverse().find((stretch) => stretch.start <= time) ?? ordered[0];
}

/** The track above or below the chosen one. */
export function trackBeside(tracks: Track[], chosen: string | null, direction: 1 | -1): Track | null {
  if (tracks.length === 0) return null;
  const index = tracks.findIndex((track) => track.id === chosen);
  if (index < 0) return direction > 0 ? tracks[0] : tracks[tracks.length - 1];
  return tracks[Math.max(0, Math.min(tracks.length - 1, index + direction))];
}

/** "must, 0.50 to 2.00 s, missed". */
export function describeStretch(stretch: Stretch, track?: Track): string {
  const name = [KIND_NAMES[stretch.kind], stretch.text ?? ""].filter(Boolean).join(" ") || "stretch";
  const sure = stretch.confidence === undefined ? "" : `, ${Math.round(stretch.confidence * 100)} % sure`;
  const isMissed = track?.marks?.some(
    (mark) => mark.kind === "missed" && mark.start < stretch.stop && mark.stop > stretch.start,
  );
  return `${name}, ${stretch.start.toFixed(2)} to ${stretch.stop.toFixed(2)} s${sure}${isMissed ? ", missed" : ""}`;
}

const MOST_DESCRIBED = 8;

/** The description of a track for screen readers. */
export function describeTrack(track: Track): string {
  if (track.plot) return `${track.name}: curve from ${track.plot.low} to ${track.plot.high} ${track.plot.unit}`;
  const all = inOrder(track.stretches);
  if (all.length === 0) return `${track.name}: empty${track.paintable ? ", drag to paint" : ""}`;
  const descriptions = all.slice(0, MOST_DESCRIBED).map((stretch) => describeStretch(stretch, track));
  const rest = all.length > MOST_DESCRIBED ? `; and ${all.length - MOST_DESCRIBED} more` : "";
  return `${track.name}: ${all.length} ${all.length === 1 ? "stretch" : "stretches"}: ${descriptions.join("; ")}${rest}`;
}
