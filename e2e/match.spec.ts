// A whole match of four browsers at one table.

import { expect, test } from './fixtures';
import { fourPlaying, fourSeated, openPlayer, sameClocks, type Board, type Player, type Seat } from './players';

/** On `near` a queen is taken; the partner drops it on `far` and gives mate. */
async function mateWithAWonQueen(
  table: Awaited<ReturnType<typeof fourPlaying>>,
  near: Board,
  far: Board,
): Promise<void> {
  const mater: Seat = `${far}-black`;
  await table.play(near, 'e2e4', 'd7d5', 'e4d5', 'd8d5', 'b1c3', 'd5e5', 'f1e2', 'e5e2');
  await table.play(far, 'f2f3', 'e7e5', 'g2g4', 'f8c5', 'a2a3');
  for (const player of table.all()) {
    await expect(player.hand(mater, 'Q')).toHaveAttribute('data-count', '0');
  }
  await table.play(near, 'd1e2');
  for (const player of table.all()) {
    await expect(player.hand(mater, 'Q')).toHaveAttribute('data-count', '1');
    // The pawn came earlier, the opponents won a pawn and a bishop.
    await expect(player.hand(mater, 'P')).toHaveAttribute('data-count', '1');
    await expect(player.hand(`${far}-white`, 'B')).toHaveAttribute('data-count', '1');
  }
  await table.play(far, 'Q@f2');
}

test('a queen won on board A mates on board B', async ({ browser, relay }) => {
  const table = await fourPlaying(browser, relay);
  await mateWithAWonQueen(table, 'A', 'B');
  await table.seeResult('checkmate', '1');
  for (const player of table.all()) {
    await expect(player.board('B')).toHaveAttribute('data-status', 'ended');
    await player.seesPiece('B', 'f2', 'bQ');
    await expect(player.page.locator('[data-running]')).toHaveCount(0);
    await expect(player.result()).toContainText('Checkmate');
  }
  // All four see the very same clocks, frozen.
  const clocks = await Promise.all(table.all().map((player) => player.clockMs('A-white')));
  expect(new Set(clocks).size).toBe(1);
  await table.close();
});

test('a queen won on board B mates on board A', async ({ browser, relay }) => {
  const table = await fourPlaying(browser, relay);
  await mateWithAWonQueen(table, 'B', 'A');
  await table.seeResult('checkmate', '2');
  await table.close();
});

test('a piece that is taken flies to the hand of the partner, on every screen', async ({ browser, relay }) => {
  const table = await fourPlaying(browser, relay);
  for (const { page } of table.all()) {
    await page.evaluate(() => {
      const flights: unknown[] = [];
      Object.assign(window, { flights });
      const centre = (selector: string): [number, number] => {
        const { x, y, width, height } = document.querySelector(selector)!.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
      };
      addEventListener('animationstart', ({ target }) => {
        if (!(target instanceof HTMLElement) || !target.matches('.flight')) return;
        const at = (name: string): number => parseFloat(target.style.getPropertyValue(name));
        const far = ([x, y]: [number, number], way: string): number => Math.hypot(x - at(`--x${way}`), y - at(`--y${way}`));
        flights.push({
          piece: target.dataset['piece'],
          // How far off it begins and ends, in pixels.
          begins: far(centre('[data-board="A"] [data-square="d5"]'), '0') < 2,
          ends: far(centre('[data-hand="B-black"] [data-hand-piece="P"]'), '1') < 2,
        });
      });
    });
  }
  await table.play('A', 'e2e4', 'd7d5', 'e4d5');
  for (const { page } of table.all()) {
    const flights = () => page.evaluate(() => (window as unknown as { flights: unknown[] }).flights);
    await expect.poll(flights).toEqual([{ piece: 'bP', begins: true, ends: true }]);
    // It is gone when it has arrived.
    await expect(page.locator('.flight[data-piece]')).toHaveCount(0);
  }
  await table.close();
});

test('a reload in mid-match keeps seat, boards and clocks', async ({ browser, relay }) => {
  const table = await fourPlaying(browser, relay);
  await table.play('A', 'e2e4', 'd7d5', 'e4d5');
  const ben = table.at('A-black');
  const before = await ben.clockMs('A-white');
  await ben.page.reload();
  await ben.online();
  await ben.seesPly('A', 3);
  await ben.seesPiece('A', 'd5', 'wP');
  await expect(ben.hand('B-black', 'P')).toHaveAttribute('data-count', '1');
  expect(await ben.clockMs('A-white')).toBe(before);
  await sameClocks(ben, table.at('A-white'), 500);
  await table.play('A', 'd8d5');
  await table.close();
});

