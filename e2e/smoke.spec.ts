// The relay answers and the page comes up.

import { expect, test } from './fixtures';

test('the relay is well', async ({ request }) => {
  const health = await request.get('/healthz');
  expect(health.status()).toBe(200);
  expect((await health.text()).trim()).toBe('ok');
  const version = await request.get('/version');
  expect(Object.keys((await version.json()) as object)).toEqual(
    expect.arrayContaining(['version', 'commit', 'protocol']),
  );
});

test('the home page comes up @phone @tablet', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveTitle(/Tandem/);
  await expect(page.getByRole('button', { name: 'Open a table' })).toBeVisible();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, 'nothing sticks out to the side').toBeLessThanOrEqual(0);
});
