// What a match costs the page: from the finger's lift to the painted move, the tasks of the main
// thread, and what is left behind after ten matches. Alone at `/solo` everything runs in the page, so
// that is the dearest match there is. SECONDS and THROTTLE change how long and how slow.

import type { CDPSession, Page } from '@playwright/test';
import { brotliCompressSync, constants } from 'node:zlib';
import { expect, test } from '../fixtures';
import { Player } from '../players';

const SECONDS = Number(process.env['SECONDS'] ?? 120);
const THROTTLE = Number(process.env['THROTTLE'] ?? 4);
const LEVEL = process.env['LEVEL'] ?? '4';

/** The share `p` of all values is not above this one. */
function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * p) - 1)] ?? 0;
}

const tenth = (value: number): number => Math.round(value * 10) / 10;

interface Frames {
  nextPaint(): Promise<number>;
}

/** Gives the page a way to tell when the next frame is painted: in the first task after it, before any that was put off until then. */
async function watchFrames(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { scheduler } = window as unknown as { scheduler: { postTask(task: () => void, how: { priority: string }): unknown } };
    const nextPaint = (): Promise<number> =>
      new Promise((done) => requestAnimationFrame(() => {
        scheduler.postTask(() => done(performance.now()), { priority: 'user-blocking' });
      }));
    Object.assign(window, { nextPaint });
  });
}

async function begin(page: Page, relay: string, minutes: string): Promise<Player> {
  const anna = new Player('Anna', page, relay);
  await anna.visit('/solo');
  await page.getByLabel('Level').selectOption(LEVEL);
  await anna.setMinutes(minutes);
  await anna.button('Start').click();
  await expect(page.locator('[data-clock][data-running]')).toHaveCount(2, { timeout: 30_000 });
  return anna;
}

/** Plays A-White in the page: the first ply that is found, as soon as it is the turn, in one match or in match after match. Keeps the times. */
async function playOn(page: Page, again = false): Promise<void> {
  await watchFrames(page);
  await page.evaluate((again) => {
    const store = window as unknown as { painted: number[]; stop: boolean; again: boolean };
    store.again = again;
    store.painted = [];
    store.stop = false;
    const root = (): Element | null => document.querySelector('[data-board="A"]');
    const at = (element: Element): PointerEventInit => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { clientX: x + width / 2, clientY: y + height / 2, bubbles: true, cancelable: true, pointerId: 1, isPrimary: true, button: 0, pointerType: 'mouse' };
    };
    const { nextPaint: painted } = window as unknown as Frames;
    const down = (element: Element): void => {
      element.dispatchEvent(new PointerEvent('pointerdown', { ...at(element), buttons: 1 }));
    };
    const up = (element: Element): void => {
      element.dispatchEvent(new PointerEvent('pointerup', at(element)));
    };
    const once = async (): Promise<void> => {
      const hand = [...document.querySelectorAll('[data-hand="A-white"] [data-hand-piece]:not([data-count="0"])')];
      // What stands far forward goes first, so that the king stays at home and the match lasts.
      const own = [...(root()?.querySelectorAll('[data-piece^="w"]') ?? [])];
      for (const from of [...hand, ...own]) {
        down(from);
        up(from);
        await painted();
        const target = root()?.querySelector('[data-mark~="target"]');
        if (!target) continue;
        const plies = root()?.getAttribute('data-ply');
        // A drag: the piece is lifted, carried, and let go; the clock starts with the finger's lift.
        const start = { ...at(from), buttons: 1 };
        const end = { ...at(target), buttons: 1 };
        from.dispatchEvent(new PointerEvent('pointerdown', start));
        from.dispatchEvent(new PointerEvent('pointermove', end));
        await painted();
        const lifted = performance.now();
        up(target);
        const choice = document.querySelector('[data-promote="Q"]');
        if (choice instanceof HTMLElement) choice.click();
        const seen = await painted();
        if (root()?.getAttribute('data-ply') !== plies) {
          store.painted.push(seen - lifted);
          return;
        }
      }
    };
    const loop = async (): Promise<void> => {
      while (!store.stop) {
        // A match that is over is followed by the next one.
        if (document.querySelector('[data-result]') !== null) {
          if (!store.again) return;
          document.querySelector<HTMLElement>('.result .btn.primary')?.click();
          await new Promise((later) => setTimeout(later, 250));
          continue;
        }
        const running = document.querySelector('[data-clock][data-running]') !== null;
        const mine = running && Number(root()?.getAttribute('data-ply')) % 2 === 0;
        if (mine && root()?.getAttribute('data-status') !== 'waiting') await once();
        await new Promise((later) => setTimeout(later, 250));
      }
    };
    void loop();
  }, again);
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  dur?: number;
  args?: { name?: string };
}

