import { fileURLToPath } from "node:url";

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { build, type Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** The player of hub graphs once more, alone in a module of its own: for pages that have nothing else of the studio. */
function hubPlayer(): Plugin {
  const entry = fileURLToPath(new URL("src/player/index.ts", import.meta.url));
  return {
    name: "hub-player",
    apply: "build",
    async generateBundle() {
      const lib = { entry, formats: ["es" as const], fileName: "hub_player" };
      const made = await build({ configFile: false, publicDir: false, logLevel: "error", build: { lib, write: false, minify: false, target: "es2022" } });
      const chunk = [made].flat().flatMap((one) => ("output" in one ? one.output : [])).find((one) => one.type === "chunk");
      if (!chunk) throw new Error("the player of hub graphs was not built");
      this.emitFile({ type: "asset", fileName: "hub_player.js", source: chunk.code });
    },
  };
}

// Everything is served by the studio's own server: no remote code, fonts or pictures.
export default defineConfig({
  plugins: [svelte(), hubPlayer()],
  base: "./",
  build: {
    outDir: "../static",
    emptyOutDir: true,
    target: "es2022",
    chunkSizeWarningLimit: 1200,
    assetsInlineLimit: 0,
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8765", ws: true } } },
  resolve: process.env.VITEST ? { conditions: ["browser"] } : undefined,
  // Tests that need a page say so in their first line: making one takes a second.
  test: { environment: "node", include: ["src/**/*.test.ts"], restoreMocks: true },
});
