// Measurements, apart from the tests: they take minutes, and their figures want a quiet machine.
// `cargo xtask build`, then in e2e `npx playwright test --config measure`.

import { defineConfig } from '@playwright/test';
import tests from '../playwright.config';

export default defineConfig({
  ...tests,
  testDir: '.',
  testMatch: '*.measure.ts',
  globalSetup: '../relay.ts',
  outputDir: '../test-results',
  workers: 1,
  timeout: 600_000,
  projects: (tests.projects ?? []).filter((project) => project.name === 'desktop'),
});
