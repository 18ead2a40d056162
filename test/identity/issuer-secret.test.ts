/** If the file of the secret belongs to a different user, the error names the owner and a remedy. */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { issuerSecret } from '../../src/identity/issuer-secret.js';
import { openFolder } from '../support/folder.js';

const module = new URL('../../src/identity/issuer-secret.js', import.meta.url).href;
const other = 65_534;
const skip = process.getuid?.() === 0 ? false : 'only root can give a file to another user';

t.test(
  'reports a secret that belongs to root and that the user cannot read, with a remedy',
  { skip },
  async (t) => {
    const folder = openFolder(t);
    const path = join(folder, 'issuer-secret');
    writeFileSync(path, `${'s'.repeat(40)}\n`, { mode: 0o600 });
    chmodSync(folder, 0o755);
    t.equal(await issuerSecret({ issuerSecret: '', dataDir: folder }), 's'.repeat(40), 'root can read it');
    const script = `const { issuerSecret } = await import(${JSON.stringify(module)});
    process.seteuid(${other});
    const error = await issuerSecret({ issuerSecret: '', dataDir: ${JSON.stringify(folder)} }).catch((thrown) => thrown);
    process.stdout.write(JSON.stringify([error.code, error.line]));`;
    const read = (): unknown => {
      const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
        encoding: 'utf8',
      });
      t.equal(stderr, '');
      return JSON.parse(stdout);
    };
    t.same(read(), [
      'issuer_secret_unreadable',
      `User ${other} cannot read ${path}, which belongs to user root. As root, run "chown ${other} ${path}", or run this program as user root.`,
    ]);
    chownSync(path, other, other);
    t.same(read(), [null, null], 'the remedy works');
  },
);
