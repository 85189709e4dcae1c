import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Socket, socketAddress } from "./socket";

class FakeLine {
  static readonly OPEN = 1;
  static lines: FakeLine[] = [];
  readyState = 0;
  sent: string[] = [];
  onopen: () => void = () => {};
  onclose: () => void = () => {};
  onmessage: (event: { data: unknown }) => void = () => {};
  constructor(readonly address: string) {
    FakeLine.lines.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.readyState = 3;
    this.onclose();
  }
  open(): void {
    this.readyState = 1;
    this.onopen();
  }
}

const heard: string[] = [];
const make = (): Socket =>
  new Socket("ws://127.0.0.1/api/socket", {
    message: (message) => heard.push(message.type),
    frames: () => heard.push("frames"),
    open: (isFirst) => heard.push(isFirst ? "first" : "again"),
    lost: () => heard.push("lost"),
  });

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeLine);
  FakeLine.lines = [];
  heard.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the line to the server", () => {
  it("comes back by itself, ever more patiently", () => {
    make();
    FakeLine.lines[0].open();
    FakeLine.lines[0].close();
    vi.advanceTimersByTime(250);
    expect(FakeLine.lines.length).toBe(2);
    FakeLine.lines[1].close();
    vi.advanceTimersByTime(250);
    expect(FakeLine.lines.length).toBe(2);
    vi.advanceTimersByTime(250);
    expect(FakeLine.lines.length).toBe(3);
    FakeLine.lines[2].open();
    expect(heard).toEqual(["first", "lost", "lost", "again"]);
  });

  it("keeps what was said while it was down, except questions for frames", () => {
    const socket = make();
    socket.send({ type: "cancel", job: 3 });
    socket.send({ type: "frames", motion: "take:a", start: 0, stop: 9 });
    FakeLine.lines[0].open();
    expect(FakeLine.lines[0].sent).toEqual([JSON.stringify({ type: "cancel", job: 3 })]);
  });

  it("stays closed when it was closed", () => {
    make().close();
    vi.advanceTimersByTime(60_000);
    expect(FakeLine.lines.length).toBe(1);
  });

  it("is where the page is", () => {
    expect(socketAddress({ protocol: "http:", host: "127.0.0.1:8000" } as Location)).toBe("ws://127.0.0.1:8000/api/socket");
    expect(socketAddress({ protocol: "https:", host: "127.0.0.1" } as Location)).toContain("wss:");
  });
});
