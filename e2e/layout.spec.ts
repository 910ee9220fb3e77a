// The match at six sizes: nothing is cut, nothing scrolls but the list of moves, and fingers find
// hands and buttons. Names are as long as they may be.

import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { openPlayer, Player } from './players';

const MOUSE = [[1280, 720], [1920, 1080]] as const;
const TOUCH = [[390, 844], [844, 390], [768, 1024], [320, 568]] as const;

/** What is wrong with the layout, in words. */
async function faults(page: Page, touch: boolean): Promise<string[]> {
  return page.evaluate((touch) => {
    const found: string[] = [];
    const name = (element: Element): string =>
      element.getAttribute('aria-label') ?? element.getAttribute('data-hand') ?? element.getAttribute('data-clock') ?? `${element.tagName}.${element.className}`;
    const all = (selector: string): Element[] =>
      [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility() && element.getBoundingClientRect().width > 0);
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth) found.push(`the page is ${root.scrollWidth} wide`);
    if (root.scrollHeight > innerHeight) found.push(`the page is ${root.scrollHeight} high`);
    const slack = 0.6;
    for (const element of all('.match .board, .match .hand, .match .clock, .match .btn, .match .name, .match input, .match [data-tell], .match .pill')) {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      if (left < -slack || top < -slack || right > innerWidth + slack || bottom > innerHeight + slack) {
        found.push(`${name(element)} leaves the window: ${left} ${top} ${right} ${bottom}`);
      }
    }
    // Only names and the lines below them may end in an ellipsis.
    for (const element of all('.match .clock, .match .clock span, .match .btn, .match .pill, .match .pill span, .match .code')) {
      if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline') found.push(`${name(element)} is cut: ${element.textContent}`);
    }
    // Nothing scrolls but the list of moves and what is said.
    for (const element of all('.match, .match *')) {
      const style = getComputedStyle(element);
      const scrolls = ['auto', 'scroll'].includes(style.overflowY) && element.scrollHeight > element.clientHeight + 1;
      if (scrolls && !element.matches('.plies, .feed *, .sheet')) found.push(`${name(element)} scrolls`);
    }
    // Hands, clocks and boards lie beside each other.
    const parts = all('.match .board, .match .hand, .match .clock');
    for (const [index, one] of parts.entries()) {
      for (const other of parts.slice(index + 1)) {
        const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (across > 1 && down > 1) found.push(`${name(one)} and ${name(other)} overlap`);
      }
    }
    if (all('.match .hand').length !== 4) found.push(`${all('.match .hand').length} hands`);
    const own = all('[data-hand] button[data-hand-piece]');
    if (own.length !== 5) found.push(`${own.length} places in the own hand`);
    if (touch) {
      for (const element of [...own, ...all('.match .btn')]) {
        const { width, height } = element.getBoundingClientRect();
        if (width < 44 - slack || height < 44 - slack) found.push(`${name(element)} is ${width} × ${height}`);
      }
      const partner = all('.mate .board')[0]?.getBoundingClientRect();
      if (!partner || partner.width < 8 * 14) found.push(`the partner's board is ${partner?.width} wide`);
    }
    return found;
  }, touch);
}

test.setTimeout(150_000);

test('every window between the six sizes has its boards and hands', async ({ page, relay }) => {
  const anna = new Player('Anna', page, relay);
  await anna.visit('/solo');
  await anna.button('Start').click();
  await expect(page.locator('[data-clock][data-running]')).toHaveCount(2, { timeout: 20_000 });
  const wrong: string[] = [];
  for (const width of [320, 400, 480, 560, 640, 699, 700, 760, 830, 899, 900, 960, 1000, 1100, 1150, 1220, 1280, 1366]) {
    for (const height of [500, 501, 560, 630, 660, 700, 720, 740, 780, 820, 849, 850, 950]) {
      await page.setViewportSize({ width, height });
      const found = await faults(page, false);
      const { board, place } = await page.evaluate(() => ({
        board: document.querySelector('.own .board')?.getBoundingClientRect().width ?? 0,
        place: document.querySelector('button[data-hand-piece]')?.getBoundingClientRect().width ?? 0,
      }));
      if (board < 0.36 * Math.min(width, height)) found.push(`the own board is ${board} wide`);
      if (place < 24) found.push(`a place of the own hand is ${place} wide`);
      wrong.push(...found.map((fault) => `${width} × ${height}: ${fault}`));
    }
  }
  expect(wrong).toEqual([]);
});

