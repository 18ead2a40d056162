/** Tests the folders of a suite run, and the removal of folders that earlier runs left behind. */
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import t from 'tap';
import { openMemoryFolder, openRunFolder } from '../run-folders.js';
import { openFolder } from '../support/folder.js';

t.test('a run creates its folder, and removes old folders of earlier runs', async (t) => {
  const parent = join(openFolder(t), 'build');
  const first = openRunFolder(parent, 'run-', 0o1777);
  t.equal(statSync(first.path).mode & 0o7777, 0o1777);
  writeFileSync(join(first.path, 'file'), '');

  const twoDaysAgo = Date.now() / 1000 - 2 * 86_400;
  for (const name of ['run-killed', 'other']) {
    mkdirSync(join(parent, name));
    writeFileSync(join(parent, name, 'file'), '');
    utimesSync(join(parent, name), twoDaysAgo, twoDaysAgo);
  }
  const second = openRunFolder(parent, 'run-', 0o755);
  t.same(
    readdirSync(parent).sort(),
    ['other', basename(first.path), basename(second.path)].sort(),
    'removes only the old folder of a run',
  );
  first.remove();
  second.remove();
  t.same(readdirSync(parent), ['other']);
});

t.test('makes a folder in memory if TMPDIR is not set, and removes it', async (t) => {
  const { TMPDIR } = process.env;
  t.teardown(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  });
  process.env.TMPDIR = '/somewhere';
  t.equal(openMemoryFolder(), undefined, 'no folder if TMPDIR is set');
  delete process.env.TMPDIR;
  const folder = openMemoryFolder();
  if (folder === undefined) return t.pass('in memory', { skip: '/dev/shm is too small or forbids programs' });
  t.match(folder.path, /^\/dev\/shm\/cochlea-run-/);
  t.same(readdirSync(folder.path), [], 'the folder is empty');
  folder.remove();
  t.throws(() => statSync(folder.path), { code: 'ENOENT' });
});