/** How long the tasks of the page's main thread took, in milliseconds. */
async function traced(client: CDPSession, during: () => Promise<void>): Promise<number[]> {
  const events: TraceEvent[] = [];
  client.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await client.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel'], excludedCategories: ['*'] },
  });
  await during();
  const complete = new Promise<void>((done) => client.once('Tracing.tracingComplete', () => done()));
  await client.send('Tracing.end');
  await complete;
  const mains = new Set(
    events
      .filter((event) => event.name === 'thread_name' && event.args?.name === 'CrRendererMain')
      .map((event) => `${event.pid} ${event.tid}`),
  );
  const tasks = new Map<string, number[]>();
  for (const event of events) {
    const thread = `${event.pid} ${event.tid}`;
    if (!event.name.endsWith('RunTask') || event.dur === undefined || !mains.has(thread)) continue;
    tasks.set(thread, [...(tasks.get(thread) ?? []), event.dur / 1_000]);
  }
  // The page is the renderer that worked most; another one may lie in wait.
  const sum = (values: number[]): number => values.reduce((all, one) => all + one, 0);
  return [...tasks.values()].sort((a, b) => sum(b) - sum(a))[0] ?? [];
}

/**
 * What this machine takes for the least there is: two boards of 64 squares and 32 men in a bare page, without a
 * program or a rule; a ply marks two squares, moves a man and writes two clocks. Timed like moves of a match.
 */
async function bare(page: Page): Promise<number[]> {
  const man = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4.5" cy="4.5" r="3"/></svg>';
  await page.setContent(`<!doctype html><style>
    div { position: absolute; top: 70px; left: 12px; width: 568px; height: 568px; contain: strict }
    div + div { left: 594px; width: 344px; height: 344px }
    i, b { position: absolute; top: 0; left: 0; width: 12.5%; height: 12.5% }
    i.last { background: gold }
    b { background: url('data:image/svg+xml,${encodeURIComponent(man)}'); transition: translate 120ms }
    time { position: absolute; top: 660px; width: 120px; height: 40px; contain: strict; font: 700 28px sans-serif }
    time + time { left: 600px }
  </style>`);
  await watchFrames(page);
  return page.evaluate(async () => {
    const at = (n: number): string => `${n % 8}00% ${n >> 3}00%`;
    const boards = [0, 1].map(() => {
      const board = document.body.appendChild(document.createElement('div'));
      const add = (name: string): HTMLElement[] => Array.from({ length: name === 'i' ? 64 : 32 }, (_, n) => {
        const element = board.appendChild(document.createElement(name));
        element.style.translate = at(n);
        return element;
      });
      return { squares: add('i'), men: add('b') };
    });
    const clocks = [0, 1].map(() => document.body.appendChild(document.createElement('time')));
    let count = 0;
    const ply = ({ squares, men }: (typeof boards)[number]): void => {
      count += 1;
      for (const square of squares) square.classList.remove('last');
      const [from, to] = [count % 64, (count * 7) % 64];
      squares[from]?.classList.add('last');
      squares[to]?.classList.add('last');
      const man = men[count % 32];
      if (man) man.style.translate = at(to);
      for (const clock of clocks) clock.textContent = `${count % 10}:${10 + (count % 50)}`;
    };
    const others = setInterval(() => boards[1] && ply(boards[1]), 700);
    const { nextPaint: painted } = window as unknown as Frames;
    const times: number[] = [];
    while (times.length < 40) {
      await new Promise((later) => setTimeout(later, 250));
      await painted();
      const lifted = performance.now();
      if (boards[0]) ply(boards[0]);
      times.push((await painted()) - lifted);
    }
    clearInterval(others);
    return times;
  });
}

const summary = (values: readonly number[]): object => ({
  p50: tenth(percentile(values, 0.5)),
  p95: tenth(percentile(values, 0.95)),
  max: tenth(Math.max(...values)),
});

