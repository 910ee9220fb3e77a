// What goes wrong around a page: a relay of another version, a clock that is off by a year, a disk
// that is full. Nobody loses seat, ply or time by it.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { WebSocketRoute } from '@playwright/test';

import { expect, test } from './fixtures';
import { fourPlaying, sameClocks, SEATS } from './players';
import { Relay } from './relay';

/** The close code that means: this page speaks another version of the protocol. */
const OTHER_VERSION = 4002;

test('a page of another version loads itself anew once and is back at its seat', async ({ browser, relay }) => {
  const table = await fourPlaying(browser, relay);
  const anna = table.at('A-white');
  await table.play('A', 'e2e4', 'e7e5');
  // From the next load on the line goes through here, where another relay may answer.
  let sockets: WebSocketRoute[] = [];
  let isNew = false;
  await anna.page.routeWebSocket(/\/ws$/, (socket) => {
    if (isNew) {
      socket.onMessage(() => void socket.close({ code: OTHER_VERSION, reason: 'other protocol version' }));
      return;
    }
    sockets.push(socket);
    socket.connectToServer();
  });
  let loads = 0;
  anna.page.on('load', () => (loads += 1));
  await anna.page.reload();
  await anna.online();
  expect(loads).toBe(1);
  // The relay is replaced by one of the version that the reloaded page will have.
  const loaded = anna.page.waitForEvent('load');
  for (const socket of sockets) await socket.close({ code: OTHER_VERSION });
  sockets = [];
  await loaded;
  await anna.online();
  expect(loads).toBe(2);
  await anna.seesPly('A', 2);
  await table.play('A', 'g1f3');
  // A page that is of another version again and again says so instead of loading for ever.
  isNew = true;
  const again = anna.page.waitForEvent('load');
  for (const socket of sockets) await socket.close({ code: OTHER_VERSION });
  await again;
  await expect(anna.page.getByRole('alert')).toContainText('another version');
  expect(loads).toBe(3);
  await table.close();
});

test('a clock that is wrong by a year changes nothing', async ({ browser, relay }) => {
  const table = await fourPlaying(browser, relay);
  await table.play('A', 'e2e4');
  const anna = table.at('A-white');
  const ben = table.at('A-black');
  for (const [player, years] of [[anna, 1], [ben, -1]] as const) {
    await player.page.addInitScript((off) => {
      const time = Date.now.bind(Date);
      Date.now = () => time() + off;
      if (off > 0) {
        // What counts from the load of a page is never below zero, but may be anything above.
        const count = performance.now.bind(performance);
        performance.now = () => count() + off;
      }
    }, years * 365 * 86_400_000);
    await player.page.reload();
    await player.online();
  }
  expect(await anna.page.evaluate(() => Date.now() - new Date().getTime())).toBeGreaterThan(86_400_000);
  await table.play('A', 'e7e5', 'g1f3');
  await table.play('B', 'd2d4');
  const cleo = table.at('B-white');
  for (const player of [anna, ben]) {
    await sameClocks(player, cleo, 500);
    for (const seat of SEATS) expect(await player.clockMs(seat)).toBeGreaterThan(60_000);
  }
  await table.close();
});

test('play stands still while the relay cannot save, and nothing is lost', async ({ browser }) => {
  const hasLimits = spawnSync('prlimit', ['--version']).status === 0;
  test.skip(!hasLimits, 'prlimit is not here to make writing fail');
  const data = mkdtempSync(join(tmpdir(), 'tandem-'));
  const relay = await Relay.start(['--data', data]);
  /** How long a file of the relay may become. */
  const limit = (bytes: string): void => {
    const { status, stderr } = spawnSync('prlimit', [`--fsize=${bytes}:`, '--pid', String(relay.pid)]);
    expect(status, stderr.toString()).toBe(0);
  };
  const table = await fourPlaying(browser, relay.url);
  await table.play('A', 'e2e4');
  limit('1');
  const ben = table.at('A-black');
  await ben.click('A', 'A-black', 'e7e5');
  for (const player of table.all()) {
    await expect(player.page.getByText('cannot save')).toBeVisible();
  }
  await table.at('A-white').seesPly('A', 1);
  limit('unlimited');
  for (const player of table.all()) {
    await expect(player.page.getByText('cannot save')).toHaveCount(0);
    await player.seesPly('A', 2);
  }
  // After the countdown it goes on as usual.
  await expect(ben.clock('A-white')).toHaveAttribute('data-running', /.*/);
  await table.play('A', 'g1f3');
  await table.close();
  await relay.stop();
  rmSync(data, { recursive: true, force: true });
});