test('an illegal try changes nothing', async ({ browser, relay }) => {
  const table = await fourPlaying(browser, relay);
  const anna = table.at('A-white');
  await anna.click('A', 'A-white', 'e2e5');
  await anna.seesPly('A', 0);
  await anna.seesPiece('A', 'e2', 'wP');
  // Somebody else's pieces, the other board and an empty hand cannot be taken up.
  await anna.click('A', 'A-black', 'e7e5');
  await anna.click('B', 'B-white', 'e2e4');
  await anna.click('A', 'A-white', 'Q@e4');
  await table.play('A', 'e2e4');
  await anna.click('A', 'A-white', 'd2d4');
  await anna.seesPly('A', 1);
  for (const player of table.all()) {
    await player.seesPly('A', 1);
    await player.seesPly('B', 0);
  }
  await table.close();
});

test('a blockable check with an empty hand waits and is not mate', async ({ browser, relay }) => {
  const table = await fourPlaying(browser, relay);
  await table.play('A', 'f2f3', 'e7e5', 'g2g4', 'd8h4');
  for (const player of table.all()) {
    await expect(player.board('A')).toHaveAttribute('data-status', 'waiting');
    await expect(player.result()).toHaveCount(0);
    await expect(player.page.getByText(/Waiting for a piece/).first()).toBeVisible();
    await expect(player.square('A', 'e1')).toHaveAttribute('data-mark', /check/);
  }
  const anna = table.at('A-white');
  await expect(anna.clock('A-white')).toHaveAttribute('data-running', /.*/);
  // Who never saw that before is told that it is no draw.
  const hint = anna.page.locator('.once[role="status"]');
  await expect(hint).toContainText('wait until your partner takes something');
  await expect(table.at('B-black').page.locator('.once[role="status"]')).toHaveCount(0);
  // The partner wins a pawn, which blocks.
  await table.play('B', 'e2e4', 'd7d5', 'a2a3', 'd5e4');
  await table.play('A', 'P@f2');
  await expect(hint).toBeVisible();
  expect(await anna.page.evaluate(() => localStorage.getItem('tandem.hints'))).toContain('w');
  for (const player of table.all()) {
    await expect(player.board('A')).toHaveAttribute('data-status', 'move');
  }
  await table.close();
});

test('a spectator sees both boards and can touch nothing', async ({ browser, relay }) => {
  const table = await fourPlaying(browser, relay);
  const contexts: import('@playwright/test').BrowserContext[] = [];
  const eve = await openPlayer(browser, 'Eve', relay, contexts);
  await eve.visit(table.path);
  await table.play('A', 'e2e4');
  await table.play('B', 'd2d4');
  await eve.seesPly('A', 1);
  await eve.seesPly('B', 1);
  for (const board of ['A', 'B'] as const) {
    await eve.click(board, `${board}-black`, 'e7e5');
    await eve.seesPiece(board, 'e7', 'bP');
    await eve.seesPly(board, 1);
  }
  for (const name of ['Resign', 'Offer draw']) await expect(eve.button(name)).toHaveCount(0);
  for (const context of contexts) await context.close();
  await table.close();
});

test('resigning ends the match for everyone, and whoever comes later sees how it ended', async ({ browser, relay }) => {
  const table = await fourPlaying(browser, relay);
  const cleo = table.at('B-white');
  await cleo.button('Resign').click();
  // It asks first; "no" changes nothing.
  await cleo.page.keyboard.press('Escape');
  await expect(cleo.result()).toHaveCount(0);
  await cleo.button('Resign').click();
  await cleo.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await table.seeResult('resignation', '1');
  const contexts: import('@playwright/test').BrowserContext[] = [];
  const eve = await openPlayer(browser, 'Eve', relay, contexts);
  await eve.visit(table.path);
  await cleo.page.reload();
  for (const player of [cleo, eve]) {
    await expect(player.result()).toHaveAttribute('data-result', 'resignation');
    await expect(player.result()).toContainText('Cleo resigned.');
    await expect(player.page.locator('[data-running]')).toHaveCount(0);
  }
  await expect(cleo.button('Rematch')).toBeEnabled();
  for (const context of contexts) await context.close();
  await table.close();
});

test('a promotion is chosen, and a captured promoted piece arrives as a pawn', async ({
  browser,
  relay,
}) => {
  const table = await fourPlaying(browser, relay);
  await table.play('A', 'a2a4', 'b7b5', 'a4b5', 'a7a6', 'b5a6', 'b8c6', 'a6a7', 'c6b8', 'a7b8n');
  for (const player of table.all()) {
    await player.seesPiece('A', 'b8', 'wN');
    await expect(player.square('A', 'b8')).toHaveAttribute('data-promoted', /.*/);
  }
  await table.play('A', 'a8b8');
  await expect(table.at('B-white').hand('B-white', 'P')).toHaveAttribute('data-count', '1');
  await expect(table.at('B-white').hand('B-white', 'N')).toHaveAttribute('data-count', '0');
  await table.close();
});

