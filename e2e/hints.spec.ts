// What somebody who never played is told at the moment it helps: once, for as long as it helps.
// What who has no move is told: match.spec.ts.

import { expect, test } from './fixtures';
import { fourPlaying, type Player } from './players';

const hint = (player: Player) => player.page.locator('.once[role="status"]');
const given = (player: Player) => player.page.evaluate(() => localStorage.getItem('tandem.hints'));

test('the first piece that flies to the partner, and the first in the hand, are explained once', async ({ browser, relay }) => {
  const table = await fourPlaying(browser, relay);
  const [anna, ben, cleo, dan] = table.all() as [Player, Player, Player, Player];
  for (const player of table.all()) await expect(hint(player)).toHaveCount(0);
  await table.play('A', 'e2e4', 'd7d5', 'e4d5');
  // Anna took the pawn, and Dan has it; what the others see explains itself later.
  await expect(hint(anna)).toContainText('flies to your partner');
  await expect(hint(dan)).toContainText('Tap it, then an empty square');
  await expect(hint(ben)).toHaveCount(0);
  await expect(hint(cleo)).toHaveCount(0);
  // It covers nothing that is played with, and goes at a word.
  for (const square of ['a1', 'e1', 'h8']) await expect(anna.square('A', square)).toBeInViewport();
  await hint(anna).getByRole('button', { name: 'Dismiss' }).click();
  await expect(hint(anna)).toHaveCount(0);
  expect(await given(anna)).toBe('f');
  expect(await given(dan)).toBe('h');
  // Done as told, and after two plies of each side, it goes by itself.
  await table.play('B', 'e2e4', 'P@e5', 'g1f3');
  await expect(hint(dan)).toBeVisible();
  await table.play('B', 'b8c6', 'f1c4');
  await expect(hint(dan)).toHaveCount(0);
  // Ben’s turn to win a piece for Cleo; those who were told are told no more, not even after a reload.
  await table.play('A', 'd8d5');
  await expect(hint(ben)).toContainText('flies to your partner');
  await anna.page.reload();
  await anna.online();
  await table.play('A', 'b1c3', 'd5a5', 'd2d4', 'a5c3', 'b2c3');
  await dan.page.reload();
  await dan.online();
  await expect(dan.hand('B-black', 'Q')).toHaveAttribute('data-count', '1');
  await anna.seesPly('A', 9);
  await expect(hint(anna)).toHaveCount(0);
  // In Dan's hand again; what his own captures do he has yet to see.
  await expect(hint(dan)).toHaveCount(0);
  await table.close();
});
