// Everything that can happen at a table besides playing: rules.md, "How a match ends", in four browsers.

import type { BrowserContext } from '@playwright/test';
import { expect, test } from './fixtures';
import { SEATS, fourPlaying, fourSeated, openPlayer, type Player, type Seat } from './players';
import { Relay } from './relay';

async function confirm(player: Player, name: string): Promise<void> {
  await player.button(name).click();
  await player.page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
}

test('a draw is offered, declined, withdrawn and agreed by all four', async ({ browser, relay }) => {
  test.slow();
  const table = await fourPlaying(browser, relay);
  const [anna, ben, cleo, dan] = table.all() as [Player, Player, Player, Player];
  await anna.button('Offer draw').click();
  for (const player of table.all()) {
    await expect(player.page.locator('[data-offer]')).toContainText('Anna');
  }
  // An offer survives plies, and one refusal is enough.
  await table.play('A', 'e2e4');
  await ben.button('Decline draw').click();
  for (const player of table.all()) await expect(player.page.locator('[data-offer]')).toHaveCount(0);
  // Anna has to wait; Cleo need not. What is offered can be withdrawn.
  await expect(anna.button('Offer draw')).toBeDisabled();
  await cleo.button('Offer draw').click();
  await cleo.button('Withdraw offer').click();
  await expect(dan.page.locator('[data-offer]')).toHaveCount(0);
  await dan.button('Offer draw').click();
  for (const player of [anna, ben, cleo]) {
    await expect(player.result()).toHaveCount(0);
    await player.button('Accept draw').click();
  }
  await table.seeResult('agreement', 'none');
  await table.close();
});

test('leaving in mid-match asks first and loses for the team', async ({ browser, relay }) => {
  const table = await fourPlaying(browser, relay);
  await confirm(table.at('B-black'), 'Leave');
  for (const seat of ['A-white', 'A-black', 'B-white'] as const) {
    await expect(table.at(seat).result()).toHaveAttribute('data-result', 'leaving');
    await expect(table.at(seat).result()).toHaveAttribute('data-winner', '2');
  }
  await expect(table.at('B-black').page).toHaveURL(/\/$/);
  await table.close();
});

test('who stays away longer than the grace has left', async ({ browser }) => {
  const relay = await Relay.start(['--absence-grace', '3s']);
  const table = await fourPlaying(browser, relay.url);
  await table.at('A-black').page.goto('about:blank');
  const anna = table.at('A-white');
  await expect(anna.seat('A-black')).toHaveAttribute('data-away', /.*/);
  await expect(anna.result()).toHaveAttribute('data-result', 'leaving', { timeout: 10_000 });
  await expect(anna.result()).toHaveAttribute('data-winner', '1');
  await table.close();
  await relay.stop();
});

test('while nobody is there the match is paused, and goes on after a countdown', async ({
  browser,
  relay,
}) => {
  const table = await fourPlaying(browser, relay);
  await table.play('A', 'e2e4');
  const anna = table.at('A-white');
  for (const player of table.all()) if (player !== anna) await player.page.goto('about:blank');
  const left = await anna.clockMs('A-black');
  await anna.page.goto('about:blank');
  const goneAt = Date.now();
  await expect(async () => expect(Date.now() - goneAt).toBeGreaterThan(4_000)).toPass();
  await anna.visit(table.path);
  // The first one who is back starts the countdown.
  await expect(anna.page.getByText(/goes on in/i).first()).toBeVisible();
  await expect(anna.page.locator('[data-running]')).toHaveCount(0);
  const paused = await anna.clockMs('A-black');
  expect(paused).toBeGreaterThan(left - 4_000);
  await expect(anna.clock('A-black')).toHaveAttribute('data-running', /.*/, { timeout: 10_000 });
  await table.at('A-black').visit(table.path);
  await table.at('A-black').click('A', 'A-black', 'e7e5');
  await anna.seesPly('A', 2);
  await table.close();
});

