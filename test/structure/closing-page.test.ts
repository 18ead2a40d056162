/** docs/modules/closing.md matches the product's closing order. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { closingPage } from '../../src/app/process/closing-page.js';
import { closingProcesses, closingSteps, engineParts } from '../../src/app/process/closing-steps.js';
import { packageDirectory } from '../../src/config/process/data-dir.js';

t.test('the page is the one the code makes', async (t) => {
  const page = readFileSync(join(packageDirectory(), 'docs', 'modules', 'closing.md'), 'utf8');
  t.equal(
    page,
    closingPage(),
    'regenerate with: node dist/src/app/process/closing-page.js > docs/modules/closing.md',
  );
});

t.test('rows stand in the order in which their parts are closed', async (t) => {
  const inRows = closingSteps.map(({ process, part }) => (process === 'engine' ? part : process));
  const once = inRows.filter((name, index) => name !== inRows[index - 1]);
  t.same(once, [...engineParts, ...closingProcesses.slice(1)], 'no part is interrupted by another');
  t.equal(closingProcesses[0], 'engine');
});
