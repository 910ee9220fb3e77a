// What is shown while the program is still on its way.

import { expect, test } from './fixtures';
import type { Page } from '@playwright/test';

/** Holds the page's program back, or another one; gives what lets it through. */
async function withoutProgram(page: Page, program = /tandem-client.*_bg\.wasm/): Promise<() => void> {
  let open = () => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  await page.route(program, async (route) => {
    await gate;
    await route.continue();
  });
  return open;
}

const program = (page: Page) => page.locator('#app:not([hidden])');

test.describe('a reader of German', () => {
  test.use({ locale: 'de-DE' });

  test('reads the start page at once, and is not kept waiting for what was pressed', async ({ page }) => {
    const arrive = await withoutProgram(page);
    await page.goto('/', { waitUntil: 'commit' });
    await expect(page.getByRole('heading', { name: 'Schach zu viert, auf zwei Brettern zugleich' })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await expect(program(page)).toHaveCount(0);
    await page.getByRole('button', { name: 'Tisch eröffnen' }).click();
    await expect(page).toHaveURL(/\/$/);
    arrive();
    await expect(page).toHaveURL(/\/t\//);
    await expect(page.locator('[data-seat]')).toHaveCount(4);
    await expect(page.locator('#shell')).toHaveCount(0);
  });

  test('reads the beginning of the rules', async ({ page }) => {
    const arrive = await withoutProgram(page);
    await page.goto('/rules', { waitUntil: 'commit' });
    const article = page.locator('article').first();
    await expect(article.getByRole('heading', { level: 1 })).toHaveText(/Tandemschach/);
    const early = await article.innerText();
    await expect(program(page)).toHaveCount(0);
    arrive();
    // The program says the same, and then the rest.
    await expect(page.getByRole('table')).toBeVisible();
    expect(await page.locator('article').first().innerText()).toBe(early);
  });
});

test('a match alone is chosen while the program is on its way', async ({ page }) => {
  const arrive = await withoutProgram(page);
  await page.goto('/?lang=cs', { waitUntil: 'commit' });
  await expect(page.locator('html')).toHaveAttribute('lang', 'cs');
  await page.locator('form.choice.primary button').click();
  arrive();
  await expect(page).toHaveURL(/\/solo/);
  await expect(page.locator('[data-seat]')).toHaveCount(4);
});

test('what is chosen for a match alone stays when the bots have arrived', async ({ page }) => {
  const arrive = await withoutProgram(page, /bot_worker_bg\.wasm/);
  await page.goto('/solo');
  const seat = page.locator('[data-seat="B-white"]');
  await seat.getByRole('button').click();
  await page.getByLabel('Level').selectOption('2');
  await page.getByLabel('Level').focus();
  await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeDisabled();
  arrive();
  await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeEnabled();
  await expect(seat).toHaveAttribute('data-occupant', 'human');
  await expect(page.getByLabel('Level')).toHaveValue('2');
  await expect(page.getByLabel('Level')).toBeFocused();
});

for (const path of ['/', '/solo', '/rules']) {
  test(`nothing moves when the program takes ${path} over`, async ({ page }) => {
    await page.addInitScript(() => {
      const moved: number[] = [];
      Object.assign(window, { moved });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) moved.push((entry as unknown as { value: number }).value);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    const arrive = await withoutProgram(page);
    await page.goto(path, { waitUntil: 'commit' });
    const title = page.locator('h1').first();
    await expect(title).not.toBeEmpty();
    const before = await title.boundingBox();
    arrive();
    await expect(program(page)).toHaveCount(1);
    await expect(page.locator('footer')).toBeVisible();
    const after = await title.boundingBox();
    expect(after).toEqual(before);
    const moved = await page.evaluate(() => (window as unknown as { moved: number[] }).moved);
    expect(moved.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.02);
  });
}
