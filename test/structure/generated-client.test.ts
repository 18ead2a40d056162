/** src/client/description.ts matches the declared routes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packageDirectory } from '../../src/config/process/data-dir.js';
import { clientDescription } from '../support/texts/client-description.js';

t.test("the client's types are made from the declared routes", async (t) => {
  const stored = readFileSync(join(packageDirectory(), 'src', 'client', 'description.ts'), 'utf8');
  t.ok(
    stored === (await clientDescription()),
    'equal; else: node dist/test/support/texts/client-description.js > src/client/description.ts',
  );
});
