// A whole match alone: the table runs in the page, the bots think in workers beside it.

import type { Page } from '@playwright/test';
import { allowOnConsole, expect, test } from './fixtures';
import { everythingKept } from './kept';
import { Player, SEATS, type Seat } from './players';

interface Choices {
  seat?: Seat;
  level?: string;
  minutes?: string;
  clock?: 'with' | 'without';
}

/** One person at `/solo`, where everything that is needed has been loaded. */
async function open(page: Page, relay: string): Promise<Player> {
  const anna = new Player('Anna', page, relay);
  await anna.visit('/solo');
  return anna;
}

async function choose(anna: Player, { seat, level, minutes, clock }: Choices): Promise<void> {
  if (seat) {
    await anna.seat(seat).getByRole('button', { name: 'Sit' }).click();
    await expect(anna.seat(seat)).toHaveAttribute('data-occupant', 'human');
  }
  if (level) await anna.page.getByLabel('Level').selectOption(level);
  if (clock) await anna.page.getByLabel('Clock').selectOption(clock);
  if (minutes) await anna.setMinutes(minutes);
}

async function start(anna: Player, choices: Choices = {}): Promise<void> {
  await choose(anna, choices);
  await anna.button('Start').click();
  await expect(anna.board('A')).toHaveAttribute('data-status', 'move');
}

/** The match runs: somebody's clock does. */
async function running(anna: Player): Promise<void> {
  await expect(anna.page.locator('[data-clock][data-running]')).toHaveCount(2, { timeout: 15_000 });
}

async function plies(anna: Player): Promise<[number, number]> {
  const of = async (board: 'A' | 'B'): Promise<number> =>
    Number(await anna.board(board).getAttribute('data-ply'));
  return [await of('A'), await of('B')];
}

/** Has the page play by itself from now on: on the own turn the first ply that is found. */
async function playOn(page: Page, seat: Seat): Promise<void> {
  await page.evaluate(
    ([board, white]) => {
      const root = (): Element | null => document.querySelector(`[data-board="${board}"]`);
      const tap = (element: Element): void => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const at = { clientX: x + width / 2, clientY: y + height / 2, bubbles: true, cancelable: true, pointerId: 1, isPrimary: true, button: 0 };
        element.dispatchEvent(new PointerEvent('pointerdown', { ...at, buttons: 1 }));
        element.dispatchEvent(new PointerEvent('pointerup', at));
      };
      const next = (): Promise<unknown> => new Promise(requestAnimationFrame);
      const once = async (): Promise<void> => {
        const color = white ? 'w' : 'b';
        const own = [...(root()?.querySelectorAll(`[data-piece^="${color}"]`) ?? [])];
        const side = white ? 'white' : 'black';
        const hand = [...document.querySelectorAll(`[data-hand="${board}-${side}"] [data-hand-piece]:not([data-count="0"])`)];
        for (const from of [...hand, ...own.reverse()]) {
          tap(from);
          await next();
          const target = root()?.querySelector('[data-mark~="target"]');
          if (!target) continue;
          tap(target);
          await next();
          const choice = document.querySelector('[data-promote="Q"]');
          if (choice instanceof HTMLElement) choice.click();
          await next();
          return;
        }
      };
      const play = async (): Promise<void> => {
        while (document.querySelector('[data-result]') === null) {
          const mine = Number(root()?.getAttribute('data-ply')) % 2 === (white ? 0 : 1);
          if (mine && root()?.getAttribute('data-status') !== 'ended') await once();
          await new Promise((later) => setTimeout(later, 20));
        }
      };
      void play();
    },
    [seat.slice(0, 1), seat.endsWith('white')] as [string, boolean],
  );
}

/** Hides the page from its reader, or shows it again. A headless browser shows every page. */
async function hide(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, hidden);
}

test('from the start page to a match against the computer', async ({ page, relay }) => {
  const anna = new Player('Anna', page, relay);
  await anna.visit('/');
  await anna.button('Play the computer').click();
  await expect(page).toHaveURL(/\/solo$/);
  await anna.online();
  await start(anna, { seat: 'B-black', level: '2', minutes: '3' });
  for (const seat of SEATS) {
    const occupant = seat === 'B-black' ? 'human' : 'bot';
    await expect(anna.seat(seat)).toHaveAttribute('data-occupant', occupant);
  }
  await running(anna);
  // Bots begin on both boards; the reader answers on one.
  await expect(anna.board('B')).toHaveAttribute('data-ply', '1', { timeout: 15_000 });
  await anna.click('B', 'B-black', 'a7a6');
  await anna.seesPiece('B', 'a6', 'bP');
  await expect(anna.board('A')).not.toHaveAttribute('data-ply', '0', { timeout: 15_000 });
  // Leaving puts the match away; the start page leads back to it.
  await anna.button('Leave').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.getByRole('link', { name: 'Continue' }).click();
  await anna.seesPiece('B', 'a6', 'bP');
  await running(anna);
});

