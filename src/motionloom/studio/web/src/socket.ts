/** The websocket: events of the server, and binary messages, such as frames of motions. It reconnects by itself. */

import type * as T from "./api/types";
import { unpack, type Unpacked } from "./api/packing";

export interface SocketEvents {
  message: (message: T.FromServer) => void;
  arrays: (message: Unpacked) => void; // a binary message
  open: (isFirst: boolean) => void;
  lost: () => void;
}

const SLOWEST = 4_000; // milliseconds between two attempts

export class Socket {
  private socket: WebSocket | null = null;
  private waiting: string[] = []; // messages sent while disconnected
  private pause = 250;
  private hasBeenOpen = false;
  private isClosed = false;

  constructor(
    private readonly address: string,
    private readonly events: SocketEvents,
  ) {
    this.connect();
  }

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  send(message: T.FromPage): void {
    const text = JSON.stringify(message);
    if (this.isOpen) this.socket?.send(text);
    else if (message.type !== "frames") this.waiting.push(text); // frames are requested again when they are needed
  }

  close(): void {
    this.isClosed = true;
    this.socket?.close();
  }

  private connect(): void {
    const socket = new WebSocket(this.address);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.pause = 250;
      for (const text of this.waiting.splice(0)) socket.send(text);
      this.events.open(!this.hasBeenOpen);
      this.hasBeenOpen = true;
    };
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => {
      if (typeof event.data === "string") this.events.message(JSON.parse(event.data) as T.FromServer);
      else this.events.arrays(unpack(event.data));
    };
    socket.onclose = () => {
      if (this.isClosed) return;
      this.events.lost();
      setTimeout(() => this.connect(), this.pause);
      this.pause = Math.min(2 * this.pause, SLOWEST);
    };
  }
}

/** The address of the websocket for this page. */
export function socketAddress(location: Location): string {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}/api/socket`;
}
