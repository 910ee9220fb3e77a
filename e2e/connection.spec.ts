// Lines that break, stall, lag and lose. A TCP proxy in front of the relay does it to one player at a time.

import { allowNoRelay, expect, test } from './fixtures';
import { fourPlaying, fourSeated, openPlayer, sameClocks, type Player, type Seat } from './players';
import { Proxy } from './proxy';

test.beforeEach(() => allowNoRelay());

/** Counts how often a page shows fewer plies on a board than before. */
async function watchForUndone(player: Player): Promise<() => Promise<number>> {
  await player.page.evaluate(() => {
    const seen: Record<string, number> = {};
    const state = window as unknown as { undone: number };
    state.undone = 0;
    const look = (): void => {
      for (const board of document.querySelectorAll('[data-board]')) {
        const name = board.getAttribute('data-board') ?? '';
        const plies = Number(board.getAttribute('data-ply'));
        if (plies < (seen[name] ?? 0)) state.undone += 1;
        seen[name] = plies;
      }
    };
    look();
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      attributes: true,
      attributeFilter: ['data-ply'],
    });
  });
  return () => player.page.evaluate(() => (window as unknown as { undone: number }).undone);
}

test('five seconds cut in mid-move lose nothing', async ({ browser, relay }) => {
  const proxy = await Proxy.start(relay);
  const table = await fourPlaying(browser, relay, { behind: { 'A-white': proxy.url } });
  const anna = table.at('A-white');
  await table.play('A', 'e2e4', 'e7e5');
  const undone = await watchForUndone(anna);
  // Cut with the piece in hand.
  await anna.square('A', 'g1').click();
  proxy.cut();
  await expect(anna.page.locator('body')).not.toHaveAttribute('data-connection', 'online');
  await anna.square('A', 'f3').click();
  await anna.seesPly('A', 3);
  await table.at('B-white').click('B', 'B-white', 'd2d4');
  await table.at('B-black').seesPly('B', 1);
  await table.at('A-black').seesPly('A', 2);
  const cutAt = Date.now();
  await expect(async () => expect(Date.now() - cutAt).toBeGreaterThan(5_000)).toPass();
  proxy.restore();
  await anna.online();
  table.plies.A = 3;
  table.plies.B = 1;
  for (const player of table.all()) {
    await player.seesPly('A', 3);
    await player.seesPly('B', 1);
    await player.seesPiece('A', 'f3', 'wN');
  }
  expect(await undone()).toBe(0);
  await table.play('A', 'b8c6');
  await sameClocks(anna, table.at('B-black'), 400);
  await table.close();
  await proxy.close();
});

test('two seconds of delay with moves on both boards undo nothing', async ({ browser, relay }) => {
  const [near, far] = [await Proxy.start(relay), await Proxy.start(relay)];
  const table = await fourPlaying(browser, relay, { behind: { 'A-white': near.url, 'B-black': far.url } });
  const [anna, ben, cleo, dan] = table.all() as [Player, Player, Player, Player];
  near.delayMs = 1_000;
  far.delayMs = 1_000;
  const undone = [await watchForUndone(anna), await watchForUndone(dan)];
  await cleo.click('B', 'B-white', 'e2e4');
  await anna.click('A', 'A-white', 'e2e4');
  await anna.seesPly('A', 1);
  await dan.seesPly('B', 1);
  await dan.click('B', 'B-black', 'd7d5');
  await ben.seesPly('A', 1);
  await ben.click('A', 'A-black', 'd7d5');
  await cleo.seesPly('B', 2);
  await cleo.click('B', 'B-white', 'e4d5');
  await anna.seesPly('A', 2);
  await anna.click('A', 'A-white', 'e4d5');
  for (const player of table.all()) {
    await player.seesPly('A', 3);
    await player.seesPly('B', 3);
    await expect(player.hand('A-black', 'P')).toHaveAttribute('data-count', '1');
    await expect(player.hand('B-black', 'P')).toHaveAttribute('data-count', '1');
  }
  for (const count of undone) expect(await count()).toBe(0);
  // Everybody is shown how slow a line is, once the last five beats were so.
  for (const player of [ben, cleo]) {
    await expect(player.seat('A-white')).toContainText(/\d{4} ms/, { timeout: 30_000 });
  }
  await table.close();
  await near.close();
  await far.close();
});

test('every third frame lost is made good', async ({ browser, relay }) => {
  // What is lost is asked for with the relay's beat, every two seconds, and may be lost again.
  test.setTimeout(300_000);
  const proxy = await Proxy.start(relay);
  const table = await fourSeated(browser, relay, { behind: { 'A-black': proxy.url } });
  await table.at('A-white').setMinutes('20');
  await table.start();
  table.patienceMs = 60_000;
  proxy.losesEvery = 3;
  await table.play('A', 'e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1b5', 'a7a6', 'b5c6', 'd7c6');
  await table.play('B', 'd2d4', 'd7d5', 'c2c4', 'd5c4');
  expect(proxy.lost).toBeGreaterThan(4);
  for (const player of table.all()) {
    await expect(player.hand('B-black', 'N')).toHaveAttribute('data-count', '1');
    await expect(player.hand('B-white', 'B')).toHaveAttribute('data-count', '1');
    await expect(player.hand('A-white', 'P')).toHaveAttribute('data-count', '1');
  }
  await sameClocks(table.at('A-black'), table.at('A-white'), 500);
  await table.close();
  await proxy.close();
});