test('a whole match with the network cut, to the end, and another one after it', async ({
  page,
  context,
  relay,
}) => {
  test.setTimeout(150_000);
  const anna = await open(page, relay);
  // A download that the cut interrupts would be told on the console.
  await everythingKept(page, 'en');
  await context.setOffline(true);
  await start(anna, { seat: 'A-black', level: '8', minutes: '0.5' });
  await playOn(page, 'A-black');
  await expect(anna.result()).toHaveAttribute('data-result', /^(checkmate|time)$/, { timeout: 120_000 });
  const [a, b] = await plies(anna);
  expect(a).toBeGreaterThan(1);
  expect(b).toBeGreaterThan(1);
  await anna.button('Swap colours').click();
  await running(anna);
  await expect(anna.seat('A-white')).toHaveAttribute('data-occupant', 'human');
  await anna.seesPly('A', 0);
  await anna.button('Resign').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resign', exact: true }).click();
  await expect(anna.result()).toHaveAttribute('data-result', 'resignation');
  await anna.button('Other choices').click();
  await expect(page.getByLabel('Minutes')).toHaveValue('0.5');
  await expect(page.getByLabel('Level')).toHaveValue('8');
});

test('a match survives a reload: boards, clocks and seat', async ({ page, relay }) => {
  const anna = await open(page, relay);
  await start(anna, { seat: 'A-white', level: '3', minutes: '5' });
  await running(anna);
  await anna.click('A', 'A-white', 'g1f3');
  await expect(anna.board('A')).toHaveAttribute('data-ply', '2', { timeout: 20_000 });
  const before = { left: await anna.clockMs('A-white'), plies: await plies(anna) };
  await page.reload();
  await anna.seesPiece('A', 'f3', 'wN');
  await expect(anna.seat('A-white')).toHaveAttribute('data-occupant', 'human');
  await expect(page.getByText(/goes on in/i).first()).toBeVisible();
  await expect(page.locator('[data-running]')).toHaveCount(0);
  const after = await plies(anna);
  expect(after[0]).toBe(2);
  expect(after[1]).toBeGreaterThanOrEqual(before.plies[1]);
  const left = await anna.clockMs('A-white');
  expect(left).toBeLessThanOrEqual(before.left);
  expect(left).toBeGreaterThan(before.left - 3_000);
  await running(anna);
  await anna.click('A', 'A-white', 'f3g1');
  await expect(anna.board('A')).toHaveAttribute('data-ply', '4', { timeout: 20_000 });
});

test('a hidden page pauses the match and says so when it is seen again', async ({ page, relay }) => {
  const anna = await open(page, relay);
  await start(anna, { seat: 'A-white', level: '1', minutes: '5' });
  await running(anna);
  await hide(page, true);
  await expect(page.locator('[data-running]')).toHaveCount(0);
  const hidden = { left: await anna.clockMs('A-white'), plies: await plies(anna) };
  await hide(page, false);
  await expect(page.getByText(/paused.*goes on in/i).first()).toBeVisible();
  expect(await plies(anna)).toEqual(hidden.plies);
  await running(anna);
  expect(await anna.clockMs('A-white')).toBeGreaterThan(hidden.left - 2_000);
});

test('without clocks none is shown, and the other board waits for the reader', async ({ page, relay }) => {
  test.slow();
  const anna = await open(page, relay);
  await start(anna, { seat: 'A-white', level: '1', clock: 'without' });
  await expect(anna.seat('A-white')).toHaveAttribute('data-occupant', 'human');
  // The partner plays Black on the other board: three plies of it, and White's that lead there.
  await expect(page.getByText('Your partner’s board waits until you have moved.')).toBeVisible({ timeout: 60_000 });
  const [, held] = await plies(anna);
  expect(held).toBeGreaterThanOrEqual(6);
  await expect(page.locator('[data-clock]')).toHaveCount(0);
  await anna.click('A', 'A-white', 'e2e4');
  await expect(page.getByText('Your partner’s board waits until you have moved.')).toHaveCount(0);
  await expect(anna.board('B')).not.toHaveAttribute('data-ply', String(held), { timeout: 30_000 });
});

