// Talk between partners: signals, proposed moves, free text, and who hears what.

import { expect, test } from './fixtures';
import { fourPlaying, Player, type Seat } from './players';
import { Relay } from './relay';

const TELLS = [
  ...['need', 'dont-give'].flatMap((word) => ['P', 'N', 'B', 'R', 'Q'].map((kind) => `${word}-${kind}`)),
  ...['mates', 'saves'].flatMap((word) => ['P', 'N', 'B', 'R', 'Q'].map((kind) => `${kind}-${word}`)),
  'sit', 'go', 'trade', 'dont-trade', 'keep-checking', 'winning', 'trouble', 'up-on-time', 'low-on-time',
  'coming', 'suggest', 'yes', 'no', 'thanks',
];

test('partners give each other signals, and nobody else hears of them', async ({ browser, relay }) => {
  const table = await fourPlaying(browser, relay);
  const anna = table.at('A-white');
  const dan = table.at('B-black');
  for (const code of TELLS) await expect(anna.page.locator(`[data-tell="${code}"]`)).toHaveCount(1);
  // One press, named for those who do not see the piece on it.
  await anna.button('Need a knight').click();
  await expect(dan.page.locator('[data-told="need-N"]')).toContainText('Anna');
  await expect(dan.page.locator('[data-told="need-N"]')).toContainText('Need a knight');
  // By keyboard: T, and then the arrow keys.
  await dan.page.keyboard.press('t');
  await expect(dan.button('Need a pawn')).toBeFocused();
  for (let step = 0; step < 20; step += 1) await dan.page.keyboard.press('ArrowRight');
  await expect(dan.button('Sit')).toBeFocused();
  await dan.page.keyboard.press('Enter');
  await expect(anna.page.locator('[data-told="sit"]')).toBeVisible();
  // Free text, and what was said stays to be read.
  await anna.page.getByRole('textbox', { name: 'Talk' }).fill('a knight on f3 mates');
  await anna.page.getByRole('textbox', { name: 'Talk' }).press('Enter');
  await expect(dan.page.getByText('a knight on f3 mates').first()).toBeVisible();
  await expect(anna.page.getByRole('textbox', { name: 'Talk' })).toHaveValue('');
  for (const seat of ['A-black', 'B-white'] as const) {
    const other = table.at(seat).page;
    await expect(other.getByText('a knight on f3 mates')).toHaveCount(0);
    await expect(other.locator('[data-told]')).toHaveCount(0);
  }
  // Whoever mutes the others sees nothing more of them.
  await dan.button('Mute the others').click();
  await expect(dan.page.getByText('a knight on f3 mates')).toHaveCount(0);
  await anna.button('Thanks').click();
  await expect(anna.button('Thanks')).toHaveAttribute('data-sent', '');
  await expect(dan.page.locator('[data-told="thanks"]')).toHaveCount(0);
  await table.close();
});

test('a move is proposed on the partner’s board', async ({ browser, relay }) => {
  const table = await fourPlaying(browser, relay);
  const anna = table.at('A-white');
  const dan = table.at('B-black');
  await anna.page.locator('[data-tell="suggest"]').click();
  await expect(anna.page.getByText('Choose a piece and a square on your partner’s board.')).toBeVisible();
  await anna.square('B', 'g8').click();
  await anna.square('B', 'f6').click();
  await expect(dan.page.locator('[data-told="suggest"]')).toContainText('g8–f6');
  await expect(dan.page.locator('.frame:has([data-board="B"]) .arrow')).toBeVisible();
  await expect(anna.page.locator('.frame:has([data-board="B"]) .arrow')).toBeVisible();
  await expect(table.at('B-white').page.locator('.arrow')).toHaveCount(0);
  // The next ply there takes it away.
  await table.play('B', 'e2e4');
  await expect(dan.page.locator('.arrow')).toHaveCount(0);
  // By keyboard, and put down again.
  await anna.page.keyboard.press('t');
  await anna.page.keyboard.press('ArrowRight');
  await anna.page.locator('[data-tell="suggest"]').press('Enter');
  await anna.square('B', 'e7').press('Enter');
  await anna.square('B', 'e5').press('Enter');
  await expect(dan.page.locator('[data-told="suggest"]')).toContainText('e7–e5');
  await anna.page.locator('[data-tell="suggest"]').press('Enter');
  await anna.page.keyboard.press('Escape');
  await expect(anna.page.getByText('Choose a piece and a square on your partner’s board.')).toHaveCount(0);
  await table.close();
});

