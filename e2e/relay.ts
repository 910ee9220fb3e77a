// Starts a relay for the tests and judges at the end how it went.

import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
/** The relay's program, which has commands for its operator as well. */
export const binary = process.env['TANDEM_RELAY'] ?? join(here, '..', 'target', 'release', 'tandem-relay');

/** A relay in a process of its own. */
export class Relay {
  private output = '';

  private constructor(
    private readonly process: ChildProcess,
    private readonly ended: Promise<string>,
    /** Where the page is, its base path included, without a slash at the end. */
    readonly url: string,
  ) {}

  /** Starts a relay on `port`, or on a free one; it keeps nothing on disk unless `flags` say otherwise. */
  static async start(flags: readonly string[] = [], port?: number): Promise<Relay> {
    const listen = `127.0.0.1:${port ?? (await freePort())}`;
    const env = { TANDEM_DATA: 'none', ...process.env };
    // A file that may not grow is an error to the relay here, not its end: so it is on a full disk.
    const quietly = "trap '' XFSZ; exec \"$0\" \"$@\"";
    const line = ['-c', quietly, binary, '--listen', listen, ...flags];
    const child = spawn('sh', line, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(`cannot be started: ${error.message}`));
      child.once('exit', (code, signal) => resolve(code === 0 ? '' : `ended with ${signal ?? `exit code ${code}`}`));
    });
    const below = flags.includes('--base-path') ? (flags[flags.indexOf('--base-path') + 1] ?? '/') : '/';
    const relay = new Relay(child, ended, `http://${listen}${below.replace(/\/$/, '')}`);
    mkdirSync(join(here, 'test-results'), { recursive: true });
    const log = createWriteStream(join(here, 'test-results', `relay-${listen.split(':')[1]}.log`));
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (bytes: Buffer) => {
        relay.output += bytes.toString();
        log.write(bytes);
      });
    }
    await relay.answers();
    return relay;
  }

  private async answers(): Promise<void> {
    let trouble: string | undefined;
    this.ended.then((end) => (trouble = end || 'ended at once'));
    for (let tries = 0; tries < 200 && trouble === undefined; tries += 1) {
      const answer = await fetch(`${this.url}/healthz`).catch(() => undefined);
      if (answer?.ok) return;
      await new Promise((later) => setTimeout(later, 50));
    }
    this.process.kill('SIGKILL');
    throw new Error(`the relay ${binary} ${trouble ?? 'does not answer within 10 s'}\n${this.output}`);
  }

  /** Ends the relay as a service manager would. It must end well and soon, and must not have panicked. */
  async stop(): Promise<void> {
    this.process.kill('SIGTERM');
    const late = setTimeout(() => this.process.kill('SIGKILL'), 6_000);
    const end = await this.ended;
    clearTimeout(late);
    if (end !== '') throw new Error(`the relay ${end}\n${this.output}`);
    if (this.output.includes('panicked at')) throw new Error(`the relay panicked\n${this.output}`);
  }

  /** The relay's process. */
  get pid(): number | undefined {
    return this.process.pid;
  }

  /** Ends the relay as a power cut would. */
  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.ended;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((closed) => server.close(() => closed()));
  return port;
}

/** Called by Playwright before all tests; what it returns is called after them. */
export default async function setUp(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['BASE_URL']) return undefined;
  const relay = await Relay.start();
  // The processes that run the tests inherit this.
  process.env['BASE_URL'] = relay.url;
  return () => relay.stop();
}
