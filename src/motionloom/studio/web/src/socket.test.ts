import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Socket, socketAddress } from "./socket";

class FakeSocket {
  static readonly OPEN = 1;
  static sockets: FakeSocket[] = [];
  readyState = 0;
  sent: string[] = [];
  onopen: () => void = () => {};
  onclose: () => void = () => {};
  onmessage: (event: { data: unknown }) => void = () => {};
  constructor(readonly address: string) {
    FakeSocket.sockets.push(this);
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

const events: string[] = [];
const make = (): Socket =>
  new Socket("ws://127.0.0.1/api/socket", {
    message: (message) => events.push(message.type),
    arrays: () => events.push("arrays"),
    open: (isFirst) => events.push(isFirst ? "first" : "again"),
    lost: () => events.push("lost"),
  });

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.sockets = [];
  events.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the connection to the server", () => {
  it("reconnects by itself, with growing pauses", () => {
    make();
    FakeSocket.sockets[0].open();
    FakeSocket.sockets[0].close();
    vi.advanceTimersByTime(250);
    expect(FakeSocket.sockets.length).toBe(2);
    FakeSocket.sockets[1].close();
    vi.advanceTimersByTime(250);
    expect(FakeSocket.sockets.length).toBe(2);
    vi.advanceTimersByTime(250);
    expect(FakeSocket.sockets.length).toBe(3);
    FakeSocket.sockets[2].open();
    expect(events).toEqual(["first", "lost", "lost", "again"]);
  });

  it("queues messages while disconnected, except requests for frames", () => {
    const socket = make();
    socket.send({ type: "cancel", job: 3 });
    socket.send({ type: "frames", motion: "take:a", start: 0, stop: 9 });
    FakeSocket.sockets[0].open();
    expect(FakeSocket.sockets[0].sent).toEqual([JSON.stringify({ type: "cancel", job: 3 })]);
  });

  it("stays closed when it was closed", () => {
    make().close();
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.sockets.length).toBe(1);
  });

  it("has the host of the page", () => {
    expect(socketAddress({ protocol: "http:", host: "127.0.0.1:8000" } as Location)).toBe("ws://127.0.0.1:8000/api/socket");
    expect(socketAddress({ protocol: "https:", host: "127.0.0.1" } as Location)).toContain("wss:");
  });
});