test('both Whites who never move draw at the same instant', async ({ browser, relay }) => {
  test.slow();
  const table = await fourSeated(browser, relay);
  await table.at('A-white').setMinutes('0.5');
  await table.start();
  for (const player of table.all()) {
    await expect(player.result()).toHaveAttribute('data-result', 'both-at-once', { timeout: 45_000 });
    await expect(player.result()).toHaveAttribute('data-winner', 'none');
    expect(await player.clockMs('A-white')).toBe(0);
    expect(await player.clockMs('B-white')).toBe(0);
    expect(await player.clockMs('A-black')).toBe(30_000);
  }
  await table.close();
});

test('one clock that runs out loses, and no running clock shows zero before', async ({
  browser,
  relay,
}) => {
  test.slow();
  const table = await fourSeated(browser, relay);
  const anna = table.at('A-white');
  await anna.setMinutes('0.5');
  await table.start();
  await table.play('B', 'e2e4');
  await anna.page.evaluate(() => {
    const state = window as unknown as { zeroes: number };
    state.zeroes = 0;
    const look = (): void => {
      for (const clock of document.querySelectorAll('[data-clock][data-running]')) {
        const shown = clock.textContent ?? '';
        if (!/[1-9]/.test(shown) || clock.getAttribute('data-ms') === '0') state.zeroes += 1;
      }
    };
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
  });
  await expect(anna.result()).toHaveAttribute('data-result', 'time', { timeout: 45_000 });
  await table.seeResult('time', '2');
  expect(await anna.clockMs('A-white')).toBe(0);
  expect(await anna.page.evaluate(() => (window as unknown as { zeroes: number }).zeroes)).toBe(0);
  await table.close();
});

/** The shortest stalemate without a capture (C. H. Wheeler, 1887), White to move. */
const STUCK =
  'd2d4 d7d6 d1d2 e7e5 a2a4 e5e4 d2f4 f7f5 h2h3 f8e7 f4h2 c8e6 a1a3 c7c5 a3g3 d8a5 b1d2 e7h4 f2f3 e6b3 d4d5 e4e3 c2c4 f5f4';

test('two boards on which nobody can move are a draw', async ({ browser, relay }) => {
  test.slow();
  const table = await fourPlaying(browser, relay);
  await table.play('A', ...STUCK.split(' '));
  for (const player of table.all()) {
    await expect(player.board('A')).toHaveAttribute('data-status', 'waiting');
    await expect(player.result()).toHaveCount(0);
  }
  await table.play('B', ...STUCK.split(' '));
  await table.seeResult('deadlock', 'none');
  await table.close();
});

test('eight hundred plies are a draw', async ({ browser }) => {
  test.setTimeout(240_000);
  const relay = await Relay.start(['--absence-grace', '1h']);
  const table = await fourSeated(browser, relay.url);
  await table.at('A-white').setMinutes('60');
  await table.start();
  // Both boards count; then those at board B go away, for four browsers would take twice the time.
  await table.play('B', 'e2e4', 'e7e5', 'g1f3');
  for (const seat of ['B-white', 'B-black'] as const) await table.at(seat).page.goto('about:blank');
  // A small window is painted sooner.
  for (const seat of ['A-white', 'A-black'] as const) await table.at(seat).page.setViewportSize({ width: 640, height: 480 });
  // Each page plays by itself: whenever it is its turn, the knight goes out or back.
  await Promise.all(
    (['A-white', 'A-black'] as const).map((seat) =>
      table.at(seat).page.evaluate(
        async (white) => {
          const [home, out] = white ? ['g1', 'f3'] : ['g8', 'f6'];
          const square = (name: string): HTMLElement => {
            const found = document.querySelector(`[data-board="A"] [data-square="${name}"]`);
            if (!(found instanceof HTMLElement)) throw new Error(`no square ${name}`);
            return found;
          };
          const tap = (name: string): void => {
            const { x, y, width, height } = square(name).getBoundingClientRect();
            const at = { clientX: x + width / 2, clientY: y + height / 2, bubbles: true, cancelable: true, pointerId: 1, isPrimary: true, button: 0 };
            square(name).dispatchEvent(new PointerEvent('pointerdown', { ...at, buttons: 1 }));
            square(name).dispatchEvent(new PointerEvent('pointerup', at));
          };
          let played = -1;
          while (document.querySelector('[data-result]') === null) {
            const plies = Number(document.querySelector('[data-board="A"]')?.getAttribute('data-ply'));
            if (plies % 2 === (white ? 0 : 1) && plies !== played) {
              played = plies;
              const at = square(home).hasAttribute('data-piece') ? home : out;
              tap(at);
              tap(at === home ? out : home);
            }
            await new Promise((next) => setTimeout(next, 5));
          }
        },
        seat === 'A-white',
      ),
    ),
  );
  // Who comes back finds it over.
  for (const seat of ['B-white', 'B-black'] as const) await table.at(seat).visit(table.path);
  await table.seeResult('ply-limit', 'none');
  await table.at('A-white').seesPly('A', 797);
  await table.at('A-white').seesPly('B', 3);
  await table.close();
  await relay.stop();
});

