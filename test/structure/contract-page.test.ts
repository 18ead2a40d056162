/** Tests docs/evidence/contract.md: requirements are numbered without gaps, and each names existing test files. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packageDirectory } from '../../src/config/process/data-dir.js';

const page = readFileSync(join(packageDirectory(), 'docs', 'evidence', 'contract.md'), 'utf8');
const row = /^- \*\*(\d+)\.(\d+)\*\* (.+)\n {2}(.+)$/;

t.test('requirements are numbered in order, and each names existing tests', async (t) => {
  let rows = 0;
  let section = 0;
  let last = 0;
  for (const line of page.split(/\n(?! {2})/)) {
    const heading = /^## (\d+)\. /.exec(line);
    if (heading) {
      t.equal(Number(heading[1]), ++section, line);
      last = 0;
    }
    if (!line.startsWith('- **')) continue;
    rows++;
    const found = row.exec(line);
    if (!found) {
      t.fail(`not a row of number, requirement and tests: ${line}`);
      continue;
    }
    const [, chapter, number, , tests] = found;
    t.equal(`${chapter}.${number}`, `${section}.${++last}`, `${chapter}.${number} is the next number`);
    const files = [...tests!.matchAll(/`([^`]+)`/g)].map(([, file]) => file!);
    t.ok(files.length > 0, `${chapter}.${number} names a test`);
    for (const file of files) {
      t.match(file, /^test\/.+\.test\.ts$/, `${chapter}.${number}: ${file} is a test file`);
      t.ok(existsSync(join(packageDirectory(), file)), `${chapter}.${number}: ${file} exists`);
    }
  }
  t.ok(rows > 60, `${rows} requirements`);
});
