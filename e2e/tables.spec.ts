// Tables to which anybody may come, and what the page says of what is stored.

import type { BrowserContext } from '@playwright/test';

import { allowOnConsole, expect, test } from './fixtures';
import { openPlayer } from './players';
import { Relay } from './relay';

let relays: Relay[];
let contexts: BrowserContext[];

test.beforeEach(() => {
  relays = [];
  contexts = [];
});

test.afterEach(async () => {
  for (const context of contexts) await context.close();
  for (const relay of relays) await relay.stop();
});

async function start(...flags: string[]): Promise<string> {
  const relay = await Relay.start(flags);
  relays.push(relay);
  return relay.url;
}

test('a table for everyone is on the start page, and one click leads there', async ({ browser }) => {
  const url = await start('--keep-matches', '30d', '--forget-abandoned', '20m');
  const anna = await openPlayer(browser, 'Anna', url, contexts);
  const ben = await openPlayer(browser, 'Ben', url, contexts);
  await ben.page.goto(`${url}/`);
  const list = ben.page.getByRole('region', { name: 'Open tables' });
  await expect(list).toContainText('No table is waiting');
  const path = await anna.openTable();
  await anna.sit('A-white');
  await expect(list).toContainText('No table is waiting');
  await anna.page.getByLabel('Open to').selectOption('everyone');
  // The list keeps itself fresh.
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await expect(list.getByRole('listitem')).toContainText('Anna');
  await expect(list.getByRole('img', { name: '3 of 4 seats free' })).toBeVisible();
  await list.getByRole('link', { name: /^Join table/ }).click();
  await expect(ben.page).toHaveURL(`${url}${path}`);
  await ben.sit('A-black');
  // Others see the choice, and only the host has it.
  await expect(ben.page.getByLabel('Open to')).toHaveValue('everyone');
  await expect(ben.page.getByLabel('Open to')).toBeDisabled();
  // What is stored is told as this relay does it: nothing on a disk.
  await ben.page.goto(`${url}/`);
  await ben.page.getByRole('link', { name: 'Privacy' }).click();
  await expect(ben.page.getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible();
  await expect(ben.page.getByText('in memory only')).toBeVisible();
  await expect(ben.page.getByText(/^Version .* · [0-9a-f]{7}$/)).toBeVisible();
});

test('a relay without a list, without chat and without bots shows none of them', async ({ browser }) => {
  const url = await start('--no-public-list', '--no-chat', '--bot-threads', '0');
  const anna = await openPlayer(browser, 'Anna', url, contexts);
  await anna.page.goto(`${url}/`);
  await expect(anna.page.getByRole('button', { name: 'Open a table' })).toBeVisible();
  await anna.openTable();
  await anna.sit('A-white');
  await expect(anna.page.getByLabel('Minutes')).toBeVisible();
  await expect(anna.page.getByLabel('Open to')).toHaveCount(0);
  await expect(anna.button('Swap partners')).toBeVisible();
  for (const name of ['Add bot', 'Fill with bots']) await expect(anna.button(name)).toHaveCount(0);
  await expect(anna.page.getByLabel('Level')).toHaveCount(0);
});

test('the list says when the relay cannot be reached', async ({ browser }) => {
  // The browser itself reports what fails; a page cannot keep it from doing so.
  allowOnConsole(/^error: Failed to load resource/);
  const url = await start();
  const anna = await openPlayer(browser, 'Anna', url, contexts);
  await anna.page.goto(`${url}/`);
  const list = anna.page.getByRole('region', { name: 'Open tables' });
  await expect(list).toContainText('No table is waiting');
  await anna.page.route('**/tables', (route) => route.fulfill({ status: 502, body: '' }));
  await expect(list).toContainText('cannot be loaded');
  await anna.page.unroute('**/tables');
  await expect(list).toContainText('No table is waiting');
});

for (const [status, words] of [[403, 'This relay does not let you in'], [429, 'The relay opens no further table now']] as const) {
  test(`whoever gets no table hears why: ${status}`, async ({ page }) => {
    allowOnConsole(/Failed to load resource/);
    await page.route(/\/tables$/, (route) => (route.request().method() === 'POST' ? route.fulfill({ status, json: { error: '' } }) : route.fallback()));
    await page.goto('/');
    await page.getByRole('button', { name: 'Open a table' }).click();
    await expect(page.getByRole('alert').filter({ hasText: words })).toBeVisible();
  });
}
