// Pages for what can go wrong: each says what is so, and what can be done.

import { allowOnConsole, expect, test } from './fixtures';
import { Relay } from './relay';

test('an unknown table', async ({ page }) => {
  await page.goto('/t/ABCDEFGHJK');
  await expect(page.getByRole('heading', { name: 'There is no such table' })).toBeVisible();
  await page.getByRole('link', { name: 'To the start page' }).click();
  await expect(page.getByRole('button', { name: 'Open a table' })).toBeVisible();
});

test('an address that is none', async ({ page }) => {
  await page.goto('/nowhere?lang=hu');
  await expect(page.getByRole('heading', { name: 'Itt nincs semmi' })).toBeVisible();
});

test('a browser without WebAssembly', async ({ page }) => {
  allowOnConsole(/WebAssembly/);
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebAssembly'));
  await page.goto('/');
  await expect(page.getByRole('alert')).toContainText('WebAssembly');
});

test.describe('in Czech', () => {
  test.use({ locale: 'cs-CZ' });
  test('the program does not arrive', async ({ page }) => {
    allowOnConsole(/Failed to load|Failed to fetch|ERR_FAILED|preload/);
    await page.route(/_bg\.wasm/, (route) => route.abort());
    await page.goto('/');
    await expect(page.getByRole('alert')).toContainText('Tandem se nepodařilo načíst');
    await page.unroute(/_bg\.wasm/);
    await page.getByRole('button', { name: 'Zkusit znovu' }).click();
    await expect(page.getByRole('button', { name: 'Založit stůl' })).toBeVisible();
  });
});

test('a browser that keeps nothing', async ({ page }) => {
  await page.addInitScript(() => {
    const refuse = { get: () => { throw new DOMException('refused', 'SecurityError'); } };
    Object.defineProperty(window, 'localStorage', refuse);
    Object.defineProperty(window, 'sessionStorage', refuse);
  });
  await page.goto('/');
  await expect(page.getByText('This browser keeps nothing here')).toBeVisible();
  await page.locator('header select').selectOption('de');
  await expect(page.getByRole('button', { name: 'Tisch eröffnen' })).toBeVisible();
  // A table can be opened and sat down at all the same.
  await page.getByRole('button', { name: 'Tisch eröffnen' }).click();
  await page.locator('[data-seat="A-white"]').getByRole('button', { name: 'Hinsetzen' }).click();
  await expect(page.locator('[data-seat="A-white"]')).toHaveAttribute('data-occupant', 'human');
});

test('pages come through, sockets do not', async ({ page }) => {
  await page.addInitScript(() => {
    // Something on the way refuses every socket at once.
    class Refused extends EventTarget {
      readyState = 3;
      binaryType = '';
      onclose: ((event: unknown) => void) | null = null;
      onopen = null;
      onmessage = null;
      onerror = null;
      constructor() {
        super();
        setTimeout(() => this.onclose?.(new CloseEvent('close', { code: 1006 })), 0);
      }
      close() {}
      send() {}
    }
    Object.defineProperty(window, 'WebSocket', { value: Refused });
  });
  await page.goto('/');
  await page.getByRole('button', { name: 'Open a table' }).click();
  await expect(page.getByRole('heading', { name: 'The relay answers, but the table cannot be reached' })).toBeVisible();
  await expect(page.getByText('WebSockets')).toBeVisible();
});

test('a table of a relay that was restarted without a memory', async ({ page }) => {
  test.slow();
  allowOnConsole(/WebSocket|ERR_CONNECTION|Failed to load resource/);
  const relay = await Relay.start();
  await page.goto(`${relay.url}/`);
  await page.getByRole('button', { name: 'Open a table' }).click();
  await expect(page.locator('[data-seat="A-white"]')).toBeVisible();
  await relay.stop();
  const again = await Relay.start([], Number(new URL(relay.url).port));
  await expect(page.getByRole('heading', { name: 'There is no such table' })).toBeVisible({ timeout: 20_000 });
  await again.stop();
});

test('a relay that does not answer', async ({ page }) => {
  test.slow();
  allowOnConsole(/WebSocket|ERR_CONNECTION|Failed to load resource|Failed to fetch/);
  const relay = await Relay.start();
  await page.goto(`${relay.url}/`);
  await page.locator('#title').waitFor();
  await relay.stop();
  await page.getByLabel('Table code').fill('K7QM2D9PXR');
  await page.getByLabel('Table code').press('Enter');
  await expect(page.getByRole('heading', { name: 'The relay does not answer' })).toBeVisible({ timeout: 20_000 });
});
