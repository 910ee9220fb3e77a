// Four people at one table, each in a browser context of their own, as they would sit down and play.

import { expect, type Browser, type BrowserContext, type Locator, type Page } from '@playwright/test';
import { watchConsole } from './fixtures';

export type Board = 'A' | 'B';
export type Seat = 'A-white' | 'A-black' | 'B-white' | 'B-black';
export const SEATS: readonly Seat[] = ['A-white', 'A-black', 'B-white', 'B-black'];
export type Kind = 'P' | 'N' | 'B' | 'R' | 'Q';

/** One person in a browser. */
export class Player {
  constructor(
    readonly name: string,
    readonly page: Page,
    /** Where this person finds the relay: the relay itself, or a proxy in front of it. */
    readonly url: string,
  ) {}

  async openTable(): Promise<string> {
    await this.page.goto(`${this.url}/`);
    await this.page.getByRole('button', { name: 'Open a table' }).click();
    await this.page.waitForURL(/\/t\/[0-9A-Z]{10}$/);
    await this.online();
    return new URL(this.page.url()).pathname;
  }

  async visit(path: string): Promise<void> {
    await this.page.goto(`${this.url}${path}`);
    await this.online();
  }

  async online(): Promise<void> {
    await expect(this.page.locator('body')).toHaveAttribute('data-connection', 'online');
  }

  seat(seat: Seat): Locator {
    return this.page.locator(`[data-seat="${seat}"]`);
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  async sit(seat: Seat): Promise<void> {
    const field = this.page.getByLabel('Your name');
    if ((await field.inputValue()) !== this.name) {
      await field.fill(this.name);
      await field.press('Enter');
    }
    await this.seat(seat).getByRole('button', { name: 'Sit' }).click();
    await expect(this.seat(seat)).toHaveAttribute('data-occupant', 'human');
    await expect(this.seat(seat)).toContainText(this.name);
  }

  async ready(): Promise<void> {
    await this.button('Ready').click();
  }

  /** The host chooses the time on each clock. */
  async setMinutes(minutes: string): Promise<void> {
    const field = this.page.getByLabel('Minutes');
    await field.fill(minutes);
    await field.press('Enter');
    await expect(field).toHaveValue(minutes);
  }

  board(board: Board): Locator {
    return this.page.locator(`[data-board="${board}"]`);
  }

  square(board: Board, square: string): Locator {
    return this.board(board).locator(`[data-square="${square}"]`);
  }

  hand(seat: Seat, kind: Kind): Locator {
    return this.page.locator(`[data-hand="${seat}"] [data-hand-piece="${kind}"]`);
  }

  clock(seat: Seat): Locator {
    return this.page.locator(`[data-clock="${seat}"]`);
  }

  async clockMs(seat: Seat): Promise<number> {
    return Number(await this.clock(seat).getAttribute('data-ms'));
  }

  result(): Locator {
    return this.page.locator('[data-result]');
  }

  async seesPly(board: Board, plies: number, timeout?: number): Promise<void> {
    const expected = String(plies);
    await expect(this.board(board)).toHaveAttribute('data-ply', expected, timeout ? { timeout } : {});
  }

  async seesPiece(board: Board, square: string, piece: string | null): Promise<void> {
    const at = this.square(board, square);
    if (piece === null) await expect(at).not.toHaveAttribute('data-piece', /./);
    else await expect(at).toHaveAttribute('data-piece', piece);
  }

  /** Taps a square within the page; gives the piece that is painted on it in the next frame. */
  async paintedAfterTap(board: Board, square: string): Promise<string | null> {
    return this.square(board, square).evaluate(async (target) => {
      const { x, y, width, height } = target.getBoundingClientRect();
      const at = { clientX: x + width / 2, clientY: y + height / 2, bubbles: true, pointerId: 1, isPrimary: true, button: 0 };
      target.dispatchEvent(new PointerEvent('pointerdown', { ...at, buttons: 1 }));
      target.dispatchEvent(new PointerEvent('pointerup', at));
      target.dispatchEvent(new MouseEvent('click', at));
      await new Promise(requestAnimationFrame);
      return target.getAttribute('data-piece');
    });
  }

  /** Clicks a UCI ply: from and to, or the hand and the square. */
  async click(board: Board, seat: Seat, ply: string): Promise<void> {
    const drop = /^([PNBRQ])@([a-h][1-8])$/.exec(ply);
    if (drop) {
      await this.hand(seat, drop[1] as Kind).click();
      await this.square(board, drop[2] as string).click();
      return;
    }
    await this.square(board, ply.slice(0, 2)).click();
    await this.square(board, ply.slice(2, 4)).click();
    if (ply.length === 5) {
      await this.page.locator(`[data-promote="${ply.slice(4).toUpperCase()}"]`).click();
    }
  }
}

/** Four people at a table, by seat. */
export class Table {
  readonly plies: Record<Board, number> = { A: 0, B: 0 };
  /** How long a ply may take to reach everyone, in milliseconds, where lines are bad. */
  patienceMs: number | undefined;