test('the first ply of the match during a cut leaves no wrong clock', async ({ browser, relay }) => {
  const proxy = await Proxy.start(relay);
  const table = await fourPlaying(browser, relay, { behind: { 'B-black': proxy.url } });
  const dan = table.at('B-black');
  proxy.cut();
  await expect(dan.page.locator('body')).not.toHaveAttribute('data-connection', 'online');
  await table.at('A-white').click('A', 'A-white', 'e2e4');
  await table.at('B-white').click('B', 'B-white', 'e2e4');
  await table.at('A-black').seesPly('A', 1);
  await table.at('A-black').seesPly('B', 1);
  proxy.restore();
  await dan.online();
  await dan.seesPly('A', 1);
  await dan.seesPly('B', 1);
  await sameClocks(dan, table.at('A-white'), 400);
  await expect(dan.clock('B-black')).toHaveAttribute('data-running', /.*/);
  await expect(dan.clock('B-white')).not.toHaveAttribute('data-running', /.*/);
  table.plies.A = 1;
  table.plies.B = 1;
  await table.play('B', 'e7e5');
  await table.close();
  await proxy.close();
});

test('a ply made while offline is taken back with a message when it no longer counts', async ({
  browser,
  relay,
}) => {
  const proxy = await Proxy.start(relay);
  const table = await fourPlaying(browser, relay, { behind: { 'A-white': proxy.url } });
  const anna = table.at('A-white');
  proxy.cut();
  await expect(anna.page.locator('body')).not.toHaveAttribute('data-connection', 'online');
  await anna.click('A', 'A-white', 'e2e4');
  await anna.seesPly('A', 1);
  const ben = table.at('A-black');
  await ben.button('Resign').click();
  await ben.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await expect(ben.result()).toHaveAttribute('data-result', 'resignation');
  proxy.restore();
  await anna.online();
  await anna.seesPly('A', 0);
  await anna.seesPiece('A', 'e2', 'wP');
  await expect(anna.page.getByText(/taken back/i)).toBeVisible();
  await table.seeResult('resignation', '1');
  await table.close();
  await proxy.close();
});

test('a stalled line is noticed by silence, and comes back by itself', async ({ browser, relay }) => {
  const proxy = await Proxy.start(relay);
  const table = await fourPlaying(browser, relay, { behind: { 'A-white': proxy.url } });
  const anna = table.at('A-white');
  proxy.stall();
  await expect(anna.page.locator('body')).not.toHaveAttribute('data-connection', 'online', {
    timeout: 15_000,
  });
  // The others see who is away.
  await expect(table.at('B-white').seat('A-white')).toHaveAttribute('data-away', /.*/, {
    timeout: 15_000,
  });
  proxy.cut();
  proxy.stalled = false;
  proxy.restore();
  await anna.online();
  await expect(table.at('B-white').seat('A-white')).not.toHaveAttribute('data-away', /.*/);
  await table.play('A', 'e2e4');
  await table.close();
  await proxy.close();
});

test('it tries again at once when the browser says it is online', async ({ browser, relay }) => {
  const proxy = await Proxy.start(relay);
  const table = await fourPlaying(browser, relay, { behind: { 'A-white': proxy.url } });
  const anna = table.at('A-white');
  // How many tries the browser's word that it is online makes, at once and not after the pause.
  await anna.page.evaluate(() => {
    const state = window as unknown as { triesOfWord: () => number };
    let tries = 0;
    window.WebSocket = class extends WebSocket {
      constructor(url: string | URL) {
        super(url);
        tries += 1;
      }
    };
    state.triesOfWord = () => {
      const before = tries;
      window.dispatchEvent(new Event('online'));
      return tries - before;
    };
  });
  proxy.cut();
  await expect(anna.page.locator('body')).not.toHaveAttribute('data-connection', 'online');
  // None while a try is under way.
  const triesOfWord = () => anna.page.evaluate(() => (window as unknown as { triesOfWord: () => number }).triesOfWord());
  await expect.poll(triesOfWord).toBe(1);
  proxy.restore();
  await anna.online();
  await table.close();
  await proxy.close();
});

test('of two tabs of one player the newer is in charge', async ({ browser, relay }) => {
  const table = await fourPlaying(browser, relay);
  const anna = table.at('A-white');
  const second = await anna.page.context().newPage();
  await second.goto(`${relay}${table.path}`);
  await expect(second.locator('body')).toHaveAttribute('data-connection', 'online');
  await expect(anna.page.locator('body')).toHaveAttribute('data-connection', 'offline');
  await expect(anna.page.getByText(/another tab|elsewhere/i).first()).toBeVisible();
  // The older one does not fight.
  await second.locator('[data-board="A"] [data-square="e2"]').click();
  await second.locator('[data-board="A"] [data-square="e4"]').click();
  for (const seat of ['A-black', 'B-white', 'B-black'] as Seat[]) await table.at(seat).seesPly('A', 1);
  await expect(second.locator('body')).toHaveAttribute('data-connection', 'online');
  await expect(anna.page.locator('body')).toHaveAttribute('data-connection', 'offline');
  await expect(table.at('B-white').seat('A-white')).not.toHaveAttribute('data-away', /.*/);
  await table.close();
});

test('an unknown table, and one that sent the visitor away, say so in words', async ({
  browser,
  relay,
}) => {
  const contexts: import('@playwright/test').BrowserContext[] = [];
  const eve = await openPlayer(browser, 'Eve', relay, contexts);
  await eve.page.goto(`${relay}/t/0000000000`);
  await expect(eve.page.getByText(/no such table|does not exist|no table/i).first()).toBeVisible();
  for (const context of contexts) await context.close();
});
