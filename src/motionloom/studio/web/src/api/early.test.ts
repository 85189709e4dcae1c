import { expect, test, vi } from "vitest";
import { ask } from "./asking";
import { askFirst, takeEarly } from "./early";

function serve(answers: Record<string, unknown>): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (address: string) => {
    asked.push(address);
    if (!(address in answers)) return Promise.reject(new TypeError("no way"));
    return Promise.resolve(new Response(JSON.stringify(answers[address])));
  });
  return asked;
}

test("a prefetched request is sent once, and again afterwards", async () => {
  const asked = serve({ "/api/session": { corpus: { name: "demo" } }, "/api/document": { name: "a" }, "/api/methods": [], "/api/takes": { takes: [] }, "/api/labels/colours": {} });
  await askFirst();
  expect(await ask("GET", "/api/session")).toEqual({ corpus: { name: "demo" } });
  expect(await ask("GET", "/api/document")).toEqual({ name: "a" });
  expect(asked).toEqual(["/api/session", "/api/document", "/api/methods", "/api/takes", "/api/labels/colours"]);
  expect(await ask("GET", "/api/document")).toEqual({ name: "a" });
  expect(asked.length).toBe(6);
  expect(takeEarly("/api/takes")).toBeDefined();
});

test("without a corpus nothing more is prefetched, and without a server the caller gets the error", async () => {
  expect(serve({ "/api/session": { corpus: null } })).toEqual([]);
  await askFirst();
  expect(takeEarly("/api/document")).toBeUndefined();
  await ask("GET", "/api/session");
  serve({});
  await askFirst();
  await expect(ask("GET", "/api/session")).rejects.toThrow("does not answer");
});
