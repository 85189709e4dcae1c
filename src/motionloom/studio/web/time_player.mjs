// Prints how long the player of hub graphs takes for a frame: node time_player.mjs FILE.hubs

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { build } from "vite";

const entry = fileURLToPath(new URL("src/player/timing.ts", import.meta.url));
const lib = { entry, formats: ["es"], fileName: "timing" };
const made = await build({ configFile: false, publicDir: false, logLevel: "error", build: { lib, write: false, target: "es2022" } });
const { code } = [made].flat()[0].output[0];
const { timePlayer } = await import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);
console.log(JSON.stringify(timePlayer(new Uint8Array(readFileSync(process.argv[2])).buffer)));
