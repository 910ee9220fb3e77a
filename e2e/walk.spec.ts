// Walks over every screen in every language, narrow and wide: nothing sticks out or is cut, no word is
// missing, and axe finds nothing.

import AxeBuilder from '@axe-core/playwright';
import { allowOnConsole, expect, test } from './fixtures';
import type { Page } from '@playwright/test';

const LANGUAGES = ['en', 'de', 'nl', 'da', 'cs', 'hu'] as const;
const SIZES = [
  { width: 1280, height: 720 },
  { width: 320, height: 568 },
] as const;

interface Screen {
  name: string;
  /** Goes there; the address takes `?lang=`. */
  path: (page: Page) => Promise<string>;
  /** Something that is there once the screen is. */
  there: string;
}

const SCREENS: readonly Screen[] = [
  { name: 'home', path: async () => '/', there: '#title' },
  { name: 'rules', path: async () => '/rules', there: '.lesson [data-square="h8"]' },
  { name: 'solo', path: async () => '/solo', there: '.start .btn.primary' },
  { name: 'not found', path: async () => '/nowhere', there: 'h1' },
  { name: 'settings', path: async () => '/settings', there: 'h1' },
  { name: 'privacy', path: async () => '/privacy', there: 'h1' },
  { name: 'unknown table', path: async () => '/t/ABCDEFGHJK', there: 'main h1' },
  {
    name: 'lobby',
    path: async (page) => {
      await page.goto('/');
      await page.getByRole('button', { name: 'Open a table' }).click();
      await page.waitForURL(/\/t\//);
      await expect(page.locator('[data-seat="A-white"]')).toBeVisible();
      return new URL(page.url()).pathname;
    },
    there: '[data-seat="A-white"]',
  },
  {
    name: 'match',
    path: async (page) => {
      await page.goto('/solo');
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      // Before it has begun, nothing is kept that a reload could bring back.
      await expect(page.locator('[data-running]').first()).toBeVisible({ timeout: 30_000 });
      return '/solo';
    },
    there: '.match [data-square="e2"]',
  },
];

/** What sticks out of the page, or is cut, or says nothing. */
function faults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const root = document.documentElement;
    if (root.scrollWidth > window.innerWidth) found.push(`the page is ${root.scrollWidth} px wide`);
    const shown = (element: Element) =>
      element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && !element.closest('.visually-hidden, .skip');
    const call = (element: Element) => `${element.tagName.toLowerCase()} “${(element.textContent ?? '').trim().slice(0, 40)}”`;
    for (const element of document.querySelectorAll<HTMLElement>('button, a.btn, h1, h2, h3, th, td, label, p, option, summary')) {
      if (!shown(element)) continue;
      const words = element.textContent?.trim() || element.getAttribute('aria-label') || element.querySelector('[aria-label], svg')?.outerHTML;
      const live = element.matches('[role=status], [role=alert], .wrong, .said, .hint');
      if (!words && !live) found.push(`${call(element)} says nothing: ${element.outerHTML.slice(0, 80)}`);
      if (/\{[a-z_]+\}/.test(element.textContent ?? '')) found.push(`${call(element)} has an unfilled place`);
      if (element.matches('button, a.btn, th') && element.scrollWidth > element.clientWidth + 1) {
        found.push(`${call(element)} is cut: ${element.scrollWidth} in ${element.clientWidth} px`);
      }
      const box = element.getBoundingClientRect();
      if (box.width > 0 && (box.left < -1 || box.right > window.innerWidth + 1)) {
        if (!element.closest('.log')) found.push(`${call(element)} sticks out: ${box.left} to ${box.right}`);
      }
    }
    return found;
  });
}

async function findings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary})`).join('; ')}`);
}

for (const [number, screen] of SCREENS.entries()) {
  test(`${screen.name} in all languages`, async ({ page }) => {
    test.setTimeout(120_000);
    allowOnConsole(/status of 404/);
    const path = await screen.path(page);
    // A page a language; axe looks at English, and at another language in the dark, for the rest is the same.
    const other = 1 + (number % (LANGUAGES.length - 1));
    for (const [index, language] of LANGUAGES.entries()) {
      await page.emulateMedia({ colorScheme: index === other ? 'dark' : 'light', reducedMotion: 'reduce' });
      await page.goto(`${path}?lang=${language}`);
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await page.locator(screen.there).first().waitFor();
      for (const size of SIZES) {
        await page.setViewportSize(size);
        expect(await faults(page), `${screen.name}, ${language}, ${size.width} px`).toEqual([]);
        if (index === 0 || index === other) {
          expect(await findings(page), `axe on ${screen.name}, ${language}, ${size.width} px`).toEqual([]);
        }
      }
      if (process.env['TANDEM_SHOTS']) {
        for (const size of SIZES) {
          await page.setViewportSize(size);
          await page.screenshot({ path: `test-results/walk/${screen.name.replace(' ', '-')}-${language}-${size.width}.png`, fullPage: true });
        }
      }
    }
  });
}