test('a kept match that cannot be read is dropped with a word', async ({ page, relay }) => {
  const anna = await open(page, relay);
  await start(anna, { level: '1', minutes: '5' });
  await running(anna);
  await page.evaluate(() => {
    // What the page itself keeps when it goes is of no use to this test.
    const kept = localStorage.getItem('tandem.solo.match') ?? '';
    window.addEventListener('pagehide', () => localStorage.setItem('tandem.solo.match', kept.slice(0, -9)));
    document.addEventListener('visibilitychange', () => localStorage.setItem('tandem.solo.match', kept.slice(0, -9)));
  });
  await page.reload();
  await expect(page.getByText(/cannot be read any more/)).toBeVisible();
  await anna.online();
  await start(anna);
  await running(anna);
});

test('of two pages the newer has the match, and the older can take it back', async ({ page, context, relay }) => {
  const anna = await open(page, relay);
  await start(anna, { seat: 'A-white', level: '1', minutes: '5' });
  await running(anna);
  await anna.click('A', 'A-white', 'e2e4');
  const other = await context.newPage();
  const second = new Player('Anna', other, relay);
  await second.visit('/solo');
  await second.seesPiece('A', 'e4', 'wP');
  await expect(page.getByText('This table is open on another page')).toBeVisible();
  await running(second);
  await anna.button('Use this page').click();
  await anna.seesPiece('A', 'e4', 'wP');
  await running(anna);
  await expect(other.getByText('This table is open on another page')).toBeVisible();
});

test('bots whose program fails are started again, and the page says if that does not help', async ({ page, relay }) => {
  allowOnConsole(/question cannot be read|unreachable|Uncaught/);
  // Every second question cannot be read, so that each worker fails again and again.
  await page.addInitScript(() => {
    const state = window as unknown as { broken: boolean };
    state.broken = true;
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (this: Worker, message: unknown): void {
      const broken = state.broken && message instanceof Uint8Array;
      post.call(this, broken ? message.slice(0, 3) : message);
    };
  });
  const anna = await open(page, relay);
  await start(anna, { seat: 'A-black', level: '1', minutes: '5' });
  await expect(page.getByText('The computer players do not answer.')).toBeVisible({ timeout: 20_000 });
  await expect(page.locator('[data-running]')).toHaveCount(0);
  await page.evaluate(() => ((window as unknown as { broken: boolean }).broken = false));
  await anna.button('Try again').click();
  await expect(anna.board('A')).toHaveAttribute('data-ply', '1', { timeout: 20_000 });
  await expect(page.getByText('The computer players do not answer.')).toHaveCount(0);
});

test('a page without the bots’ program says so and loads it when it can', async ({ page, relay }) => {
  allowOnConsole(/Failed to load resource|net::ERR/);
  await page.route('**/bot_worker*', (route) => route.abort());
  await page.goto(`${relay}/solo`);
  await expect(page.getByText('The computer players could not be loaded.')).toBeVisible();
  await expect(page.locator('body')).toHaveAttribute('data-connection', 'offline');
  await expect(page.getByRole('button', { name: 'Start' })).toBeDisabled();
  await page.unroute('**/bot_worker*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: 'Start' })).toBeEnabled();
});

test('the page answers at once while both bots think', async ({ page, relay }) => {
  test.slow();
  const anna = await open(page, relay);
  await start(anna, { seat: 'A-white', level: '8', minutes: '5' });
  await running(anna);
  await page.evaluate(() => {
    const state = window as unknown as { longest: number };
    state.longest = 0;
    new PerformanceObserver((list) => {
      for (const task of list.getEntries()) state.longest = Math.max(state.longest, task.duration);
    }).observe({ type: 'longtask' });
  });
  for (const [from, to, ply] of [['e2', 'e4', 2], ['d2', 'd3', 4], ['a2', 'a3', 6], ['h2', 'h3', 8]] as const) {
    await anna.square('A', from).click();
    expect(await anna.paintedAfterTap('A', to)).toBe('wP');
    await expect(anna.board('A')).toHaveAttribute('data-ply', String(ply), { timeout: 30_000 });
  }
  const longest = await page.evaluate(() => (window as unknown as { longest: number }).longest);
  test.info().annotations.push({ type: 'longest task', description: `${longest} ms` });
});