for (const [width, height] of TOUCH) {
  test(`boards are flipped and swapped by finger at ${width} × ${height}`, async ({ browser, relay }) => {
    const context = await browser.newContext({ hasTouch: true, isMobile: true, viewport: { width, height } });
    const page = await context.newPage();
    const anna = new Player('Anna', page, relay);
    await anna.visit('/solo');
    await anna.button('Start').tap();
    await expect(page.locator('[data-clock][data-running]')).toHaveCount(2, { timeout: 20_000 });
    const press = async (name: string): Promise<void> => {
      // Where there is no room for it beside the boards, it is in the menu.
      const menu = page.getByRole('button', { name: 'Menu' });
      if (!(await anna.button(name).isVisible())) await menu.tap();
      const box = await anna.button(name).boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0), name).toBeGreaterThanOrEqual(43.5);
      await anna.button(name).tap();
      await expect(page.locator('#acts:popover-open')).toHaveCount(0);
    };
    const top = async (square: string): Promise<number> => (await anna.square('A', square).boundingBox())?.y ?? 0;
    const wide = async (board: 'A' | 'B'): Promise<number> => (await anna.board(board).boundingBox())?.width ?? 0;
    expect(await top('a1')).toBeGreaterThan(await top('a8'));
    await press('Flip boards');
    await expect.poll(async () => (await top('a1')) < (await top('a8'))).toBe(true);
    await press('Flip boards');
    const before = [await wide('A'), await wide('B')];
    await press('Swap boards');
    await expect.poll(async () => [await wide('A'), await wide('B')]).toEqual(before.reverse());
    await context.close();
  });
}

test('nothing is cut at six sizes, in the match and at its end', async ({ browser, relay }) => {
  const long = 'Wolfeschlegelsteinhausen';
  for (const [touch, sizes] of [[false, MOUSE], [true, TOUCH]] as const) {
    const context = await browser.newContext({ hasTouch: touch, isMobile: touch, viewport: { width: 1280, height: 720 } });
    const page = await context.newPage();
    const anna = new Player(long, page, relay);
    await page.addInitScript((name) => localStorage.setItem('tandem.name', name), long);
    await anna.visit('/solo');
    await page.getByLabel('Increment').fill('2');
    await anna.button('Start').click();
    await expect(page.locator('[data-clock][data-running]')).toHaveCount(2, { timeout: 20_000 });
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => new Promise(requestAnimationFrame));
      expect(await faults(page, touch), `${width} × ${height}`).toEqual([]);
    }
    await page.setViewportSize({ width: 1280, height: 720 });
    await anna.button('Resign').first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
    await anna.result().waitFor();
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => new Promise(requestAnimationFrame));
      // Nothing is dropped any more, so the own hand gives way to what comes next.
      const wrong = (await faults(page, touch)).filter((fault) => !fault.includes(' in hand is ') && !fault.includes('places in the own hand'));
      expect(wrong, `at the end, ${width} × ${height}`).toEqual([]);
      // What else there is to do at the end is in the menu where there is no room for it.
      const menu = page.getByRole('button', { name: 'Menu' });
      if (!(await menu.isVisible())) continue;
      await menu.tap();
      const acts = page.locator('#acts');
      const swaps = height > width ? ['Swap partners', 'Swap colours'] : [];
      for (const name of [...swaps, 'Talk', 'Leave']) await expect(acts.getByRole('button', { name })).toBeVisible();
      await acts.getByRole('button', { name: 'Moves' }).tap();
      await expect(page.locator('.sheet:popover-open')).toHaveId('moves');
      await page.keyboard.press('Escape');
    }
    await context.close();
  }
});

test('in every language, a match with a draw on offer fits a phone', async ({ browser, relay }) => {
  const contexts: BrowserContext[] = [];
  const context = await browser.newContext({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
  contexts.push(context);
  const anna = new Player('Maximiliane', await context.newPage(), relay);
  const table = await anna.openTable();
  await anna.sit('A-white');
  const ben = await openPlayer(browser, 'Bartholomäus', relay, contexts);
  await ben.page.goto(table);
  await ben.online();
  await ben.sit('B-black');
  await anna.setMinutes('60');
  await anna.button('Fill with bots').click();
  await anna.button('Ready').click();
  await ben.button('Ready').click();
  await ben.button('Offer draw').click();
  const wrong: string[] = [];
  for (const language of ['en', 'de', 'nl', 'da', 'cs', 'hu']) {
    await anna.page.goto(`${table}?lang=${language}`);
    await expect(anna.page.locator('[data-offer]')).toBeVisible();
    for (const [width, height] of TOUCH) {
      await anna.page.setViewportSize({ width, height });
      await anna.page.evaluate(() => new Promise(requestAnimationFrame));
      for (const fault of await faults(anna.page, true)) wrong.push(`${language}, ${width} × ${height}: ${fault}`);
      // All signals are seen at once.
      const signals = await anna.page.evaluate(() => {
        const sheet = document.querySelector<HTMLElement>('#talk');
        if (!sheet?.checkVisibility()) sheet?.showPopover();
        const faults = [...document.querySelectorAll('#talk .word')]
          .filter((word) => word.scrollWidth > word.clientWidth + 1)
          .map((word) => `${word.textContent} is cut`);
        const rest = sheet ? sheet.scrollHeight - sheet.clientHeight : Infinity;
        if (rest > 1) faults.push(`${rest} of the signals’ height are below the sheet`);
        if (sheet?.matches(':popover-open')) sheet.hidePopover();
        return faults;
      });
      for (const fault of signals) wrong.push(`${language}, ${width} × ${height}: ${fault}`);
    }
  }
  expect(wrong).toEqual([]);
  for (const context of contexts) await context.close();
});