test('the own move is on screen in the frame after the click, before any network', async ({
  browser,
  relay,
}) => {
  const table = await fourPlaying(browser, relay);
  const anna = table.at('A-white');
  await anna.square('A', 'e2').click();
  expect(await anna.paintedAfterTap('A', 'e4')).toBe('wP');
  await table.close();
});

test('drag and drop moves and drops, and a held piece survives the other board', async ({
  browser,
  relay,
}) => {
  const table = await fourPlaying(browser, relay);
  const anna = table.at('A-white');
  const centre = async (board: Board, square: string): Promise<[number, number]> => {
    const box = await anna.square(board, square).boundingBox();
    if (!box) throw new Error(`no square ${square}`);
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const mouse = anna.page.mouse;
  await mouse.move(...(await centre('A', 'e2')));
  await mouse.down();
  await mouse.move(...(await centre('A', 'e3')), { steps: 3 });
  await table.play('B', 'e2e4');
  await mouse.move(...(await centre('A', 'e4')), { steps: 3 });
  await mouse.up();
  table.plies.A += 1;
  for (const player of table.all()) await player.seesPiece('A', 'e4', 'wP');
  await table.close();
});

/** The pieces that slid to their squares from now on, as `wR`. */
async function slides(player: Player): Promise<() => Promise<string[]>> {
  await player.page.evaluate(() => {
    const store = window as unknown as { slid: string[] };
    store.slid = [];
    document.addEventListener('transitionrun', (event) => {
      const man = event.target as HTMLElement;
      if ((event as TransitionEvent).propertyName === 'translate') store.slid.push(man.classList[1] ?? '');
    });
  });
  return () => player.page.evaluate(() => (window as unknown as { slid: string[] }).slid.sort());
}

test('castling slides the rook, and the king unless it was dragged', async ({ browser, relay }) => {
  const table = await fourPlaying(browser, relay);
  const [anna, ben] = [table.at('A-white'), table.at('A-black')];
  await table.play('A', 'g1f3', 'g8f6', 'g2g3', 'g7g6', 'f1g2', 'f8g7');
  const slid = [await slides(anna), await slides(ben)];
  await table.play('A', 'e1g1');
  for (const seen of slid) await expect.poll(seen).toEqual(['wK', 'wR']);
  // Each sees the rook where it belongs.
  const place = async (player: Player): Promise<unknown> => {
    const box = await player.board('A').locator('.men > .wR').last().boundingBox();
    return box && { x: Math.round(box.x), y: Math.round(box.y) };
  };
  for (const player of [anna, ben]) {
    const box = await player.square('A', 'f1').boundingBox();
    await expect.poll(() => place(player)).toEqual(box && { x: Math.round(box.x), y: Math.round(box.y) });
  }
  await ben.square('A', 'e8').dragTo(ben.square('A', 'g8'));
  await anna.seesPiece('A', 'f8', 'bR');
  await expect.poll(slid[0]!).toEqual(['bK', 'bR', 'wK', 'wR']);
  await expect.poll(slid[1]!).toEqual(['bR', 'wK', 'wR']);
  await table.close();
});

test('every piece has a picture, and a promoted one its mark', async ({ browser, relay }) => {
  const table = await fourPlaying(browser, relay);
  const anna = table.at('A-white');
  const pictures = await anna.page.evaluate(() =>
    [...document.querySelectorAll('.men > .pc')].map((man) => {
      const image = getComputedStyle(man).backgroundImage;
      return `${man.classList[1]} ${image.startsWith('url("data:image/svg+xml,') && !image.includes('var(')}`;
    }),
  );
  expect(new Set(pictures)).toEqual(new Set([...'KQRBNP'].flatMap((role) => [`w${role} true`, `b${role} true`])));
  expect(pictures).toHaveLength(64);
  await table.play('A', 'h2h4', 'g7g5', 'h4g5', 'h7h6', 'g5h6', 'g8f6', 'h6h7', 'f6g8', 'h7g8q');
  await anna.seesPiece('A', 'g8', 'wQ');
  await expect(anna.board('A').locator('.men > .wQ > .badge')).toHaveCount(1);
  await table.close();
});

test('the host sets the clock', async ({
  browser,
  relay,
}) => {
  const table = await fourSeated(browser, relay);
  const anna = table.at('A-white');
  await anna.setMinutes('5');
  await table.start();
  expect(await table.at('B-black').clockMs('A-black')).toBe(300_000);
  await table.close();
});
