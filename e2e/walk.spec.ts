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
  /** What else can be opened there, by selectors: each is opened, looked at, and put away again. */
  open?: (page: Page, look: (what: string) => Promise<void>) => Promise<void>;
}

/** Opens a table, and sits down among bots at it. */
async function amongBots(page: Page): Promise<string> {
  await page.goto('/');
  await page.getByRole('button', { name: 'Open a table' }).click();
  await page.waitForURL(/\/t\//);
  await page.locator('[data-seat="A-white"]').getByRole('button', { name: 'Sit', exact: true }).click();
  await page.getByRole('button', { name: 'Fill with bots' }).click();
  await expect(page.locator('[data-occupant="bot"]')).toHaveCount(3);
  return new URL(page.url()).pathname;
}

/** The sheets of a match, which lie open or behind buttons, and its question. */
async function sheetsAndQuestion(page: Page, look: (what: string) => Promise<void>): Promise<void> {
  for (const id of ['moves', 'talk', 'acts']) {
    const sheet = page.locator(`#${id}`);
    // Where there is room for it, it lies open, and has been looked at with the rest.
    if (await sheet.isVisible()) continue;
    await sheet.evaluate((sheet: HTMLElement) => sheet.showPopover());
    await look(`#${id}`);
    if (id !== 'acts') await sheet.evaluate((sheet: HTMLElement) => sheet.hidePopover());
  }
  await page.locator('#acts .danger').click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await look('dialog[open]');
  await page.getByRole('dialog').getByRole('button').first().click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** Takes every line to the relay at this page, and closes it with the code that is asked for. */
async function sentAwayWith(page: Page, code: () => number): Promise<void> {
  await page.routeWebSocket(/\/ws$/, (socket) => void socket.close({ code: code() }));
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
    open: sheetsAndQuestion,
  },
  {
    name: 'home with a paused match',
    path: async (page) => {
      await page.goto('/solo');
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await expect(page.locator('[data-running]').first()).toBeVisible({ timeout: 30_000 });
      return '/';
    },
    there: '.resume',
  },
  { name: 'lobby with bots', path: amongBots, there: '[data-occupant="bot"]' },
  {
    name: 'end',
    path: async (page) => {
      const path = await amongBots(page);
      await page.getByRole('button', { name: 'Ready', exact: true }).click();
      await expect(page.locator('[data-running]').first()).toBeVisible({ timeout: 15_000 });
      await page.getByRole('button', { name: 'Resign', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Resign', exact: true }).click();
      await expect(page.locator('[data-result]')).toBeVisible();
      return path;
    },
    there: '[data-result]',
  },
  {
    name: 'full table',
    path: async (page) => {
      await sentAwayWith(page, () => 4004);
      return '/t/ABCDEFGHJK';
    },
    there: 'main h1',
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
      const card = element.closest('.seat, .card, .banner, .resume, .confirm, .result, .sheet')?.getBoundingClientRect();
      if (card && card.width > 0 && (box.left < card.left - 1 || box.right > card.right + 1)) {
        found.push(`${call(element)} sticks out of its card: ${box.left} to ${box.right} in ${card.left} to ${card.right}`);
      }
      // A match does not scroll: what lies below the window cannot be reached.
      if (document.querySelector('.match') && box.bottom > window.innerHeight + 1 && !element.closest('.plies, .scroll, :popover-open')) {
        found.push(`${call(element)} lies below the window: down to ${box.bottom}`);
      }
      if (box.width > 0 && (box.left < -1 || box.right > window.innerWidth + 1)) {
        if (!element.closest('.log')) found.push(`${call(element)} sticks out: ${box.left} to ${box.right}`);
      }
    }
    // Names are their owners' choice, and may be shortened; our own words may not.
    for (const element of document.querySelectorAll<HTMLElement>('.seat small, .seat[data-occupant=free] .name, .lbl, .pill, .log-head > *, select:not(.level), .word, .bubble > span')) {
      if (shown(element) && element.scrollWidth > element.clientWidth + 1) found.push(`${call(element)} is shortened: ${element.scrollWidth} in ${element.clientWidth} px`);
    }
    return found;
  });
}

async function findings(page: Page, within: string): Promise<string[]> {
  // The size of targets is asked for by WCAG 2.2, and not among what axe looks at by itself.
  const options = { rules: { 'target-size': { enabled: true } } };
  const { violations } = await new AxeBuilder({ page }).include(within).options(options).analyze();
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
        const look = async (what: string) => {
          const where = `${screen.name}, ${language}, ${size.width} px, ${what}`;
          expect(await faults(page), where).toEqual([]);
          if (index === 0 || index === other) expect(await findings(page, what), `axe: ${where}`).toEqual([]);
          if (process.env['TANDEM_SHOTS'] && what !== 'html') {
            await page.screenshot({ path: `test-results/walk/${screen.name}-${what.replace(/\W/g, '')}-${language}-${size.width}.png` });
          }
        };
        await look('html');
        await screen.open?.(page, look);
      }
      if (process.env['TANDEM_SHOTS']) {
        for (const size of SIZES) {
          await page.setViewportSize(size);
          await page.screenshot({ path: `test-results/walk/${screen.name}-${language}-${size.width}.png`, fullPage: true });
        }
      }
    }
  });
}

/** The codes with which the relay sends a page away or keeps it out, besides those above. */
const REASONS = [1009, 4000, 4002, 4003, 4005, 4006, 4007, 4008, 4010, 4011, 4012, 4013, 4014, 4015, 4016, 4018, 4019];

test('every reason to be sent away, in all languages', async ({ page }) => {
  test.slow();
  let code = 0;
  // As if the page had loaded itself anew for another version already.
  await page.addInitScript(() => sessionStorage.setItem('tandem.reloaded', ''));
  await sentAwayWith(page, () => code);
  await page.setViewportSize({ width: 320, height: 568 });
  for (code of REASONS) {
    await page.goto('/t/ABCDEFGHJK?lang=en');
    const words = new Set<string>();
    for (const language of LANGUAGES) {
      await page.locator('header select').selectOption(language);
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      const said = page.locator('main .plain');
      // The words change with the language, and none is taken from another.
      await expect.poll(async () => words.has(await said.innerText())).toBe(false);
      words.add(await said.innerText());
      expect(await faults(page), `code ${code}, ${language}`).toEqual([]);
    }
  }
});