for (const [name, order] of [
  ['Rematch', ['A-white', 'A-black', 'B-white', 'B-black']],
  ['Swap partners', ['A-white', 'B-white', 'B-black', 'A-black']],
  ['Swap colours', ['A-black', 'A-white', 'B-black', 'B-white']],
] as const) {
  test(`after the end: ${name}`, async ({ browser, relay }) => {
    const table = await fourPlaying(browser, relay);
    await confirm(table.at('A-white'), 'Resign');
    await table.seeResult('resignation', '2');
    for (const player of table.all()) await player.button(name).click();
    for (const [index, seat] of SEATS.entries()) {
      const moved = order[index] as Seat;
      await expect(table.at(seat).seat(moved)).toContainText(table.at(seat).name);
    }
    const anna = table.at('A-white');
    // Who has another partner now is told so; with the old one there is nothing to tell.
    const told = anna.page.getByText('Partners are swapped: you play with another one now.');
    await expect(told).toHaveCount(name === 'Swap partners' ? 1 : 0);
    await expect(anna.clock('A-white')).toHaveAttribute('data-running', /.*/, { timeout: 15_000 });
    await anna.seesPly('A', 0);
    expect(await anna.clockMs('A-black')).toBe(180_000);
    await table.close();
  });
}

test('people stand up, change seats and are removed by the host before the start', async ({
  browser,
  relay,
}) => {
  const table = await fourSeated(browser, relay);
  const [anna, ben, cleo] = table.all() as [Player, Player, Player];
  await ben.button('Stand up').click();
  await expect(anna.seat('A-black')).toHaveAttribute('data-occupant', 'free');
  await cleo.seat('A-black').getByRole('button', { name: 'Sit' }).click();
  await expect(anna.seat('A-black')).toContainText('Cleo');
  await expect(anna.seat('B-white')).toHaveAttribute('data-occupant', 'free');
  await ben.seat('B-white').getByRole('button', { name: 'Sit' }).click();
  await expect(anna.seat('B-white')).toContainText('Ben');
  // Only the host may remove; whoever is removed is told.
  await expect(ben.page.getByRole('button', { name: /^Remove/ })).toHaveCount(0);
  await anna.seat('A-black').getByRole('button', { name: /^Remove/ }).click();
  await expect(anna.seat('A-black')).toHaveAttribute('data-occupant', 'free');
  await expect(cleo.page.getByText(/removed/i).first()).toBeVisible();
  await table.close();
});

