// What the service worker has kept.

import { expect } from './fixtures';
import type { Page } from '@playwright/test';

/** The paths of everything that is kept, once a worker is there. */
export function keptPaths(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    const paths: string[] = [];
    for (const name of await caches.keys()) {
      for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname);
    }
    return paths;
  });
}

/** Waits until everything has been kept, what the reader's language needs included. */
export async function everythingKept(page: Page, language: string): Promise<void> {
  const parts = ['bot_worker_bg.wasm', `/locales/rules-${language}-`];
  await expect
    .poll(
      async () => {
        const paths = await keptPaths(page);
        return paths.some((path) => path.endsWith('/')) && parts.every((part) => paths.some((path) => path.includes(part)));
      },
      { timeout: 30_000 },
    )
    .toBe(true);
}
