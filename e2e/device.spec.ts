// What the page asks of the device: a screen that stays awake, a way to share, a code to photograph.

import jsQR from 'jsqr';
import { expect, test } from './fixtures';
import { fourSeated, openPlayer } from './players';

test('the screen stays awake from the start of a match to its end', async ({ browser, relay }) => {
  const table = await fourSeated(browser, relay);
  const anna = table.at('A-white');
  await anna.page.evaluate(() => {
    const state = { held: 0, asked: 0 };
    (window as unknown as { awake: typeof state }).awake = state;
    const request = async (kind: string): Promise<unknown> => {
      if (kind !== 'screen') throw new Error(`no ${kind} stays awake`);
      state.asked += 1;
      state.held += 1;
      return { release: async () => void (state.held -= 1) };
    };
    Object.defineProperty(navigator, 'wakeLock', { configurable: true, value: { request } });
  });
  const awake = async (): Promise<{ held: number; asked: number }> =>
    anna.page.evaluate(() => (window as unknown as { awake: { held: number; asked: number } }).awake);
  expect(await awake()).toEqual({ held: 0, asked: 0 });
  await table.start();
  await expect.poll(awake).toEqual({ held: 1, asked: 1 });
  // The browser lets go of a page that is hidden; when it is seen again it asks anew.
  await anna.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await expect.poll(awake).toEqual({ held: 1, asked: 2 });
  await table.at('A-black').button('Resign').click();
  await table.at('A-black').page.getByRole('dialog').getByRole('button', { name: 'Resign', exact: true }).click();
  await table.seeResult('resignation', '1');
  await expect.poll(async () => (await awake()).held).toBe(0);
  await table.close();
});

test('the link to a table is shared as the device shares things', async ({ page, relay }) => {
  await page.addInitScript(() => {
    const shared: unknown[] = [];
    (window as unknown as { shared: unknown[] }).shared = shared;
    Object.defineProperty(navigator, 'share', {
      configurable: true,
      // Whoever changes their mind rejects; the page says nothing about it.
      value: async (what: unknown) => {
        shared.push(what);
        throw new DOMException('changed my mind', 'AbortError');
      },
    });
  });
  await page.goto(`${relay}/`);
  await page.getByRole('button', { name: 'Open a table' }).click();
  await page.waitForURL(/\/t\/[0-9A-Z]{10}$/);
  await page.getByRole('button', { name: 'Share' }).click();
  const shared = await page.evaluate(() => (window as unknown as { shared: unknown[] }).shared);
  expect(shared).toEqual([{ url: page.url() }]);
});

test('a device without a way to share offers none', async ({ page, relay }) => {
  await page.addInitScript(() => {
    // @ts-expect-error: browsers without it lack the property.
    delete Navigator.prototype.share;
  });
  await page.goto(`${relay}/`);
  await page.getByRole('button', { name: 'Open a table' }).click();
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Share' })).toHaveCount(0);
});

for (const scheme of ['light', 'dark'] as const) {
  test(`a camera reads the link from the QR code, ${scheme}`, async ({ browser, relay }) => {
    const contexts: Parameters<typeof openPlayer>[3] = [];
    const host = await openPlayer(browser, 'Anna', relay, contexts);
    await host.page.emulateMedia({ colorScheme: scheme });
    await host.openTable();
    const picture = await host.page.getByRole('img', { name: 'QR code' }).screenshot();
    // A page of its own unpacks the picture: it has no policy about where pictures come from.
    const reader = await host.page.context().newPage();
    const { data, width, height } = await reader.evaluate(async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d')!;
      context.drawImage(image, 0, 0);
      return { data: [...context.getImageData(0, 0, image.width, image.height).data], width: image.width, height: image.height };
    }, `data:image/png;base64,${picture.toString('base64')}`);
    const decode = jsQR as unknown as typeof import('jsqr').default;
    expect(decode(Uint8ClampedArray.from(data), width, height)?.data).toBe(host.page.url());
    for (const context of contexts) await context.close();
  });
}
