// Six languages: which one is chosen, that it stays, and that only it is downloaded.

import { expect, test } from './fixtures';

/** What the button to play the computer is called in each. */
const PLAY: Record<string, string> = {
  en: 'Play the computer',
  de: 'Gegen den Computer',
  nl: 'Tegen de computer',
  da: 'Mod computeren',
  cs: 'Proti počítači',
  hu: 'A gép ellen',
};

test('a language is changed without a reload, and remembered', async ({ page }) => {
  await page.goto('/');
  const html = page.locator('html');
  await expect(html).toHaveAttribute('lang', 'en');
  // A mark that a reload would wipe out.
  await page.evaluate(() => document.body.setAttribute('data-same-page', ''));
  for (const [tag, play] of Object.entries(PLAY)) {
    await page.locator('header select').selectOption(tag);
    await expect(html).toHaveAttribute('lang', tag);
    await expect(page.getByRole('button', { name: play, exact: true })).toBeVisible();
  }
  await expect(page.locator('body')).toHaveAttribute('data-same-page', '');
  await expect(page).toHaveTitle(/Sakk négy játékosnak/);
  await page.goto('/solo');
  await expect(html).toHaveAttribute('lang', 'hu');
  await expect(page.getByRole('heading', { name: 'A gép ellen' })).toBeVisible();
});

test('the address forces a language, and does not change what is remembered', async ({ page }) => {
  await page.goto('/?lang=cs');
  await expect(page.getByRole('button', { name: 'Proti počítači', exact: true })).toBeVisible();
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Play the computer', exact: true })).toBeVisible();
  await page.goto('/?lang=tlh');
  await expect(page.getByRole('button', { name: 'Play the computer', exact: true })).toBeVisible();
});

test.describe('in a browser that prefers Danish', () => {
  test.use({ locale: 'da-DK' });
  test('the page is Danish, and no other language is downloaded', async ({ page }) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto('/');
    await expect(page.getByRole('button', { name: 'Mod computeren', exact: true })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'da');
    await expect(page.locator('meta[name=description]')).toHaveAttribute('content', /tandemskak/i);
    // Asked for before the program has arrived and again by it, which finds it in the browser's cache.
    const languages = new Set(asked.filter((path) => path.startsWith('/locales/')));
    expect([...languages].map((path) => path.slice(0, '/locales/da'.length))).toEqual(['/locales/da']);
  });
});

test('piece letters follow the language', async ({ page }) => {
  test.slow();
  await page.goto('/solo?lang=de');
  await page.getByRole('button', { name: 'Los', exact: true }).click();
  await expect(page.locator('[data-clock="A-white"]')).toHaveAttribute('data-running', /.*/, { timeout: 30_000 });
  const board = page.locator('.match [data-board="A"]');
  await board.locator('[data-square="g1"]').click();
  await board.locator('[data-square="f3"]').click();
  await expect(page.locator('.ply').filter({ hasText: 'Sf3' }).first()).toBeVisible();
});
