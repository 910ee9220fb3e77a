// The whole page below a path of a site that has other things beside it.

import type { BrowserContext } from '@playwright/test';

import { allowNoRelay, allowOnConsole, expect, test } from './fixtures';
import { everythingKept } from './kept';
import { openPlayer } from './players';
import { Relay } from './relay';

test('links, sockets, bots, languages and offline use work below a base path', async ({ browser, page }) => {
  test.slow();
  const relay = await Relay.start(['--base-path', '/games/tandem/']);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  // Without its last slash the address leads to the page as well.
  await page.goto(relay.url);
  await expect(page).toHaveURL(`${relay.url}/`);
  await page.locator('header select').selectOption('nl');
  await expect(page.getByRole('button', { name: 'Tafel openen' })).toBeVisible();
  await page.getByRole('button', { name: 'Tafel openen' }).click();
  await expect(page).toHaveURL(/\/games\/tandem\/t\/[0-9A-Z]{10}$/);
  await expect(page.locator('body')).toHaveAttribute('data-connection', 'online');
  const table = page.url();
  await expect(page.locator('.invite .url')).toHaveText(table.replace('http://', ''));
  await page.locator('[data-seat="A-white"]').getByRole('button', { name: 'Plaatsnemen' }).click();
  await expect(page.locator('[data-seat="A-white"]')).toHaveAttribute('data-occupant', 'human');
  // Somebody comes by the link, and the first one is back at the seat after a reload.
  const contexts: BrowserContext[] = [];
  const ben = await openPlayer(browser, 'Ben', relay.url, contexts);
  await ben.page.goto(table);
  await ben.online();
  await ben.sit('A-black');
  await page.reload();
  await expect(page.locator('[data-seat="A-black"]')).toContainText('Ben');
  for (const context of contexts) await context.close();

  // Links stay below the path, the browser's own button goes back, and a deep link is understood.
  await page.goto(`${relay.url}/`);
  await page.locator('header').getByRole('link', { name: 'Regels' }).click();
  await expect(page).toHaveURL(`${relay.url}/rules`);
  await expect(page.getByRole('heading', { name: 'Wat is tandemschaak?' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Tafel openen' })).toBeVisible();
  await page.goto(`${relay.url}/settings?lang=da`);
  await expect(page.getByRole('heading', { name: 'Indstillinger', level: 1 })).toBeVisible();
  allowOnConsole(/status of 404/);
  await page.goto(`${relay.url}/nowhere?lang=en`);
  await page.getByRole('link', { name: 'To the start page' }).click();
  await expect(page).toHaveURL(`${relay.url}/`);
  // Nothing was asked for beside the path.
  expect(asked.filter((path) => !path.startsWith('/games/tandem'))).toEqual([]);

  // After that no network is needed, and the worker keeps to its own part of the site.
  await everythingKept(page, 'nl');
  const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
  expect(scope).toBe(`${relay.url}/`);
  await relay.stop();
  allowNoRelay();
  await page.goto(`${relay.url}/rules`);
  await expect(page.getByRole('heading', { name: 'Wat is tandemschaak?' })).toBeVisible();
  await page.goto(`${relay.url}/solo?lang=en`);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.locator('[data-clock="A-white"]')).toHaveAttribute('data-running', /.*/, { timeout: 30_000 });
  const own = page.locator('.match [data-board="A"]');
  await own.locator('[data-square="e2"]').click();
  await own.locator('[data-square="e4"]').click();
  await expect.poll(async () => Number(await own.getAttribute('data-ply')), { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
});
