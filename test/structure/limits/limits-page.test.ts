/** Tests that docs/limits.md matches the code, and that a test file is named for every limit. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { FixedLimit, LimitWords } from '../../../src/config/limits/fixed-limit.js';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { limitsPage } from '../../../src/config/limits-page.js';
import { packageDirectory } from '../../../src/config/process/data-dir.js';
import type { Setting } from '../../../src/config/settings/setting.js';
import { settings } from '../../../src/config/settings.js';
import { fixedLimitTests, settingTests } from './limit-tests.js';

const configured = Object.values(settings).flatMap((setting): [string, LimitWords][] => {
  const { env, protects, client } = setting as Setting;
  return protects === undefined || client === undefined ? [] : [[env, { protects, client }]];
});
const fixed = Object.entries(fixedLimits as Record<string, FixedLimit>);

t.test('docs/limits.md matches the code', async (t) => {
  const page = readFileSync(join(packageDirectory(), 'docs', 'limits.md'), 'utf8');
  t.equal(page, limitsPage(), 'regenerate with: node dist/src/config/limits-page.js > docs/limits.md');
});

t.test('every limit says what it protects and what a client sees', async (t) => {
  t.ok(configured.length > 0, 'limits are found');
  for (const [name, { protects, client }] of [...configured, ...fixed]) {
    t.ok(protects !== '' && client !== '', `${name} is explained`);
  }
});

t.test('an existing test file is named for every limit', async (t) => {
  for (const [limits, tests] of [
    [configured, settingTests],
    [fixed, fixedLimitTests],
  ] as const) {
    const names = limits.map(([name]) => name).sort();
    t.same(Object.keys(tests).sort(), names, 'the table of tests names exactly the existing limits');
    for (const [name, file] of Object.entries(tests)) {
      t.ok(existsSync(join(packageDirectory(), file)), `${name}: ${file} exists`);
    }
  }
});
