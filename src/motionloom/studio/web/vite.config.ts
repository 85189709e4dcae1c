import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// Everything is served by the studio's own server: no remote code, fonts or pictures.
export default defineConfig({
  plugins: [svelte()],
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
