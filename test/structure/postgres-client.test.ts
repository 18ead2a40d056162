/** Tests that only the schema migration imports the package `pg`. All other code uses the package `postgres`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packageDirectory } from '../../src/config/process/data-dir.js';

/** Matches every way to import the package `pg` or its types. */
const namesPg = /\b(?:from|import|require)\s*\(?\s*['"`](?:@types\/)?pg(?:\/[^'"`]*)?['"`]/;

t.test('only the schema migration imports pg', async (t) => {
  const checkout = packageDirectory();
  const files = ['src', 'bench', 'test', 'native'].flatMap((folder) =>
    readdirSync(join(checkout, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.[cm]?[jt]s$/.test(file))
      .map((file) => join(folder, file)),
  );
  t.ok(files.length > 1000, `${files.length} files`);
  t.same(
    files.filter((file) => namesPg.test(readFileSync(join(checkout, file), 'utf8'))),
    [join('src', 'store', 'schema', 'migrate.ts')],
  );
});

t.test('finds every way to import a package', async (t) => {
  const name = 'pg';
  for (const text of [
    `import x from '${name}'`,
    `import type { Client } from "${name}"`,
    `import '${name}'`,
    `await import('${name}' as string)`,
    `require('${name}/lib/client.js')`,
    `let x: import('${name}').Client`,
    `export * from '${name}'`,
  ])
    t.match(text, namesPg);
  t.notMatch(`import x from '${name}-boss'`, namesPg);
});