test('the host sends away who only looks on, and they stay away', async ({ browser, relay }) => {
  const table = await fourSeated(browser, relay);
  const anna = table.at('A-white');
  const contexts: BrowserContext[] = [];
  const eve = await openPlayer(browser, 'Eve', relay, contexts);
  await eve.visit(table.path);
  // A name is text, whatever is in it.
  await eve.page.getByLabel('Your name').fill('<b>Eve</b>');
  await eve.page.getByLabel('Your name').press('Enter');
  const listed = anna.page.getByRole('listitem').filter({ hasText: '<b>Eve</b>' });
  await expect(listed).toBeVisible();
  // Everybody sees who looks on, the host alone may send them away.
  const ben = table.at('A-black');
  await expect(ben.page.getByRole('listitem').filter({ hasText: '<b>Eve</b>' })).toBeVisible();
  await expect(ben.page.getByRole('button', { name: /^Remove/ })).toHaveCount(0);
  await anna.button('Remove <b>Eve</b>').click();
  await expect(listed).toHaveCount(0);
  await expect(eve.page.getByText(/removed/i).first()).toBeVisible();
  await eve.page.reload();
  await expect(eve.page.getByText(/removed/i).first()).toBeVisible();
  await expect(listed).toHaveCount(0);
  for (const context of contexts) await context.close();
  await table.close();
});

test('a change during the countdown leads back to the lobby with nobody ready', async ({
  browser,
  relay,
}) => {
  const table = await fourSeated(browser, relay);
  for (const player of table.all()) await player.ready();
  await table.at('B-black').button('Stand up').click();
  const anna = table.at('A-white');
  await expect(anna.seat('B-black')).toHaveAttribute('data-occupant', 'free');
  await expect(anna.button('Ready')).toBeVisible();
  await expect(anna.page.locator('[data-running]')).toHaveCount(0);
  await table.close();
});

test('whoever leaves during the countdown frees the seat, and nobody plays', async ({ browser, relay }) => {
  const table = await fourSeated(browser, relay);
  const anna = table.at('A-white');
  const dan = table.at('B-black');
  for (const player of table.all()) await player.ready();
  await expect(dan.page.locator('.counting')).toBeVisible();
  await dan.button('Leave').click();
  await expect(dan.page).toHaveURL(/\/$/);
  await expect(anna.seat('B-black')).toHaveAttribute('data-occupant', 'free');
  await expect(anna.button('Ready')).toBeVisible();
  await expect(anna.page.locator('[data-running]')).toHaveCount(0);
  await table.close();
});

test('whoever is led back to the seats is told who has done so', async ({ browser, relay }) => {
  const table = await fourPlaying(browser, relay);
  await confirm(table.at('A-white'), 'Resign');
  await table.seeResult('resignation', '2');
  await table.at('B-white').button('Back to the table').click();
  for (const player of table.all()) {
    await expect(player.button('Ready')).toBeVisible();
    const told = player.page.getByText('Somebody has gone back to the seats, and everyone with them.');
    await expect(told).toHaveCount(player === table.at('B-white') ? 0 : 1);
  }
  await table.close();
});

test('hosting passes to whoever has been there longest', async ({ browser, relay }) => {
  test.slow();
  const table = await fourSeated(browser, relay, { inTurn: true });
  const [anna, ben] = table.all() as [Player, Player];
  await expect(ben.page.getByLabel('Minutes')).toBeDisabled();
  await anna.button('Leave').click();
  await expect(ben.seat('A-white')).toHaveAttribute('data-occupant', 'free');
  await expect(ben.page.getByLabel('Minutes')).toBeEnabled();
  // A closed tab frees the seat before the start, after fifteen seconds.
  await ben.page.goto('about:blank');
  const cleo = table.at('B-white');
  await expect(cleo.seat('A-black')).toHaveAttribute('data-occupant', 'free', { timeout: 25_000 });
  await expect(cleo.page.getByLabel('Minutes')).toBeEnabled();
  await table.close();
});

test('spectators come and go during a match and may sit down after it', async ({ browser, relay }) => {
  const table = await fourPlaying(browser, relay);
  const contexts: import('@playwright/test').BrowserContext[] = [];
  const eve = await openPlayer(browser, 'Eve', relay, contexts);
  await eve.visit(table.path);
  await expect(eve.board('A')).toBeVisible();
  await confirm(table.at('B-black'), 'Leave');
  await expect(eve.result()).toHaveAttribute('data-result', 'leaving');
  await table.at('A-white').button('Back to the table').click();
  await eve.sit('B-black');
  await expect(table.at('A-white').seat('B-black')).toContainText('Eve');
  for (const context of contexts) await context.close();
  await table.close();
});
