// Whole matches by the keyboard alone, and what a screen reader is told.

import { allowNoRelay, expect, test } from './fixtures';
import { fourPlaying, fourSeated, type Board } from './players';
import { Proxy } from './proxy';
import type { Locator, Page } from '@playwright/test';

/** Presses Tab until `target` has the focus, as somebody would who cannot point. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target.first()).toBeVisible();
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.first().evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${target}`);
}

async function activate(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Goes from the square that has the focus to another one with the arrow keys, White at the bottom. */
async function arrowTo(page: Page, to: string): Promise<void> {
  const from = await page.evaluate(() => document.activeElement?.getAttribute('data-square'));
  if (!from) throw new Error('no square has the focus');
  const step = (by: number, more: string, less: string) => Array<string>(Math.abs(by)).fill(by > 0 ? more : less);
  const keys = [
    ...step(to.charCodeAt(0) - from.charCodeAt(0), 'ArrowRight', 'ArrowLeft'),
    ...step(Number(to[1]) - Number(from[1]), 'ArrowUp', 'ArrowDown'),
  ];
  for (const key of keys) await page.keyboard.press(key);
  await expect(page.locator(`[data-square="${to}"]:focus`)).toHaveCount(1);
}

async function play(page: Page, board: Board, from: string, to: string): Promise<void> {
  const grid = page.locator(`[data-board="${board}"]`);
  const plies = Number(await grid.getAttribute('data-ply'));
  if (!(await page.evaluate(() => Boolean(document.activeElement?.hasAttribute('data-square'))))) {
    await tabTo(page, grid.locator('[tabindex="0"]'));
  }
  await arrowTo(page, from);
  await page.keyboard.press('Enter');
  await arrowTo(page, to);
  await page.keyboard.press('Enter');
  await expect.poll(async () => Number(await grid.getAttribute('data-ply'))).toBeGreaterThan(plies);
  await expect(page.locator(`[data-square="${to}"]:focus`), 'the focus stays on the board').toHaveCount(1);
}

