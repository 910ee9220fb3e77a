// A relay that is killed and started again: browsers come back by themselves, and nothing is lost.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { allowNoRelay, expect, test } from './fixtures';
import { fourPlaying, SEATS } from './players';
import { Relay } from './relay';

let data: string;
let relays: Relay[];

test.beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'tandem-'));
  relays = [];
  allowNoRelay();
});

test.afterEach(async () => {
  for (const relay of relays) await relay.kill();
  rmSync(data, { recursive: true, force: true });
});

async function start(port?: number): Promise<Relay> {
  const relay = await Relay.start(['--data', data], port);
  relays.push(relay);
  return relay;
}

test('a match outlives the relay that is killed', async ({ browser }) => {
  test.slow();
  const relay = await start();
  const port = Number(new URL(relay.url).port);
  const table = await fourPlaying(browser, relay.url);
  await table.play('A', 'e2e4', 'd7d5', 'e4d5');
  await table.play('B', 'd2d4');
  const anna = table.at('A-white');
  await anna.button('Offer draw').click();
  for (const player of table.all()) await expect(player.page.locator('[data-offer]')).toBeVisible();
  await relay.kill();
  for (const player of table.all()) {
    await expect(player.page.locator('body')).not.toHaveAttribute('data-connection', 'online');
  }
  await start(port);
  for (const player of table.all()) {
    await player.online();
    await expect(player.page.locator('[data-offer]')).toBeVisible();
    // The time without a relay is charged to nobody.
    for (const seat of SEATS) expect(await player.clockMs(seat)).toBeGreaterThan(150_000);
  }
  // Play goes on after a countdown that everyone sees.
  await expect(anna.page.getByText(/goes on in/i).first()).toBeVisible();
  await expect(anna.clock('A-black')).toHaveAttribute('data-running', /.*/, { timeout: 20_000 });
  for (const player of table.all()) {
    await player.seesPly('A', 3);
    await player.seesPly('B', 1);
    await expect(player.hand('B-black', 'P')).toHaveAttribute('data-count', '1');
  }
  await table.play('A', 'd8d5');
  await table.play('B', 'd7d5');
  await table.close();
});
