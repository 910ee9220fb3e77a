// After one visit the page works without a network, and a new release comes by an ordinary load.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { allowNoRelay, expect, test } from './fixtures';
import { everythingKept, keptPaths } from './kept';
import { Relay } from './relay';

test('after one visit a match alone, the rules and the settings need no network', async ({ page }) => {
  test.slow();
  allowNoRelay();
  const relay = await Relay.start();
  await page.goto(`${relay.url}/?lang=de`);
  await page.locator('header select').selectOption('de');
  await everythingKept(page, 'de');
  await relay.stop();
  await page.goto(`${relay.url}/rules`);
  await expect(page.getByRole('heading', { name: 'Was ist Tandemschach?' })).toBeVisible();
  await page.goto(`${relay.url}/settings`);
  await expect(page.locator('main')).not.toBeEmpty();
  await page.goto(`${relay.url}/solo`);
  await page.getByRole('button', { name: 'Los', exact: true }).click();
  const own = page.locator('.match [data-board="A"]');
  await expect(page.locator('[data-clock="A-white"]')).toHaveAttribute('data-running', /.*/, { timeout: 30_000 });
  await own.locator('[data-square="e2"]').click();
  await own.locator('[data-square="e4"]').click();
  // The computer answers, so it really plays.
  await expect.poll(async () => Number(await own.getAttribute('data-ply')), { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
  await page.reload();
  await expect(page.locator('.match [data-board="A"]')).toBeVisible();
});

/** Stands in front of a relay and makes its files look like those of another release. */
class Release {
  number = 1;
  private constructor(private readonly server: Server, readonly url: string) {}

  static async of(relay: Relay): Promise<Release> {
    const server = createServer((request, response) => {
      const answer = async () => {
        const got = await fetch(`${relay.url}${request.url}`, { headers: { 'accept-encoding': 'identity' } });
        let body = Buffer.from(await got.arrayBuffer());
        const headers = Object.fromEntries([...got.headers].filter(([name]) => !['content-length', 'content-encoding', 'transfer-encoding', 'connection', 'etag'].includes(name)));
        if (request.url === '/sw.js') body = Buffer.from(body.toString().replace("const VERSION = '", `const VERSION = '${release.number}-`));
        if (headers['content-type']?.startsWith('text/html')) {
          body = Buffer.from(body.toString().replace('<meta charset', `<meta name="release" content="${release.number}"><meta charset`));
        }
        response.writeHead(got.status, headers).end(body);
      };
      answer().catch(() => response.writeHead(502).end());
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const release = new Release(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return release;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((closed) => this.server.close(() => closed()));
  }
}

/** Waits until the worker of a release serves the page: it has kept everything, and none is waiting. */
async function tookOver(page: Page, release: number): Promise<void> {
  const state = () =>
    page.evaluate(async (prefix) => {
      const registration = await navigator.serviceWorker.getRegistration();
      const kept = (await window.caches.keys()).some((name) => name.startsWith(prefix));
      return { kept, waits: Boolean(registration?.installing ?? registration?.waiting) };
    }, `tandem-${release}-`);
  await expect.poll(state, { timeout: 30_000 }).toEqual({ kept: true, waits: false });
}

test('a new release comes by an ordinary load, and stays for use without a network', async ({ page }) => {
  test.slow();
  allowNoRelay();
  const relay = await Relay.start();
  const release = await Release.of(relay);
  const shown = page.locator('meta[name=release]');
  const caches = () => page.evaluate(async () => (await window.caches.keys()).sort());
  await page.goto(`${release.url}/`);
  await expect(shown).toHaveAttribute('content', '1');
  await everythingKept(page, 'en');
  expect(await caches()).toEqual([expect.stringMatching(/^tandem-1-/)]);

  release.number = 2;
  // What is open goes on as it is, and only a load brings the new one.
  await page.getByRole('link', { name: 'Rules' }).click();
  await expect(shown).toHaveAttribute('content', '1');
  await page.reload();
  await expect(shown).toHaveAttribute('content', '2');
  // Its worker is fetched behind the page, and takes over when it has everything.
  await tookOver(page, 2);
  await release.close();
  await relay.stop();
  await page.goto(`${release.url}/rules`);
  await expect(page.getByRole('heading', { name: 'What is bughouse?' })).toBeVisible();
  await expect(shown).toHaveAttribute('content', '2');
});

test('a new release leaves a match alone, which goes on in it after the next load', async ({ page }) => {
  test.slow();
  const relay = await Relay.start();
  const release = await Release.of(relay);
  const shown = page.locator('meta[name=release]');
  await page.goto(`${release.url}/solo`);
  await everythingKept(page, 'en');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.locator('[data-clock="A-white"]')).toHaveAttribute('data-running', /.*/, { timeout: 30_000 });
  const own = page.locator('.match [data-board="A"]');
  const played = async () => Number(await own.getAttribute('data-ply'));
  let loads = 0;
  page.on('load', () => (loads += 1));

  // The browser looks for a new release by itself, in a match as well: its worker takes over, the page stays.
  release.number = 2;
  await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
  await tookOver(page, 2);
  await own.locator('[data-square="e2"]').click();
  await own.locator('[data-square="e4"]').click();
  await expect.poll(played, { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
  await expect(shown).toHaveAttribute('content', '1');
  expect(loads).toBe(0);

  await page.reload();
  await expect(shown).toHaveAttribute('content', '2');
  await expect.poll(played, { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
  expect(loads).toBe(1);
  await release.close();
  await relay.stop();
});

test('what is true only now never comes from a cache', async ({ page }) => {
  const relay = await Relay.start();
  await page.goto(`${relay.url}/`);
  await everythingKept(page, 'en');
  const kept = await keptPaths(page);
  expect(kept.filter((path) => /^\/(ws|tables|healthz|version|matches)/.test(path))).toEqual([]);
  await relay.stop();
  allowNoRelay();
  const answered = await page.evaluate(() => fetch('/version').then(() => true, () => false));
  expect(answered).toBe(false);
});

test('the worker is asked for anew each time, and the manifest names pictures that are there', async ({ request }) => {
  const worker = await request.get('/sw.js');
  expect(worker.headers()['cache-control']).toBe('no-cache');
  const manifest = await request.get('/manifest.webmanifest');
  expect(manifest.headers()['content-type']).toBe('application/manifest+json');
  const { icons } = (await manifest.json()) as { icons: { src: string; purpose?: string }[] };
  expect(icons.map(({ purpose }) => purpose ?? 'any').sort()).toEqual(['any', 'any', 'maskable']);
  for (const { src } of icons) {
    const icon = await request.get(`/${src}`);
    expect(icon.headers()['content-type']).toBe('image/png');
  }
});