test('a match against the computer is played by keyboard alone', async ({ page }) => {
  test.slow();
  await page.goto('/');
  await activate(page, page.getByRole('button', { name: 'Play the computer', exact: true }));
  await page.waitForURL(/\/solo$/);
  await activate(page, page.getByRole('button', { name: 'Start', exact: true }));
  const own = page.locator('.own [data-board="A"]');
  await expect(page.locator('[data-clock="A-white"]')).toHaveAttribute('data-running', /.*/, { timeout: 30_000 });
  await play(page, 'A', 'e2', 'e4');
  await expect.poll(async () => Number(await own.getAttribute('data-ply')), { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
  // The other board goes on meanwhile, and the focus is where it was.
  await expect(page.locator('[data-square="e4"]:focus')).toHaveCount(1);
  await page.keyboard.press('c');
  await expect(page.locator('[data-clocks]')).toContainText(/\d:\d\d/);
  await activate(page, page.getByRole('button', { name: 'Resign', exact: true }));
  await activate(page, page.getByRole('dialog').getByRole('button', { name: 'Resign', exact: true }));
  await expect(page.locator('[data-result]')).toHaveAttribute('data-result', 'resignation');
  await activate(page, page.getByRole('button', { name: 'Rematch', exact: true }));
  await expect(page.locator('[data-result]')).toHaveCount(0, { timeout: 15_000 });
});

test('a match of four is played to mate by keyboard alone, and heard', async ({ browser, relay }) => {
  test.slow();
  const table = await fourSeated(browser, relay);
  const ada = table.at('A-white');
  const ben = table.at('A-black');
  for (const player of table.all()) {
    if (player !== ada) await player.ready();
  }
  await activate(ada.page, ada.button('Ready'));
  await expect(ada.clock('A-white')).toHaveAttribute('data-running', /.*/, { timeout: 15_000 });
  await play(ada.page, 'A', 'e2', 'e4');
  await ben.click('A', 'A-black', 'e7e5');
  await expect(ada.page.locator('[data-heard]')).toContainText(/pawn to e5/);
  await ada.seesPly('A', 2);
  await play(ada.page, 'A', 'f1', 'c4');
  await ben.click('A', 'A-black', 'b8c6');
  await expect(ada.page.locator('[data-heard]')).toContainText(/knight to c6/);
  await ada.seesPly('A', 4);
  await play(ada.page, 'A', 'd1', 'h5');
  await ben.click('A', 'A-black', 'g8f6');
  await ada.seesPly('A', 6);
  await play(ada.page, 'A', 'h5', 'f7');
  await table.seeResult('checkmate', '1');
  await expect(ben.page.locator('[data-heard]')).toContainText(/queen takes on f7, checkmate/);
  await table.close();
});

test('the focus is never lost: a promotion, a cut line, a draw offer, the end, another match', async ({ browser, relay }) => {
  test.slow();
  const proxy = await Proxy.start(relay);
  const table = await fourPlaying(browser, relay, { behind: { 'A-white': proxy.url } });
  const { page } = table.at('A-white');
  const ada = table.at('A-white');
  const ben = table.at('A-black');
  const focused = (what: string) => expect(page.locator(`${what}:focus`)).toHaveCount(1);
  await play(page, 'A', 'a2', 'a4');
  for (const [answer, from, to] of [['b7b5', 'a4', 'b5'], ['a7a6', 'b5', 'a6'], ['b8c6', 'a6', 'a7']] as const) {
    await ben.click('A', 'A-black', answer);
    await expect.poll(async () => Number(await ada.board('A').getAttribute('data-ply')) % 2).toBe(0);
    await play(page, 'A', from, to);
  }
  await ben.click('A', 'A-black', 'c6b8');
  await ada.seesPly('A', 8);

  // The choice takes the focus, the arrow keys lead through it, and it gives the focus back.
  await arrowTo(page, 'a7');
  await page.keyboard.press('Enter');
  await arrowTo(page, 'b8');
  await page.keyboard.press('Enter');
  await focused('[data-promote="Q"]');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await ada.seesPly('A', 9);
  await expect(ada.square('A', 'b8')).toHaveAttribute('data-promoted', /.*/);
  await expect(page.locator('[data-square]:focus')).toHaveCount(1);

  // A line that is cut and comes back, with what was played meanwhile.
  allowNoRelay();
  proxy.cut();
  await expect(page.locator('body')).not.toHaveAttribute('data-connection', 'online');
  await ben.click('A', 'A-black', 'a8b8');
  proxy.restore();
  await ada.online();
  await ada.seesPly('A', 10);
  await expect(page.locator('[data-square]:focus')).toHaveCount(1);

  // An offer comes and goes, and with it the button that was pressed.
  await ben.button('Offer draw').click();
  await expect(page.locator('[data-offer]')).toBeVisible();
  await expect(page.locator('[data-square]:focus'), 'an offer takes nothing away').toHaveCount(1);
  await activate(page, page.getByRole('button', { name: 'Decline draw' }));
  await expect(page.locator('[data-offer]')).toHaveCount(0);
  await expect(page.locator('#own:focus')).toHaveCount(1);

  await activate(page, page.getByRole('button', { name: 'Resign', exact: true }));
  await activate(page, page.getByRole('dialog').getByRole('button', { name: 'Resign', exact: true }));
  await table.seeResult('resignation', '2');
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
  await activate(page, page.getByRole('button', { name: 'Rematch', exact: true }));
  for (const player of table.all()) if (player !== ada) await player.button('Rematch').click();
  await expect(ada.result()).toHaveCount(0, { timeout: 15_000 });
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
  await expect(ada.clock('A-white')).toHaveAttribute('data-running', /.*/, { timeout: 15_000 });
  await play(page, 'A', 'e2', 'e4');
  await table.close();
  await proxy.close();
});

test('a piece that arrives is spoken, and so is another of the same kind', async ({ browser, relay }) => {
  const table = await fourPlaying(browser, relay);
  const dan = table.at('B-black').page;
  const received = dan.locator('[data-received]');
  await received.evaluate((region) => {
    const spoken: string[] = [];
    Object.assign(window, { spoken });
    new MutationObserver(() => spoken.push((region.textContent ?? '').trim())).observe(region, { childList: true, characterData: true, subtree: true });
  });
  await table.play('A', 'e2e4', 'd7d5', 'e4d5', 'c7c6', 'd5c6');
  await expect(table.at('B-black').hand('B-black', 'P')).toHaveAttribute('data-count', '2');
  const spoken = await dan.evaluate(() => (window as unknown as { spoken: string[] }).spoken);
  expect(spoken.map((words) => words.replaceAll('\u200b', ''))).toEqual(['new in hand: pawn', 'new in hand: pawn']);
  await table.close();
});

test('squares, pieces and hands have spoken names', async ({ page }) => {
  await page.goto('/rules?lang=de');
  const board = page.getByRole('grid', { name: 'Brett zum Ausprobieren: Einsetzen' });
  await expect(board.getByRole('gridcell', { name: 'g8, schwarzer König', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Springer, 1 auf der Hand', exact: true }).first()).toBeVisible();
  await page.goto('/rules?lang=en');
  const lesson = page.locator('.lesson').first();
  await activate(page, lesson.locator('[data-hand-piece="N"]'));
  // Taken up from the hand, it is dropped on a square that the arrows lead to.
  await tabTo(page, lesson.locator('[data-square][tabindex="0"]'));
  await arrowTo(page, 'h6');
  await page.keyboard.press('Enter');
  await expect(lesson.getByRole('status').last()).toContainText('N@h6+');
});

test('each seat of a table says which one it is', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Open a table' }).click();
  const seat = (name: string) => page.getByRole('group', { name, exact: true });
  await seat('White, board A, Team 1').getByRole('button', { name: 'Sit', exact: true }).click();
  await seat('Black, board B, Your team').getByRole('button', { name: 'Add bot' }).click();
  await expect(seat('Black, board B, Your team').getByRole('combobox', { name: 'Level' })).toBeVisible();
  await expect(page.locator('[data-seat="B-black"]')).toHaveAttribute('data-occupant', 'bot');
});

test('the skip link is the first stop and leads to the content', async ({ page }) => {
  await page.goto('/');
  await page.locator('#title').waitFor();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('button', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.locator('#main')).toBeFocused();
});

test('with forced colours, pieces and marks are still told apart', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/rules');
  const lesson = page.locator('.lesson').nth(0);
  await lesson.locator('[data-hand-piece="N"]').click();
  const target = lesson.locator('[data-square="h6"]');
  await expect(target).toHaveAttribute('data-mark', /target/);
  const seen = await target.evaluate((square) => getComputedStyle(square, '::after').forcedColorAdjust);
  expect(seen).toBe('none');
  // Whose colour a seat plays is told by a disc, which keeps its two colours.
  await page.goto('/solo');
  const colours = () => page.locator('.seat .disc').evaluateAll((discs) => discs.map((disc) => getComputedStyle(disc).backgroundColor));
  await expect.poll(async () => (await colours()).length).toBe(4);
  await expect.poll(async () => new Set(await colours()).size).toBe(2);
});

for (const [name, reducedMotion] of [['slides', 'no-preference'], ['is simply there under reduced motion', 'reduce']] as const) {
  test(`a piece that is moved ${name}`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion });
    await page.goto('/rules');
    const lesson = page.locator('.lesson').nth(1);
    await lesson.evaluate((lesson) => {
      const slid: string[] = [];
      Object.assign(window, { slid });
      lesson.addEventListener('transitionrun', (event) => slid.push((event as TransitionEvent).propertyName));
    });
    await lesson.locator('[data-square="e1"]').click();
    const target = lesson.locator('[data-square="e8"]');
    await target.click();
    await expect(target).toHaveAttribute('data-piece', 'wR');
    // It stands where it belongs, at the end.
    const apart = async (): Promise<number> => {
      const [there, here] = [await target.boundingBox(), await lesson.locator('.men > .wR').boundingBox()];
      return there && here ? Math.round(Math.hypot(there.x - here.x, there.y - here.y)) : NaN;
    };
    await expect.poll(apart).toBe(0);
    const slid = await page.evaluate(() => (window as unknown as { slid: string[] }).slid);
    expect(slid.includes('translate')).toBe(reducedMotion !== 'reduce');
  });
}
