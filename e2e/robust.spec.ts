// Pages for what can go wrong: each says what is so, and what can be done.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { BrowserContext } from '@playwright/test';

import { allowNoRelay, allowOnConsole, expect, test } from './fixtures';
import { openPlayer } from './players';
import { Relay, binary } from './relay';

test('an unknown table', async ({ page }) => {
  await page.goto('/t/ABCDEFGHJK');
  await expect(page.getByRole('heading', { name: 'There is no such table' })).toBeVisible();
  await page.getByRole('link', { name: 'To the start page' }).click();
  await expect(page.getByRole('button', { name: 'Open a table' })).toBeVisible();
});

/** How many people a table takes, those who look on included. */
const PEOPLE = 64;

test('a full table', async ({ browser }) => {
  const relay = await Relay.start(['--connections-per-address', '100']);
  const contexts: BrowserContext[] = [];
  const anna = await openPlayer(browser, 'Anna', relay.url, contexts);
  // Others come in great number: each says the same hello, with a secret of its own.
  const hello = new Promise<Buffer>((said) => {
    anna.page.once('websocket', (socket) => socket.once('framesent', ({ payload }) => said(payload as Buffer)));
  });
  const path = await anna.openTable();
  const frame = [...(await hello)];
  await anna.page.evaluate(
    async ([code, frame, others]) => {
      const token = localStorage.getItem(`tandem.token.${code}`) ?? '';
      const bytes = (token.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
      const at = frame.findIndex((_, index) => bytes.every((byte, offset) => frame[index + offset] === byte));
      if (bytes.length !== 16 || at < 0) throw new Error('the hello has no secret');
      const come = (): Promise<void> =>
        new Promise((come, stay) => {
          const mine = Uint8Array.from(frame);
          crypto.getRandomValues(mine.subarray(at, at + 16));
          const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/ws`);
          socket.onopen = () => socket.send(mine);
          socket.onmessage = () => come();
          socket.onclose = ({ code }) => stay(new Error(`closed with ${code}`));
        });
      for (let number = 0; number < others; number += 1) await come();
    },
    [path.slice(-10), frame, PEOPLE - 1] as [string, number[], number],
  );
  await expect(anna.page.getByRole('heading', { name: `${PEOPLE - 1} people look on` })).toBeVisible();
  const ben = await openPlayer(browser, 'Ben', relay.url, contexts);
  await ben.page.goto(`${relay.url}${path}`);
  await expect(ben.page.getByRole('alert').getByRole('heading', { name: 'This table is full' })).toBeVisible();
  await expect(ben.page.getByRole('link', { name: 'To the start page' })).toBeVisible();
  // When somebody has gone there is room again, and one press is enough.
  await anna.button('Leave').click();
  await expect(async () => {
    await ben.button('Try again').click();
    await expect(ben.seat('A-white')).toBeVisible({ timeout: 2_000 });
  }).toPass();
  for (const context of contexts) await context.close();
  await relay.stop();
});

test('a table that the operator has closed', async ({ page }) => {
  const data = mkdtempSync(join(tmpdir(), 'tandem-'));
  const relay = await Relay.start(['--data', data]);
  await page.goto(`${relay.url}/`);
  await page.getByRole('button', { name: 'Open a table' }).click();
  await expect(page.locator('[data-seat="A-white"]')).toBeVisible();
  const { status, stderr } = spawnSync(binary, ['close', page.url().slice(-10), '--data', data], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  await expect(page.getByRole('alert').getByRole('heading', { name: 'The table was closed' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'There is no such table' })).toBeVisible();
  await relay.stop();
  rmSync(data, { recursive: true });
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
  allowNoRelay();
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
  allowNoRelay();
  const relay = await Relay.start();
  await page.goto(`${relay.url}/`);
  await page.locator('#title').waitFor();
  await relay.stop();
  await page.getByLabel('Table code').fill('K7QM2D9PXR');
  await page.getByLabel('Table code').press('Enter');
  await expect(page.getByRole('heading', { name: 'The relay does not answer' })).toBeVisible({ timeout: 20_000 });
});
