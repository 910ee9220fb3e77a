// Premoves, gestures in flight, and the keyboard's ways to play.

import { expect, test } from './fixtures';
import { fourPlaying, type Board, type Player, type Table } from './players';

async function centre(player: Player, board: Board, square: string): Promise<[number, number]> {
  const box = await player.square(board, square).boundingBox();
  if (!box) throw new Error(`no square ${square}`);
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** `plies` of board A are played; everyone sees them. */
async function playing(browser: import('@playwright/test').Browser, relay: string, ...plies: string[]): Promise<Table> {
  const table = await fourPlaying(browser, relay);
  await table.play('A', ...plies);
  return table;
}

test('premoves are shown, played in turn, and void once one is illegal', async ({ browser, relay }) => {
  const table = await playing(browser, relay, 'e2e4');
  const [anna, ben] = [table.at('A-white'), table.at('A-black')];
  await anna.click('A', 'A-white', 'd2d4');
  await anna.click('A', 'A-white', 'd4e5');
  await anna.click('A', 'A-white', 'g1f3');
  for (const square of ['d2', 'd4', 'e5', 'g1', 'f3']) {
    await expect(anna.square('A', square)).toHaveAttribute('data-mark', /premove/);
  }
  // The number of the second lies over its square.
  const second = anna.board('A').locator('.order[data-n="2"]');
  const corner = async (locator: typeof second): Promise<number[]> => {
    const box = await locator.boundingBox();
    return [Math.round(box?.x ?? 0), Math.round(box?.y ?? 0)];
  };
  expect(await corner(second)).toEqual(await corner(anna.square('A', 'e5')));
  // The pieces themselves stand where they stood, and nobody else knows of it.
  await anna.seesPiece('A', 'd2', 'wP');
  await anna.seesPiece('A', 'f3', null);
  await expect(ben.page.locator('[data-mark~="premove"]')).toHaveCount(0);
  await ben.click('A', 'A-black', 'e7e5');
  for (const player of table.all()) await player.seesPly('A', 3);
  await anna.seesPiece('A', 'd4', 'wP');
  await ben.click('A', 'A-black', 'h7h6');
  for (const player of table.all()) {
    await player.seesPly('A', 5);
    await player.seesPiece('A', 'e5', 'wP');
  }
  // What is lined up meanwhile joins the end of the line.
  await anna.click('A', 'A-white', 'a2a3');
  await expect(anna.page.locator('[data-mark~="premove"]')).toHaveCount(4);
  await ben.click('A', 'A-black', 'd8g5');
  for (const player of table.all()) await player.seesPly('A', 7);
  await ben.click('A', 'A-black', 'g5g2');
  for (const player of table.all()) await player.seesPly('A', 9);
  // Now a capture that comes to nothing takes the rest with it.
  await anna.click('A', 'A-white', 'b2c3');
  await anna.click('A', 'A-white', 'h2h3');
  await ben.click('A', 'A-black', 'h6h5');
  await anna.seesPly('A', 10);
  await expect(anna.page.locator('[data-mark~="premove"]')).toHaveCount(0);
  await expect(anna.page.getByText('Premove no longer possible').first()).toBeAttached();
  await table.close();
});

test('Escape and the right button take premoves back', async ({ browser, relay }) => {
  const table = await playing(browser, relay, 'e2e4');
  const anna = table.at('A-white');
  const marked = anna.page.locator('[data-mark~="premove"]');
  await anna.click('A', 'A-white', 'd2d4');
  await expect(marked).toHaveCount(2);
  await anna.page.keyboard.press('Escape');
  await expect(marked).toHaveCount(0);
  await anna.click('A', 'A-white', 'd2d4');
  await expect(marked).toHaveCount(2);
  // With a piece in the hand, the first Escape puts that one down.
  await anna.square('A', 'g1').click();
  await anna.page.keyboard.press('Escape');
  await expect(anna.square('A', 'g1')).not.toHaveAttribute('data-mark', /selected/);
  await expect(marked).toHaveCount(2);
  await anna.square('A', 'a5').click({ button: 'right' });
  await expect(marked).toHaveCount(0);
  await table.play('A', 'e7e5');
  await anna.seesPly('A', 2);
  await table.close();
});

test('a drop of a piece that is still to come waits, and is played when it comes', async ({ browser, relay }) => {
  const table = await playing(browser, relay, 'e2e4');
  const [anna, ben] = [table.at('A-white'), table.at('A-black')];
  await anna.hand('A-white', 'P').click();
  await anna.square('A', 'e6').click();
  await expect(anna.square('A', 'e6')).toHaveAttribute('data-mark', /premove/);
  await ben.click('A', 'A-black', 'a7a6');
  await anna.seesPly('A', 2);
  await expect(anna.square('A', 'e6')).toHaveAttribute('data-mark', /premove/);
  await expect(anna.clock('A-white')).toHaveAttribute('data-running', /.*/);
  await table.play('B', 'e2e4', 'd7d5', 'a2a3');
  await table.at('B-black').click('B', 'B-black', 'd5e4');
  for (const player of table.all()) {
    await player.seesPly('A', 3);
    await player.seesPiece('A', 'e6', 'wP');
  }
  await table.close();
});

test('a promotion is chosen ahead of time', async ({ browser, relay }) => {
  const table = await playing(browser, relay, 'a2a4', 'b7b5', 'a4b5', 'a7a6', 'b5a6', 'b8c6', 'a6a7');
  const [anna, ben] = [table.at('A-white'), table.at('A-black')];
  await anna.click('A', 'A-white', 'a7b8n');
  await expect(anna.square('A', 'b8')).toHaveAttribute('data-mark', /premove/);
  await ben.click('A', 'A-black', 'c6b8');
  for (const player of table.all()) {
    await player.seesPly('A', 9);
    await player.seesPiece('A', 'b8', 'wN');
  }
  await table.close();
});

test('a gesture begun before the opponent’s ply ends as the premove it was', async ({ browser, relay }) => {
  const table = await playing(browser, relay, 'e2e4');
  const [anna, ben] = [table.at('A-white'), table.at('A-black')];
  const mouse = anna.page.mouse;
  // A drag that has become possible is played.
  await mouse.move(...(await centre(anna, 'A', 'e4')));
  await mouse.down();
  await mouse.move(...(await centre(anna, 'A', 'd5')), { steps: 3 });
  await ben.click('A', 'A-black', 'd7d5');
  await anna.seesPly('A', 2);
  await mouse.up();
  for (const player of table.all()) await player.seesPiece('A', 'd5', 'wP');
  // One that has not comes to nothing, and the piece is put down.
  await anna.square('A', 'd5').click();
  await expect(anna.square('A', 'd5')).toHaveAttribute('data-mark', /selected/);
  await ben.click('A', 'A-black', 'a7a6');
  await anna.seesPly('A', 4);
  await expect(anna.square('A', 'd5')).toHaveAttribute('data-mark', /selected/);
  await anna.square('A', 'e6').click();
  await expect(anna.square('A', 'd5')).not.toHaveAttribute('data-mark', /selected/);
  await expect(anna.page.locator('[data-mark~="premove"]')).toHaveCount(0);
  await anna.seesPly('A', 4);
  // A held piece that is taken is held no more, and no other takes its place.
  await anna.square('A', 'd2').click();
  await anna.square('A', 'd4').click();
  await anna.seesPly('A', 5);
  await anna.square('A', 'd5').click();
  await ben.click('A', 'A-black', 'd8d5');
  await anna.seesPly('A', 6);
  await expect(anna.page.locator('[data-board="A"] [data-mark~="selected"]')).toHaveCount(0);
  await table.close();
});

test('a held piece outlives everything that happens, and three ways put it down', async ({ browser, relay }) => {
  const table = await playing(browser, relay);
  const anna = table.at('A-white');
  const held = (square: string) => expect(anna.square('A', square)).toHaveAttribute('data-mark', /selected/);
  const free = (square: string) => expect(anna.square('A', square)).not.toHaveAttribute('data-mark', /selected/);
  await anna.square('A', 'g1').click();
  await table.play('B', 'e2e4', 'd7d5', 'e4d5');
  await held('g1');
  await anna.square('A', 'g1').click();
  await free('g1');
  await anna.square('A', 'g1').click();
  await anna.page.keyboard.press('Escape');
  await free('g1');
  await anna.square('A', 'g1').click();
  await anna.square('A', 'b1').click();
  await free('g1');
  await held('b1');
  await anna.square('A', 'c3').click();
  table.plies.A += 1;
  for (const player of table.all()) await player.seesPiece('A', 'c3', 'wN');
  await table.close();
});

test('keys alone play moves, drops and premoves', async ({ browser, relay }) => {
  const table = await playing(browser, relay);
  const [anna, ben] = [table.at('A-white'), table.at('A-black')];
  const keys = async (player: Player, ...names: string[]): Promise<void> => {
    for (const name of names) await player.page.keyboard.press(name);
  };
  // From the corner of the board to e2, up to e4.
  await anna.square('A', 'a1').focus();
  await keys(anna, 'ArrowUp', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter', 'ArrowUp', 'ArrowUp', 'Enter');
  table.plies.A += 1;
  for (const player of table.all()) await player.seesPiece('A', 'e4', 'wP');
  // A premove by keys, and a drop that is armed by a letter and by a number.
  await keys(anna, 'n', 'ArrowUp', 'Enter');
  await expect(anna.square('A', 'e5')).toHaveAttribute('data-mark', /premove/);
  await keys(anna, '5', 'ArrowUp', 'Enter');
  await expect(anna.square('A', 'e6')).toHaveAttribute('data-mark', /premove/);
  await keys(anna, 'Escape');
  await expect(anna.page.locator('[data-mark~="premove"]')).toHaveCount(0);
  await keys(anna, 'p');
  await expect(anna.hand('A-white', 'P')).toHaveAttribute('aria-pressed', 'true');
  await keys(anna, 'Escape');
  await expect(anna.hand('A-white', 'P')).toHaveAttribute('aria-pressed', 'false');
  await table.play('A', 'e7e5');
  // The move field.
  const field = anna.page.getByRole('textbox', { name: 'Move', exact: true });
  const type = async (text: string): Promise<void> => {
    await field.fill(text);
    await field.press('Enter');
  };
  await type('Ke3');
  await expect(anna.page.getByText('It can’t go there').first()).toBeAttached();
  await anna.seesPly('A', 2);
  await type('Nf3');
  await anna.seesPiece('A', 'f3', 'wN');
  await expect(field).toHaveValue('');
  await type('f1c4');
  await expect(anna.square('A', 'c4')).toHaveAttribute('data-mark', /premove/);
  await type('N@h5');
  await expect(anna.square('A', 'h5')).toHaveAttribute('data-mark', /premove/);
  await ben.click('A', 'A-black', 'b8c6');
  for (const player of table.all()) await player.seesPiece('A', 'c4', 'wB');
  await table.close();
});

test('the flipped board takes the same gestures', async ({ browser, relay }) => {
  const table = await playing(browser, relay);
  const anna = table.at('A-white');
  await anna.button('Flip boards').click();
  await expect.poll(async () => (await centre(anna, 'A', 'a1'))[1] < (await centre(anna, 'A', 'a8'))[1]).toBe(true);
  await anna.click('A', 'A-white', 'e2e4');
  await anna.seesPiece('A', 'e4', 'wP');
  const width = async (board: Board): Promise<number> => (await anna.board(board).boundingBox())?.width ?? 0;
  expect(await width('A')).toBeGreaterThan(await width('B'));
  await anna.button('Swap boards').click();
  await expect.poll(async () => (await width('B')) > (await width('A'))).toBe(true);
  await anna.click('A', 'A-white', 'd2d4');
  await expect(anna.square('A', 'd4')).toHaveAttribute('data-mark', /premove/);
  await table.close();
});
