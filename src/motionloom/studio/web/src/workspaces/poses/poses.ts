/** Poses of the palette: how a request names them, and how people do. */

import type * as T from "../../api/types";
import { paletteColour } from "../../palette";

export const poseOf = ({ take, frame }: T.PoseCard): T.Pose => ({ take, frame });

export function cardOf(cards: readonly T.PoseCard[], group: number): T.PoseCard | null {
  return cards.find((card) => card.group === group) ?? null;
}

/** The card that a pose of a request is shown by; null for one that is named in another way. */
export function cardOfPose(cards: readonly T.PoseCard[], pose: T.Pose | null): T.PoseCard | null {
  if (pose === null) return null;
  if (typeof pose.label === "string") return cards.find((card) => card.labels[0] === pose.label) ?? null;
  return cards.find((card) => card.take === pose.take && card.frame === pose.frame) ?? null;
}

/** "punch left", or "pose 7" where no label tells it from others: its number in the palette. */
export function nameOf(cards: readonly T.PoseCard[], card: T.PoseCard): string {
  const same = card.labels.length > 0 ? cards.filter(({ labels }) => labels[0] === card.labels[0]) : [];
  if (same.length === 0) return `pose ${cards.indexOf(card) + 1}`;
  const word = card.labels[0].replaceAll("_", " ");
  return same.length === 1 ? word : `${word} ${same.indexOf(card) + 1}`;
}

/** A sentence with poses as the palette calls them: "frame 407 of walk/1" is "walk 2". */
export function withNames(cards: readonly T.PoseCard[], sentence: string): string {
  return sentence.replace(/frame (\d+) of ([^\s,:;]+)/g, (whole, frame: string, take: string) => {
    const card = cardOfPose(cards, { take, frame: Number(frame) });
    return card === null ? whole : nameOf(cards, card);
  });
}

/** Poses that lie side by side have other colours. */
export const colourOf = (cards: readonly T.PoseCard[], card: T.PoseCard): string => paletteColour(cards.indexOf(card));

/** "0.6 s"; "" where it is not known. */
export const secondsText = (seconds: number | null | undefined): string =>
  typeof seconds === "number" ? `${seconds.toFixed(1)} s` : "";
