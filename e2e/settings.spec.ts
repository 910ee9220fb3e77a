// What the reader prefers: looks, sounds, questions; and what the page does on the reader's behalf.

import { expect, test } from './fixtures';
import { fourPlaying, fourSeated, openPlayer, Player } from './players';

test('settings change the page at once and are remembered', async ({ page, relay }) => {
  await page.goto(`${relay}/`);
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page).toHaveURL(/\/settings$/);
  const root = page.locator('html');
  const choose = async (group: string, choice: string): Promise<void> =>
    page.getByRole('group', { name: group }).getByRole('radio', { name: choice, exact: true }).check({ force: true });
  await choose('Theme', 'Dark');
  await expect(root).toHaveAttribute('data-theme', 'dark');
  await choose('Board colours', 'Moss');
  await expect(root).toHaveAttribute('data-board-theme', 'moss');
  await choose('Coordinates', 'Off');
  await choose('Animations', 'Off');
  await choose('Sound', 'Quiet');
  await page.reload();
  await expect(root).toHaveAttribute('data-theme', 'dark');
  await expect(root).toHaveAttribute('data-board-theme', 'moss');
  for (const [group, choice] of [['Coordinates', 'Off'], ['Animations', 'Off'], ['Sound', 'Quiet'], ['Piece size', 'Normal']] as const) {
    await expect(page.getByRole('group', { name: group }).getByRole('radio', { name: choice })).toBeChecked();
  }
  await page.goto(`${relay}/solo`);
  await expect(page.locator('.co').first()).toBeHidden();
  // The usual choice leaves nothing behind.
  await page.goto(`${relay}/settings`);
  await choose('Board colours', 'Fjord');
  await expect(root).not.toHaveAttribute('data-board-theme', /./);
});

test('settings are open to a match without leaving it, and questions can be switched off', async ({ browser, relay }) => {
  const table = await fourPlaying(browser, relay);
  const anna = table.at('A-white');
  await anna.button('Settings').click();
  const dialog = anna.page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('group', { name: 'Ask before resigning' }).getByRole('radio', { name: 'Off' }).check({ force: true });
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
  await table.play('A', 'e2e4');
  await anna.button('Resign').click();
  await table.seeResult('resignation', '2');
  await table.close();
});

test('men are moved by clicks alone or by dragging alone, as the reader likes', async ({ page, relay }) => {
  const anna = new Player('Anna', page, relay);
  const middle = async (square: string): Promise<[number, number]> => {
    const box = await anna.square('A', square).boundingBox();
    if (!box) throw new Error(`no square ${square}`);
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const drag = async (from: string, to: string): Promise<void> => {
    await page.mouse.move(...(await middle(from)));
    await page.mouse.down();
    await page.mouse.move(...(await middle(to)), { steps: 4 });
    await page.mouse.up();
  };
  const held = (): ReturnType<Player['square']> => anna.board('A').locator('[data-mark~="selected"]');
  for (const [choice, works] of [['Click', 'click'], ['Drag', 'drag'], ['Both', 'both']] as const) {
    await page.goto(`${relay}/settings`);
    await page.getByRole('group', { name: 'Moving pieces' }).getByRole('radio', { name: choice, exact: true }).check({ force: true });
    await anna.visit('/solo');
    await anna.button('Start').click();
    await expect(page.locator('[data-clock][data-running]')).toHaveCount(2, { timeout: 20_000 });
    if (works === 'click') {
      await drag('e2', 'e4');
      await anna.seesPly('A', 0);
      await page.keyboard.press('Escape');
      await expect(held()).toHaveCount(0);
      await anna.square('A', 'e2').click();
      await expect(held()).toHaveCount(1);
      await anna.square('A', 'e4').click();
    } else if (works === 'drag') {
      await anna.square('A', 'e2').click();
      await expect(held()).toHaveCount(0);
      await anna.square('A', 'e4').click();
      await anna.seesPly('A', 0);
      await drag('e2', 'e4');
    } else {
      await anna.square('A', 'd2').click();
      await anna.square('A', 'd4').click();
      await anna.seesPiece('A', 'd4', 'wP');
      await expect(anna.board('A')).toHaveAttribute('data-ply', '2', { timeout: 20_000 });
      await drag('e2', 'e4');
    }
    await anna.seesPiece('A', 'e4', 'wP');
    await anna.button('Resign').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resign', exact: true }).click();
    // A match that has ended would still be there.
    await anna.button('Other choices').click();
    await expect(anna.button('Start')).toBeVisible();
  }
});

test('plies, signals and the end are heard, the partner’s board more quietly', async ({ browser, relay }) => {
  const table = await fourSeated(browser, relay);
  const anna = table.at('A-white');
  await anna.page.evaluate(() => {
    const heard: number[] = [];
    (window as unknown as { heard: number[] }).heard = heard;
    const set = AudioParam.prototype.setValueAtTime;
    AudioParam.prototype.setValueAtTime = function (this: AudioParam, value: number, at: number): AudioParam {
      heard.push(value);
      return set.call(this, value, at);
    };
  });
  const heard = async (): Promise<number[]> =>
    anna.page.evaluate(() => (window as unknown as { heard: number[] }).heard.splice(0));
  const loudest = async (): Promise<number> => {
    let most = 0;
    await expect.poll(async () => (most = Math.max(most, ...(await heard())))).toBeGreaterThan(0);
    return most;
  };
  await table.start();
  expect(await loudest()).toBeGreaterThan(0);
  await table.play('A', 'e2e4');
  const own = await loudest();
  await table.play('B', 'e2e4');
  expect(await loudest()).toBeLessThan(own);
  await table.at('B-black').button('Go').click();
  expect(await loudest()).toBeGreaterThan(0);
  await anna.button('Resign').click();
  await anna.page.getByRole('dialog').getByRole('button', { name: 'Resign', exact: true }).click();
  expect(await loudest()).toBeGreaterThan(0);
  await table.close();
});

test('whoever looks at something else is called when the match starts, and is asked before closing it', async ({ browser, relay }) => {
  const table = await fourSeated(browser, relay);
  const dan = table.at('B-black').page;
  const see = async (hidden: boolean): Promise<void> =>
    dan.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    }, hidden);
  for (const player of table.all()) await player.ready();
  await see(true);
  await expect(dan).toHaveTitle(/The match has started/, { timeout: 15_000 });
  await see(false);
  await expect(dan).not.toHaveTitle(/The match has started/);
  const asked = await dan.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
  expect(asked).toBe(true);
  await table.close();
});

test('a number out of range is told in words, and what holds is shown again', async ({ browser, relay }) => {
  const contexts: Parameters<typeof openPlayer>[3] = [];
  const host: Player = await openPlayer(browser, 'Anna', relay, contexts);
  await host.openTable();
  const field = host.page.getByLabel('Minutes');
  await field.fill('99');
  await field.press('Enter');
  await expect(host.page.getByText('Only 0.5 to 60 is possible.')).toBeVisible();
  await expect(field).toHaveValue('3');
  await host.setMinutes('5');
  await expect(host.page.getByText('Only 0.5 to 60 is possible.')).toHaveCount(0);
  // The host alone is nobody who looks on.
  await expect(host.page.getByText(/looks? on$/)).toHaveCount(0);
  await expect(host.page.getByRole('img', { name: 'QR code' })).toBeVisible();
  for (const context of contexts) await context.close();
});
