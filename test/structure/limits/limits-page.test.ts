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
  t.equal(page, await limitsPage(), 'regenerate with: node dist/src/config/limits-page.js > docs/limits.md');
});

t.test('docs/limits.md names the file that declares each setting and each fixed limit', async (t) => {
  const page = await limitsPage();
  const files = [...page.matchAll(/^(?:### `)?(src\/config\/(settings|limits)\/[\w-]+\.ts)`?$/gm)];
  const sources = new Map(
    files.map(([, file]) => [file!, readFileSync(join(packageDirectory(), file!), 'utf8')]),
  );
  t.ok(sources.size > 20, `${sources.size} files`);
  const sections = page.split(/^(?=## |### |src\/config\/)/m);
  const fileOf = (pattern: RegExp): string[] =>
    sections.filter((text) => pattern.test(text)).map((text) => /src\/config\/\S+?\.ts/.exec(text)![0]);
  for (const { env } of Object.values(settings)) {
    const [file, ...others] = fileOf(new RegExp(`^  (?:.* )?${env}(?: |$)`, 'm'));
    t.same(others, [], `${env} has one file`);
    t.ok(file !== undefined && sources.get(file)?.includes(`'${env}'`), `${env}: ${file}`);
  }
  for (const [env] of configured) {
    const [file, ...others] = fileOf(new RegExp(`^\\| \`${env}\` `, 'm'));
    t.same(others, [], `${env} is in one table`);
    t.ok(sources.get(file!)?.includes(`'${env}'`), `${env}: ${file}`);
  }
  for (const [name] of fixed) {
    const [file, ...others] = fileOf(new RegExp(`^\\| \`${name}\` `, 'm'));
    t.same(others, [], `${name} has one file`);
    t.match(sources.get(file!), new RegExp(`^  ${name}: `, 'm'), `${name}: ${file}`);
  }
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
