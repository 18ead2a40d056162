/**
 * Tests that docs/modules/closing.md lists the steps in which the product closes, as its generator would write them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { closingPage } from '../../src/app/process/closing-page.js';
import { closingProcesses, closingSteps, engineParts } from '../../src/app/process/closing-steps.js';
import { packageDirectory } from '../../src/config/process/data-dir.js';

t.test('docs/modules/closing.md matches the code', async (t) => {
  const page = readFileSync(join(packageDirectory(), 'docs', 'modules', 'closing.md'), 'utf8');
  t.equal(
    page,
    closingPage(),
    'regenerate with: node dist/src/app/process/closing-page.js > docs/modules/closing.md',
  );
});

t.test('rows follow the order in which the parts close', async (t) => {
  const inRows = closingSteps.map(({ process, part }) => (process === 'engine' ? part : process));
  const once = inRows.filter((name, index) => name !== inRows[index - 1]);
  t.same(once, [...engineParts, ...closingProcesses.slice(1)], 'the rows of a part are together');
  t.equal(closingProcesses[0], 'engine');
});
