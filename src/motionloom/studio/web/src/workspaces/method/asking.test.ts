import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Asker, PATIENCE } from "./asking";

const request = (length: string): { length: string } => ({ length });

function setUp(refuse = false) {
  const sent: [string, string][] = [];
  const failed: string[] = [];
  const asker = new Asker<{ length: string }>(
    {
      send: async (asked, tag) => {
        sent.push([asked.length, tag]);
        if (refuse) throw new Error("no");
      },
      failed: (error) => failed.push(error.message),
    },
    "page",
  );
  return { asker, sent, failed };
}

describe("asking", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("sends a finished change at once, whatever is under way", () => {
    const { asker, sent } = setUp();
    asker.ask(request("1s"), false);
    asker.ask(request("2s"), false);
    expect(sent).toEqual([
      ["1s", "page-1"],
      ["2s", "page-2"],
    ]);
  });

  it("waits for the first answer while something is dragged, then sends the newest", () => {
    const { asker, sent } = setUp();
    for (const length of ["1s", "2s", "3s"]) asker.ask(request(length), true);
    expect(sent.map(([length]) => length)).toEqual(["1s"]);
    asker.answered("page-1");
    asker.answered("page-1");
    expect(sent.map(([length]) => length)).toEqual(["1s", "3s"]);
    asker.answered("page-2");
    expect(sent).toHaveLength(2);
  });

  it("does not let the drop of a drag wait, and forgets what was dragged before", () => {
    const { asker, sent } = setUp();
    asker.ask(request("1s"), true);
    asker.ask(request("2s"), true);
    asker.ask(request("3s"), false);
    asker.answered("page-2");
    expect(sent.map(([length]) => length)).toEqual(["1s", "3s"]);
  });

  it("sends what was dragged last as soon as it is let go, once", () => {
    const { asker, sent } = setUp();
    asker.ask(request("1s"), true);
    asker.hurry();
    expect(sent).toHaveLength(1);
    asker.ask(request("2s"), true);
    asker.hurry();
    asker.hurry();
    expect(sent.map(([length]) => length)).toEqual(["1s", "2s"]);
    asker.answered("page-1");
    asker.answered("page-2");
    expect(sent).toHaveLength(2);
  });

  it("goes on after a timeout without an answer", () => {
    const { asker, sent } = setUp();
    asker.ask(request("1s"), true);
    asker.ask(request("2s"), true);
    vi.advanceTimersByTime(PATIENCE + 1);
    expect(sent.map(([length]) => length)).toEqual(["1s", "2s"]);
  });

  it("reports why a request was rejected", async () => {
    const { asker, failed } = setUp(true);
    asker.ask(request("1s"), false);
    await vi.runAllTimersAsync();
    expect(failed).toEqual(["no"]);
  });

  it("sends nothing more once it was stopped", () => {
    const { asker, sent } = setUp();
    asker.ask(request("1s"), true);
    asker.ask(request("2s"), true);
    asker.stop();
    asker.answered("page-1");
    vi.advanceTimersByTime(2 * PATIENCE);
    expect(sent).toHaveLength(1);
  });
});
