// Tests in a real browser against the release relay with the client inside: one that BASE_URL names,
// or one that relay.ts starts. Without `cargo xtask test`: `cargo xtask build`, then `npx playwright test`.

import { defineConfig, devices } from '@playwright/test';

// A browser that the machine has, or Playwright's own.
const chromium = process.env['TANDEM_CHROMIUM'];
const launchOptions = {
  ...(chromium ? { executablePath: chromium } : {}),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    // The browser itself is to ask nobody for anything.
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

export default defineConfig({
  testDir: '.',
  globalSetup: './relay.ts',
  // Four browsers play in each test, and a machine of CI has two cores.
  workers: 2,
  fullyParallel: true,
  // A test that fails now and then is a failing test.
  retries: 0,
  forbidOnly: Boolean(process.env['CI']),
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  outputDir: 'test-results',
  use: {
    launchOptions,
    // Traces of four browsers cost more than the tests themselves: only where somebody asks for them.
    trace: process.env['TANDEM_TRACE'] ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
  },
  // Every test runs on a desktop; those whose title says so run on a phone or a tablet as well.
  projects: [
    { name: 'desktop', use: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 800 } } },
    {
      name: 'phone',
      grep: /@phone/,
      use: {
        ...devices['Desktop Chrome'],
        viewport: { width: 390, height: 844 },
        deviceScaleFactor: 2,
        isMobile: true,
        hasTouch: true,
      },
    },
    {
      name: 'tablet',
      grep: /@tablet/,
      use: { ...devices['Desktop Chrome'], viewport: { width: 820, height: 1180 }, hasTouch: true },
    },
  ],
});