  constructor(
    readonly path: string,
    readonly players: Record<Seat, Player>,
    private readonly contexts: BrowserContext[],
  ) {}

  all(): Player[] {
    return SEATS.map((seat) => this.players[seat]);
  }

  at(seat: Seat): Player {
    return this.players[seat];
  }

  mover(board: Board): Seat {
    const white = this.plies[board] % 2 === 0;
    return `${board}-${white ? 'white' : 'black'}`;
  }

  /** Whoever is to move plays; everyone sees it. */
  async play(board: Board, ...plies: string[]): Promise<void> {
    for (const ply of plies) {
      const seat = this.mover(board);
      await this.players[seat].click(board, seat, ply);
      this.plies[board] += 1;
      await Promise.all(this.all().map((player) => player.seesPly(board, this.plies[board], this.patienceMs)));
    }
  }

  async start(): Promise<void> {
    await Promise.all(this.all().map((player) => player.ready()));
    await Promise.all(
      this.all().map((player) =>
        expect(player.clock('A-white')).toHaveAttribute('data-running', /.*/, { timeout: 15_000 }),
      ),
    );
  }

  async seeResult(rule: string, winner: '1' | '2' | 'none'): Promise<void> {
    for (const player of this.all()) {
      await expect(player.result()).toHaveAttribute('data-result', rule);
      await expect(player.result()).toHaveAttribute('data-winner', winner);
    }
  }

  async close(): Promise<void> {
    for (const context of this.contexts) await context.close();
  }
}

/** One person in a browser of their own, who will find the relay at `url`. */
export async function openPlayer(
  browser: Browser,
  name: string,
  url: string,
  contexts: BrowserContext[],
): Promise<Player> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  contexts.push(context);
  const page = await context.newPage();
  watchConsole(page);
  return new Player(name, page, url);
}

const NAMES = ['Anna', 'Ben', 'Cleo', 'Dan'] as const;

/** How people sit down. */
interface Arrival {
  /** Who is behind another address than the relay's own, such as a proxy's. */
  behind?: Partial<Record<Seat, string>>;
  /** Whether they come one after the other: who came first is host when the host leaves. */
  inTurn?: boolean;
}

/** Four people sit down at a new table. */
export async function fourSeated(browser: Browser, url: string, { behind = {}, inTurn = false }: Arrival = {}): Promise<Table> {
  const opened = await fetch(`${url}/tables`, { method: 'POST' });
  expect(opened.status, 'a table is opened').toBe(201);
  const path = `/t/${((await opened.json()) as { code: string }).code}`;
  const contexts: BrowserContext[] = [];
  const people: Player[] = [];
  for (const [index, seat] of SEATS.entries()) {
    people.push(await openPlayer(browser, NAMES[index] ?? seat, behind[seat] ?? url, contexts));
  }
  const [host, ...guests] = people as [Player, Player, Player, Player];
  await host.visit(path);
  if (inTurn) for (const guest of guests) await guest.visit(path);
  else await Promise.all(guests.map((guest) => guest.visit(path)));
  await Promise.all(SEATS.map((seat, index) => people[index]?.sit(seat)));
  const players = Object.fromEntries(
    SEATS.map((seat, index) => [seat, people[index] as Player]),
  ) as Record<Seat, Player>;
  return new Table(path, players, contexts);
}

/** Each clock of a page agrees with that of another page, within what a line and a frame take. */
export async function sameClocks(one: Player, other: Player, withinMs: number): Promise<void> {
  for (const seat of SEATS) {
    // A clock only falls, so what another page shows lies between two looks at the one, however slow they are.
    await expect(async () => {
      const [before, between, after] = [await one.clockMs(seat), await other.clockMs(seat), await one.clockMs(seat)];
      expect(between, `clock of ${seat}: ${before}, ${between}, ${after}`).toBeLessThan(before + withinMs);
      expect(between, `clock of ${seat}: ${before}, ${between}, ${after}`).toBeGreaterThan(after - withinMs);
    }).toPass();
  }
}

/** Four people in a match that has just begun. */
export async function fourPlaying(browser: Browser, url: string, arrival: Arrival = {}): Promise<Table> {
  const table = await fourSeated(browser, url, arrival);
  await table.start();
  return table;
}
