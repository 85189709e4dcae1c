/** The hub graph that tests play; written by the library: tests/methods/snap/play/test_player_fixture.py */

import { readFileSync } from "node:fs";

import { type HubGraph, readHubs } from "../player";

/** The bytes of the file. */
export function hubFile(): ArrayBuffer {
  const bytes = readFileSync(new URL("../player/player.fixture.hubs", import.meta.url));
  return new Uint8Array(bytes).buffer;
}

/** The bytes of a file of clips that stand on steps. */
export function steppedFile(): ArrayBuffer {
  const bytes = readFileSync(new URL("../player/steps.fixture.hubs", import.meta.url));
  return new Uint8Array(bytes).buffer;
}

/** Its graph. */
export function hubGraph(): HubGraph {
  return readHubs(hubFile());
}
