/** Tests which files are synced and when, observed between the code and the system calls. */
import fs, { readdirSync, readFileSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { readEngineId } from '../../src/app/services/engine-id.js';
import { makeDurableFolder, writeDurableFile } from '../../src/journal/durable-files.js';
import { Spill } from '../../src/journal/spill.js';
import { SpillFolders } from '../../src/journal/spill-folders.js';

/** Records synced folders until the test ends. */
const watchSyncs = (t: Test): string[] => {
  const { openSync, fsyncSync } = fs;
  const paths = new Map<number, string>();
  const synced: string[] = [];
  fs.openSync = (path, ...rest) => {
    const descriptor = openSync(path, ...rest);
    paths.set(descriptor, String(path));
    return descriptor;
  };
  fs.fsyncSync = (descriptor) => {
    fsyncSync(descriptor);
    synced.push(paths.get(descriptor) ?? 'unknown');
  };
  syncBuiltinESMExports();
  t.teardown(() => {
    Object.assign(fs, { openSync, fsyncSync });
    syncBuiltinESMExports();
  });
  return synced;
};

t.test('syncs a new folder into every new parent, and nothing else', (t) => {
  const root = t.testdir();
  const synced = watchSyncs(t);
  makeDurableFolder(join(root, 'a', 'b', 'c'), 0o700);
  t.strictSame(synced, [join(root, 'a', 'b'), join(root, 'a'), root]);
  makeDurableFolder(join(root, 'a', 'b', 'c'), 0o700);
  t.equal(synced.length, 3, 'one that exists costs nothing');
  t.end();
});

t.test('a spill with its first entry survives a power failure', async (t) => {
  const root = t.testdir();
  const synced = watchSyncs(t);
  const folders = new SpillFolders(join(root, 'spill'), 'engine', 0);
  const path = folders.create();
  const spill = new Spill(path, 1_000_000);
  t.match(synced, [root, path, join(root, 'spill')], 'the spills, the files of this one, its own name');
  await spill.close(true);
});

t.test('writes a file completely, synced and with its name', async (t) => {
  const root = t.testdir();
  const synced = watchSyncs(t);
  await writeDurableFile(join(root, 'file'), 'content');
  t.strictSame(synced, [root]);
  t.equal(readFileSync(join(root, 'file'), 'utf8'), 'content');
  t.equal(statSync(join(root, 'file')).mode & 0o777, 0o600);
  t.strictSame(readdirSync(root), ['file'], 'nothing beside it');
  const id = await readEngineId(join(root, 'data'));
  t.equal(await readEngineId(join(root, 'data')), id);
  t.ok(synced.includes(join(root, 'data')), 'an engine comes back under the name its spills carry');
});
