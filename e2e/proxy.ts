// A TCP proxy between the browser and the relay that can cut, stall and delay connections and lose
// WebSocket frames. Switching a browser offline leaves its open sockets alive; this does not.

import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';

/** One direction of a connection. */
class Pipe {
  private header: Buffer | null = Buffer.alloc(0);
  private rest = Buffer.alloc(0);
  private websocket = false;
  private frames = 0;
  private held: Buffer[] = [];

  constructor(
    private readonly proxy: Proxy,
    private readonly to: Socket,
  ) {}

  /** Takes bytes from one side; whole frames go on to the other. */
  take(chunk: Buffer): void {
    if (this.header !== null) {
      this.header = Buffer.concat([this.header, chunk]);
      const end = this.header.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = this.header.subarray(0, end + 4);
      this.websocket = /^upgrade: *websocket/im.test(head.toString('latin1'));
      chunk = this.header.subarray(end + 4);
      this.header = null;
      this.send(head);
    }
    if (!this.websocket) {
      if (chunk.length > 0) this.send(chunk);
      return;
    }
    this.rest = Buffer.concat([this.rest, chunk]);
    for (;;) {
      const length = frameLength(this.rest);
      if (length === null || this.rest.length < length) return;
      this.frame(this.rest.subarray(0, length));
      this.rest = this.rest.subarray(length);
    }
  }

  private frame(frame: Buffer): void {
    const binary = ((frame[0] ?? 0) & 0x0f) === 2;
    if (binary && this.proxy.losesEvery > 0) {
      this.frames += 1;
      if (this.frames % this.proxy.losesEvery === 0) {
        this.proxy.lost += 1;
        return;
      }
    }
    this.send(frame);
  }

  private send(bytes: Buffer): void {
    if (this.proxy.stalled) {
      this.held.push(bytes);
      return;
    }
    const delay = this.proxy.delayMs;
    if (delay === 0) this.write(bytes);
    // Equal delays keep the order: timers of one length fire in the order they were set.
    else setTimeout(() => this.write(bytes), delay);
  }

  private write(bytes: Buffer): void {
    if (!this.to.destroyed) this.to.write(bytes);
  }

  /** What was held goes on. */
  release(): void {
    for (const bytes of this.held.splice(0)) this.send(bytes);
  }
}

/** The length of the frame at the start of these bytes, once it can be told. */
function frameLength(bytes: Buffer): number | null {
  if (bytes.length < 2) return null;
  const masked = ((bytes[1] ?? 0) & 0x80) !== 0 ? 4 : 0;
  const short = (bytes[1] ?? 0) & 0x7f;
  if (short < 126) return 2 + masked + short;
  if (short === 126) return bytes.length < 4 ? null : 4 + masked + bytes.readUInt16BE(2);
  return bytes.length < 10 ? null : 10 + masked + Number(bytes.readBigUInt64BE(2));
}

/** The proxy. Each player who is to suffer gets one of their own. */
export class Proxy {
  /** How long every frame is under way, in milliseconds, in each direction. */
  delayMs = 0;
  /** Loses every n-th binary frame in each direction; 0 loses none. */
  losesEvery = 0;
  /** How many frames were lost. */
  lost = 0;
  /** Whether nothing goes through, with connections left open. */
  stalled = false;

  private isCut = false;
  private readonly sockets = new Set<Socket>();
  private pipes: Pipe[] = [];

  private constructor(
    private readonly server: Server,
    /** Where the browser finds the relay. */
    readonly url: string,
  ) {}

  /** A proxy in front of `target`, on a free port. */
  static async start(target: string): Promise<Proxy> {
    const { hostname, port } = new URL(target);
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port: own } = server.address() as AddressInfo;
    const proxy = new Proxy(server, `http://127.0.0.1:${own}`);
    server.on('connection', (browser) => proxy.accept(browser, hostname, Number(port)));
    return proxy;
  }

  private accept(browser: Socket, host: string, port: number): void {
    if (this.isCut) {
      browser.destroy();
      return;
    }
    const relay = connect(port, host);
    const up = new Pipe(this, relay);
    const down = new Pipe(this, browser);
    this.pipes.push(up, down);
    browser.on('data', (chunk) => up.take(Buffer.from(chunk)));
    relay.on('data', (chunk) => down.take(Buffer.from(chunk)));
    const end = (): void => {
      browser.destroy();
      relay.destroy();
      this.sockets.delete(browser);
      this.sockets.delete(relay);
      this.pipes = this.pipes.filter((pipe) => pipe !== up && pipe !== down);
    };
    for (const socket of [browser, relay]) {
      socket.setNoDelay(true);
      this.sockets.add(socket);
      socket.on('close', end);
      socket.on('error', end);
    }
  }

  /** Breaks every connection and takes no new one. */
  cut(): void {
    this.isCut = true;
    for (const socket of [...this.sockets]) socket.destroy();
  }

  /** Takes connections again. */
  restore(): void {
    this.isCut = false;
  }

  /** Holds everything back, both ways, without closing anything. */
  stall(): void {
    this.stalled = true;
  }

  /** Lets go what was held back. */
  release(): void {
    this.stalled = false;
    for (const pipe of this.pipes) pipe.release();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise<void>((closed) => this.server.close(() => closed()));
  }
}