test('a move is painted at once, and no task is long', async ({ page, relay }) => {
  const client = await page.context().newCDPSession(page);
  await client.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE });
  const least = await bare(page);
  await client.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await begin(page, relay, '30');
  await client.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE });
  await page.evaluate(() => {
    const store = window as unknown as { long: number[] };
    store.long = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) store.long.push(entry.duration);
    }).observe({ type: 'longtask' });
  });
  const browser = await page.context().browser()!.newBrowserCDPSession();
  const tasks = await traced(browser, async () => {
    await playOn(page, true);
    const until = Date.now() + SECONDS * 1_000;
    await expect.poll(() => Date.now() > until, { timeout: SECONDS * 1_000 + 60_000, intervals: [1_000] }).toBe(true);
  });
  const { painted, long } = await page.evaluate(() => {
    const store = window as unknown as { painted: number[]; long: number[]; stop: boolean };
    store.stop = true;
    return { painted: store.painted, long: store.long };
  });
  const plies = await page.evaluate(() =>
    ['A', 'B'].map((board) => Number(document.querySelector(`[data-board="${board}"]`)?.getAttribute('data-ply'))),
  );
  console.log(
    JSON.stringify({
      throttle: THROTTLE,
      plies,
      moves: painted.length,
      painted_ms: summary(painted),
      bare_ms: summary(least),
      tasks: tasks.length,
      task_ms: { p50: tenth(percentile(tasks, 0.5)), p99: tenth(percentile(tasks, 0.99)), longest: tenth(Math.max(0, ...tasks)), over_50: tasks.filter((ms) => ms > 50).length },
      longtask_entries: long.map(tenth),
    }),
  );
  expect(painted.length).toBeGreaterThan(5);
});

test('ten matches leave nothing behind', async ({ page, relay }) => {
  await page.addInitScript(() => {
    window.addEventListener('TrunkApplicationStarted', (event) => {
      const detail = (event as CustomEvent<{ wasm?: { memory?: WebAssembly.Memory } }>).detail;
      (window as unknown as { memory: WebAssembly.Memory | undefined }).memory = detail.wasm?.memory;
    });
  });
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable');
  const counts = async (): Promise<Record<string, number>> => {
    for (let round = 0; round < 3; round += 1) await client.send('HeapProfiler.collectGarbage');
    const { metrics } = await client.send('Performance.getMetrics');
    const value = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? 0;
    const wasm = await page.evaluate(() => (window as unknown as { memory?: WebAssembly.Memory }).memory?.buffer.byteLength ?? 0);
    return {
      nodes: value('Nodes'),
      listeners: value('JSEventListeners'),
      heap_kib: Math.round(value('JSHeapUsedSize') / 1_024),
      wasm_kib: Math.round(wasm / 1_024),
    };
  };
  const anna = await begin(page, relay, '3');
  const rows: Record<string, number>[] = [];
  for (let match = 1; match <= 10; match += 1) {
    if (match > 1) {
      await page.getByRole('button', { name: 'Rematch' }).click();
      await expect(anna.result()).toHaveCount(0);
      await expect(page.locator('[data-clock][data-running]')).toHaveCount(2, { timeout: 30_000 });
    }
    await playOn(page);
    await expect(anna.board('A')).toHaveAttribute('data-ply', /^([4-9]|[1-9]\d)$/, { timeout: 60_000 });
    await page.evaluate(() => ((window as unknown as { stop: boolean }).stop = true));
    await page.getByRole('button', { name: 'Resign', exact: true }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
    await expect(anna.result()).toHaveCount(1);
    rows.push(await counts());
  }
  console.log(JSON.stringify({ first: rows[0], second: rows[1], tenth: rows[9] }));
  const [first, tenth] = [rows[0]!, rows[9]!];
  expect(tenth['listeners']).toBe(first['listeners']);
  // How many plies the list holds differs a little from match to match.
  expect(tenth['nodes']).toBeLessThan(first['nodes']! * 1.05);
  expect(tenth['heap_kib']).toBeLessThan(first['heap_kib']! * 1.25);
  expect(tenth['wasm_kib']).toBeLessThan(first['wasm_kib']! + 512);
});

test('the first visit is small, and words come before the program', async ({ page, relay }) => {
  const bodies: Promise<[string, number, number]>[] = [];
  page.on('response', (response) => {
    bodies.push(
      response.body().then((body) => {
        const packed = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
        return [new URL(response.url()).pathname, body.length, Math.min(packed.length, body.length)];
      }),
    );
  });
  const anna = new Player('Anna', page, relay);
  await anna.openTable();
  const files = new Map((await Promise.all(bodies)).map(([path, raw, packed]) => [path, { raw, packed }]));
  const total = [...files.values()].reduce((sum, file) => sum + file.packed, 0);
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0);
  console.log(JSON.stringify({ files: Object.fromEntries(files), total_kib: tenth(total / 1_024), first_contentful_paint_ms: tenth(paint) }));
  expect(total).toBeLessThanOrEqual(350 * 1_024);
});
