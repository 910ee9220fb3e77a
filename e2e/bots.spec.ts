// The computer on seats where people are missing: in the lobby, and through whole matches.

import type { Browser, BrowserContext } from '@playwright/test';
import { expect, test } from './fixtures';
import { openPlayer, Player, SEATS, type Seat } from './players';
import { Relay } from './relay';

/** The host on A-White at a new table with short clocks, and who else is named. */
async function atTable(
  browser: Browser,
  url: string,
  others: Partial<Record<Seat, string>> = {},
): Promise<{ host: Player; all: Player[]; close: () => Promise<void> }> {
  const contexts: BrowserContext[] = [];
  const host = await openPlayer(browser, 'Anna', url, contexts);
  const path = await host.openTable();
  await host.setMinutes('0.5');
  await host.sit('A-white');
  const all = [host];
  for (const [seat, name] of Object.entries(others) as [Seat, string][]) {
    const guest = await openPlayer(browser, name, url, contexts);
    await guest.visit(path);
    await guest.sit(seat);
    all.push(guest);
  }
  const close = async (): Promise<void> => {
    for (const context of contexts) await context.close();
  };
  return { host, all, close };
}

/** What bots are called; nobody takes them for people. */
const NAMES: Record<Seat, string> = { 'A-white': 'Astra', 'A-black': 'Bolt', 'B-white': 'Comet', 'B-black': 'Delta' };

async function addBot(host: Player, seat: Seat, level: number): Promise<void> {
  await host.seat(seat).getByRole('button', { name: 'Add bot' }).click();
  await expect(host.seat(seat)).toHaveAttribute('data-occupant', 'bot');
  await host.seat(seat).getByLabel('Level').selectOption(String(level));
  await expect(host.seat(seat).getByLabel('Level')).toHaveValue(String(level));
  await expect(host.seat(seat)).toContainText(NAMES[seat]);
}

async function started(all: readonly Player[]): Promise<void> {
  await Promise.all(
    all.map((player) =>
      expect(player.clock('A-white')).toHaveAttribute('data-running', /.*/, { timeout: 15_000 }),
    ),
  );
}

/** Makes legal plies by clicking, the first that are found, until the match is over. */
async function playToTheEnd(player: Player, seat: Seat): Promise<void> {
  await player.page.evaluate(async (seat) => {
    const mine = (selector: string): HTMLElement[] => [
      ...document.querySelectorAll<HTMLElement>(`[data-board="${seat[0]}"] ${selector}`),
    ];
    const tap = (element: HTMLElement): void => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const at = { clientX: x + width / 2, clientY: y + height / 2, bubbles: true, cancelable: true, pointerId: 1, isPrimary: true, button: 0 };
      element.dispatchEvent(new PointerEvent('pointerdown', { ...at, buttons: 1 }));
      element.dispatchEvent(new PointerEvent('pointerup', at));
    };
    const color = seat.endsWith('white') ? 'w' : 'b';
    const board = document.querySelector<HTMLElement>(`[data-board="${seat[0]}"]`);
    if (!board) throw new Error(`no board of ${seat}`);
    for (let tries = 0; document.querySelector('[data-result]') === null; tries += 1) {
      const plies = Number(board.dataset['ply']);
      if (plies % 2 === (color === 'w' ? 0 : 1) && board.dataset['status'] !== 'waiting') {
        const men = [
          ...mine(`[data-piece^="${color}"]`),
          ...document.querySelectorAll<HTMLElement>(`[data-hand="${seat}"] [data-hand-piece]:not([data-count="0"])`),
        ];
        const man = men[(tries * 7) % men.length];
        if (man) tap(man);
        const targets = mine('[data-mark~="target"]');
        const target = targets[tries % targets.length];
        if (target) {
          tap(target);
          document.querySelector<HTMLElement>('[data-promote="Q"]')?.click();
        }
      }
      await new Promise((next) => setTimeout(next, 5));
    }
  }, seat);
}

/** All see the same end, and it came by the rules; the bots have had their part in it. */
async function seeTheEnd(all: readonly Player[], bots: readonly Seat[]): Promise<void> {
  const ends = await Promise.all(
    all.map(async (player) => [
      await player.result().getAttribute('data-result'),
      await player.result().getAttribute('data-winner'),
    ]),
  );
  expect(new Set(ends.map(String)).size).toBe(1);
  expect(['checkmate', 'time']).toContain(ends[0]?.[0]);
  for (const player of all) {
    for (const seat of SEATS) {
      const occupant = bots.includes(seat) ? 'bot' : 'human';
      await expect(player.seat(seat)).toHaveAttribute('data-occupant', occupant);
    }
    for (const board of ['A', 'B'] as const) {
      expect(Number(await player.board(board).getAttribute('data-ply'))).toBeGreaterThan(0);
    }
  }
}

