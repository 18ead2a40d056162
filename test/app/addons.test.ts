/** Loads each native addon in the Node release that runs this test, and calls one of its functions. */
import { createRequire } from 'node:module';
import { Encoder } from '@evan/opus';
import { open } from 'lmdb';
import { Tensor } from 'onnxruntime-node';
import t from 'tap';
import { loadAddon } from '../../src/audio/addon.js';
import { hashPassword, isPassword } from '../../src/issuer/passwords.js';
import { openFolder } from '../support/folder.js';

const needsCore =
  process.env.COCHLEA_CORE === 'portable' ? 'COCHLEA_CORE=portable: no native core is built' : false;

t.test('loads the native core', { skip: needsCore }, async (t) => {
  t.equal(loadAddon().addon.testBuild, undefined, 'the one of the product');
});

t.test('loads lmdb and stores an entry', async (t) => {
  const database = open<string, string>({ path: openFolder(t), compression: false });
  await database.put('key', 'value');
  t.equal(database.get('key'), 'value');
  await database.close();
});

t.test('loads onnxruntime', async (t) => {
  t.same(new Tensor('float32', [1, 2], [2]).dims, [2]);
  const { listSupportedBackends } = createRequire(import.meta.url)('onnxruntime-node') as {
    listSupportedBackends(): { name: string }[];
  };
  t.ok(listSupportedBackends().some(({ name }) => name === 'cpu'));
});

t.test('loads Opus', async (t) => {
  const packet = new Encoder({ channels: 1, sample_rate: 16_000 }).encode(Buffer.alloc(640));
  t.ok(packet.length > 0);
});

t.test('loads Argon2', async (t) => {
  const stored = await hashPassword('correct horse');
  t.equal(await isPassword('correct horse', stored), true);
  t.equal(await isPassword('wrong horse', stored), false);
  t.equal(await isPassword('correct horse', null), false, 'an account that does not exist');
});