test('on an upright phone the partner’s board is large while a move is proposed on it', async ({ browser, relay }) => {
  const table = await fourPlaying(browser, relay);
  const anna = table.at('A-white');
  await anna.page.setViewportSize({ width: 390, height: 844 });
  const wide = async (board: 'A' | 'B'): Promise<number> => (await anna.board(board).boundingBox())?.width ?? 0;
  const larger = async (): Promise<string> => ((await wide('A')) > (await wide('B')) ? 'A' : 'B');
  expect(await larger()).toBe('A');
  for (const end of ['proposed', 'put down']) {
    await anna.page.locator('.tell-btn').click();
    await anna.page.locator('[data-tell="suggest"]').click();
    await expect.poll(larger).toBe('B');
    await anna.square('B', 'g8').click();
    if (end === 'proposed') {
      await anna.square('B', 'f6').click();
      await expect(table.at('B-black').page.locator('[data-told="suggest"]')).toContainText('g8–f6');
    } else {
      await anna.page.keyboard.press('Escape');
    }
    await expect.poll(larger).toBe('A');
  }
  await table.close();
});

test('while a move is proposed the partner’s board is marked, whichever is large', async ({ browser, relay }) => {
  const table = await fourPlaying(browser, relay);
  const anna = table.at('A-white');
  const outline = async (board: 'A' | 'B'): Promise<string> =>
    anna.board(board).evaluate((element) => getComputedStyle(element).outlineStyle);
  for (const swapped of [false, true]) {
    if (swapped) await anna.button('Swap boards').click();
    await anna.page.locator('[data-tell="suggest"]').click();
    expect([await outline('A'), await outline('B')]).toEqual(['none', 'solid']);
    await anna.page.keyboard.press('Escape');
    await expect.poll(() => outline('B')).toBe('none');
  }
  await table.close();
});

test('after the end everyone can talk to everyone', async ({ browser, relay }) => {
  const table = await fourPlaying(browser, relay);
  const anna = table.at('A-white');
  await anna.button('Resign').click();
  await anna.page.getByRole('dialog').getByRole('button', { name: 'Resign', exact: true }).click();
  await table.seeResult('resignation', '2');
  await expect(anna.page.locator('[data-tell]')).toHaveCount(0);
  await anna.page.getByRole('textbox', { name: 'Talk' }).fill('well played');
  await anna.page.getByRole('textbox', { name: 'Talk' }).press('Enter');
  for (const player of table.all()) await expect(player.page.getByText('well played').first()).toBeVisible();
  await expect(table.at('B-white').page.getByText('Anna: ')).toBeVisible();
  await table.close();
});

test('a relay without free text takes signals only', async ({ browser }) => {
  const relay = await Relay.start(['--no-chat']);
  const table = await fourPlaying(browser, relay.url);
  const anna = table.at('A-white');
  await expect(anna.page.getByRole('textbox', { name: 'Talk' })).toHaveCount(0);
  await anna.button('Go').click();
  await expect(table.at('B-black').page.locator('[data-told="go"]')).toBeVisible();
  await table.close();
  await relay.stop();
});

test('a bot that is told to sit waits, and plays when told to go', async ({ page, relay }) => {
  test.slow();
  const anna = new Player('Anna', page, relay);
  await anna.visit('/solo');
  const seat: Seat = 'A-white';
  await anna.seat(seat).getByRole('button', { name: 'Sit' }).click();
  await page.getByLabel('Level').selectOption('1');
  await page.getByLabel('Clock').selectOption('without');
  await anna.button('Start').click();
  await expect(page.locator('[data-tell="sit"]')).toBeVisible({ timeout: 15_000 });
  await page.locator('[data-tell="sit"]').click();
  await anna.seesPly('B', 1, 20_000);
  // The partner is to move, and waits through a whole move of the reader.
  await anna.click('A', seat, 'e2e4');
  await anna.seesPly('A', 2, 30_000);
  await anna.seesPly('B', 1);
  await page.locator('[data-tell="go"]').click();
  await expect(anna.board('B')).not.toHaveAttribute('data-ply', '1', { timeout: 20_000 });
});