test('one person and three bots play to the end', async ({ browser, relay }) => {
  test.setTimeout(120_000);
  const { host, all, close } = await atTable(browser, relay);
  const bots: Seat[] = ['A-black', 'B-white', 'B-black'];
  for (const [index, seat] of bots.entries()) await addBot(host, seat, index + 1);
  await host.ready();
  await started(all);
  for (const seat of bots) await expect(host.seat(seat)).toContainText(NAMES[seat]);
  await playToTheEnd(host, 'A-white');
  await seeTheEnd(all, bots);
  await close();
});

test('two people and two bots play to the end, and again', async ({ browser, relay }) => {
  test.setTimeout(120_000);
  const { host, all, close } = await atTable(browser, relay, { 'B-black': 'Ben' });
  const bots: Seat[] = ['A-black', 'B-white'];
  for (const seat of bots) await addBot(host, seat, 2);
  for (const player of all) await player.ready();
  await started(all);
  await Promise.all([playToTheEnd(host, 'A-white'), playToTheEnd(all[1] as Player, 'B-black')]);
  await seeTheEnd(all, bots);
  // The bots want what the people want.
  for (const player of all) await player.button('Rematch').click();
  await started(all);
  for (const player of all) {
    for (const seat of bots) await expect(player.seat(seat)).toHaveAttribute('data-occupant', 'bot');
    expect(await player.clockMs('A-black')).toBeLessThanOrEqual(30_000);
  }
  await host.seesPly('A', 0);
  await host.click('A', 'A-white', 'e2e4');
  await host.seesPly('A', 2);
  await close();
});

test('bots are added, changed and removed by the host, and give way', async ({ browser, relay }) => {
  const { host, all, close } = await atTable(browser, relay, { 'A-black': 'Ben' });
  const ben = all[1] as Player;
  await addBot(host, 'B-white', 1);
  await addBot(host, 'B-black', 8);
  // Ben sits opposite of Anna; B-White is his partner.
  await expect(ben.seat('B-white')).toContainText('Partner · Bot, level 1');
  await expect(ben.seat('B-black')).toContainText('Bot, level 8');
  // Only the host may do so.
  for (const name of ['Add bot', 'Remove bot', 'Fill with bots', 'Swap partners']) {
    await expect(ben.button(name)).toHaveCount(0);
  }
  await expect(ben.page.getByLabel('Level')).toHaveCount(0);
  // Ben takes the seat of a bot, which frees his.
  await ben.seat('B-white').getByRole('button', { name: 'Sit' }).click();
  for (const player of all) {
    await expect(player.seat('B-white')).toContainText('Ben');
    await expect(player.seat('A-black')).toHaveAttribute('data-occupant', 'free');
  }
  await host.seat('B-black').getByRole('button', { name: 'Remove bot' }).click();
  await expect(ben.seat('B-black')).toHaveAttribute('data-occupant', 'free');
  // The rest in one go, at the level last chosen.
  await host.button('Fill with bots').click();
  for (const seat of ['A-black', 'B-black'] as const) {
    await expect(ben.seat(seat)).toContainText('Bot, level 8');
    await expect(host.seat(seat).getByLabel('Level')).toHaveValue('8');
  }
  await expect(host.button('Fill with bots')).toBeDisabled();
  await expect(host.page.getByText('All seats are taken. Press Ready when you are.')).toBeVisible();
  // Three times round is where it began; everyone has been Anna's partner.
  const partners: (string | null)[] = [];
  for (const seat of ['B-black', 'A-black', 'B-white'] as const) {
    partners.push(await host.seat('B-black').locator('.name').textContent());
    await host.button('Swap partners').click();
    await expect(host.seat(seat)).toContainText('Ben');
  }
  expect(partners).toEqual(['Delta', 'Ben', 'Delta']);
  await close();
});

test('where no further bot can be had, the lobby says so', async ({ browser }) => {
  test.slow();
  const relay = await Relay.start(['--bot-threads', '1']);
  const contexts: BrowserContext[] = [];
  let host = await openPlayer(browser, 'Anna', relay.url, contexts);
  // One thread has 32 places: three bots at each of ten tables, where somebody is, leave two for the eleventh.
  for (let table = 1; table <= 11; table += 1) {
    if (table > 1) host = new Player('Anna', await host.page.context().newPage(), relay.url);
    await host.openTable();
    await host.sit('A-white');
    await host.button('Fill with bots').click();
    await expect(host.page.locator('[data-occupant="bot"]')).toHaveCount(table <= 10 ? 3 : 2);
  }
  await expect(host.page.getByText('no bot can be had')).toBeVisible();
  await expect(host.seat('B-black')).toHaveAttribute('data-occupant', 'free');
  for (const context of contexts) await context.close();
  await relay.stop();
});

test('the lobby with bots fits a narrow phone', async ({ browser, relay }) => {
  const { host, close } = await atTable(browser, relay);
  await addBot(host, 'A-black', 1);
  await addBot(host, 'B-white', 8);
  await host.page.setViewportSize({ width: 320, height: 568 });
  const widths = await host.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(widths[0]).toBeLessThanOrEqual(widths[1] as number);
  for (const button of await host.page.locator('.seat .btn, .seat select').all()) {
    const box = await button.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
  }
  await close();
});
