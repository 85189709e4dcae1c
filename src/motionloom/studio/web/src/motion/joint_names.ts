/** Names of joints for people: what they are to a body, where that is known, else as the skeleton calls them. */

import type { SkeletonData } from "./types";

export function jointName({ names, roles }: Pick<SkeletonData, "names" | "roles">, joint: number): string {
  const role = Object.keys(roles).find((known) => roles[known] === joint);
  return role === undefined ? (names[joint] ?? "") : role.replaceAll("_", " ");
}
