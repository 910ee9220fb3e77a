// What every test has: the address of the relay, and an eye on the consoles of its pages.

import { expect, test as base, type Page } from '@playwright/test';

interface Problems {
  seen: string[];
  allowed: RegExp[];
}

// Tests of one process run one after the other, so this belongs to the running test.
let problems: Problems = { seen: [], allowed: [] };

/** Any warning or error on this page's console, and any exception, fails the test at its end. */
export function watchConsole(page: Page): void {
  const mine = problems;
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) {
      mine.seen.push(`${message.type()}: ${message.text()} (${message.location().url})`);
    }
  });
  page.on('pageerror', (error) => mine.seen.push(`exception: ${error.stack ?? error.message}`));
  page.on('crash', () => mine.seen.push('the page crashed'));
}

/** Lets messages pass for the rest of this test, such as the browser's own about a connection that was cut. */
export function allowOnConsole(...patterns: RegExp[]): void {
  problems.allowed.push(...patterns);
}

/**
 * Lets pass what the browser itself reports when no relay answers, for the rest of this test: a page cannot
 * keep it from doing so. The last is that of a service worker that was just about to be fetched.
 */
export function allowNoRelay(): void {
  allowOnConsole(
    /^error: WebSocket connection to 'ws:.*failed/,
    /^error: Failed to load resource: net::ERR_/,
    /Failed to fetch/,
    /^error: An unknown error occurred when fetching the script/,
  );
}

interface Fixtures {
  /** Where the page is, without a slash at the end. */
  relay: string;
  cleanConsole: void;
}

export const test = base.extend<Fixtures>({
  relay: async ({}, use) => {
    const url = process.env['BASE_URL'];
    if (!url) throw new Error('BASE_URL is not set: relay.ts sets it');
    await use(url.replace(/\/$/, ''));
  },
  baseURL: async ({ relay }, use) => use(relay),
  cleanConsole: [
    async ({}, use) => {
      problems = { seen: [], allowed: [] };
      const { seen, allowed } = problems;
      await use();
      const unexpected = seen.filter((message) => !allowed.some((pattern) => pattern.test(message)));
      expect(unexpected, 'the consoles are clean').toEqual([]);
    },
    { auto: true },
  ],
  page: async ({ page, cleanConsole: _ }, use) => {
    watchConsole(page);
    await use(page);
  },
});

export { expect };
