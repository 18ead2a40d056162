/** Tests that src/client/description.ts, which is generated, describes the declared routes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packageDirectory } from '../../src/config/process/data-dir.js';
import { clientDescription } from '../support/texts/client-description.js';

t.test('src/client/description.ts matches the declared routes', async (t) => {
  const stored = readFileSync(join(packageDirectory(), 'src', 'client', 'description.ts'), 'utf8');
  t.ok(
    stored === (await clientDescription()),
    'regenerate with: node dist/test/support/texts/client-description.js > src/client/description.ts',
  );
});
