/** Runs the processes of `cochlea up`. Tests a deletion of an account while its user streams, and a sign-out everywhere. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { withDatabase } from '../../../src/app/database/operator-database.js';
import { loadSettings } from '../../../src/config/load-settings.js';
import { signOutEverywhere } from '../../../src/store/accounts/grants.js';
import { ownedTables } from '../../../src/store/schema/owned-tables.js';
import { ownerOf, retainedKey } from '../../../src/stt/storage/file-format.js';
import { encodeSpillEntry } from '../../../src/wire/spill/spill.js';
import { prepareDatabase } from '../../support/database/prepared-database.js';
import { startService } from '../../support/service.js';
import { until } from '../../support/until.js';

/** Writes files that an engine can leave: an untranscribed utterance of each user, and an entry that the database refused. */
const leaveOnDisk = async (dataDir: string, uids: readonly string[]): Promise<void> => {
  const [audio, rejected] = [join(dataDir, 'audio'), join(dataDir, 'spill', 'rejected')];
  for (const folder of [audio, rejected]) await mkdir(folder, { recursive: true });
  const utterance = { id: 1, stream: 's1', pcm: new Int16Array(16), start: 0, end: 1, language: 'en' };
  for (const [index, uid] of uids.entries()) {
    const key = retainedKey({ ...utterance, user: uid }, new Date(), index);
    for (const ending of ['wav', 'json']) await writeFile(join(audio, `${key}.${ending}`), 'x');
    const conversation = {
      id: `00000000-0000-4000-8000-00000000000${index}`,
      uid,
      source: 'phone',
      deviceId: null,
      clientPlatform: null,
      language: 'en',
      timeout: 120,
      usesCustomStt: false,
      createdAt: Date.now(),
    };
    await writeFile(
      join(rejected, `00000000000000${index}-0${index}-23514.entry`),
      encodeSpillEntry({ kind: 'begin', conversation }),
    );
  }
};

t.test('an account is deleted while its user streams', { timeout: 180_000 }, async (t) => {
  // Checks run once per hour. So only immediate notices to engines close streams within this test.
  const service = await startService(
    t,
    { ACCOUNT_CHECK_INTERVAL: '3600000', COCHLEA_STT: 'discard' },
    async (dataDir) => {
      await prepareDatabase(dataDir);
      await leaveOnDisk(dataDir, ['ann', 'bob']);
    },
  );
  const settings = loadSettings({ COCHLEA_DATA_DIR: service.dataDir }).values;
  const [ann, bob] = [await service.user('ann'), await service.user('bob')];
  const audio = join(service.dataDir, 'audio');
  const rejected = join(service.dataDir, 'spill', 'rejected');
  const left = async () => ({
    audio: (await readdir(audio)).map((name) => name.split('_')[1]),
    rejected: (await readdir(rejected)).length,
  });

  const wearable = await service.wearable(ann);
  await wearable.waitFor((event) => event.status === 'ready', 60_000);
  const other = await service.wearable(bob);

  const asked = await fetch(`${service.base}/v1/users/deletion`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ confirm: 'delete my account' }),
  });
  t.equal(asked.status, 200);
  t.match(
    await wearable.closed,
    { code: 4004, reason: 'account or token revoked' },
    'its stream is closed at once',
  );
  const again = await service.wearable(ann);
  t.match(await again.closed, { code: 4004 }, 'a new one, too');
  await until(async () => {
    const { audio: owners, rejected: entries } = await left();
    return owners.every((owner) => owner !== ownerOf(ann.uid)) && entries === 1;
  }, 'nothing of the user is on the disk');
  t.same(
    await left(),
    { audio: [ownerOf(bob.uid), ownerOf(bob.uid)], rejected: 1 },
    'what others have stays',
  );

  await withDatabase(settings, async (sql) => {
    await until(
      async () =>
        (
          await sql`
          select 1 from account_deletions d join account_deletion_places p on p.confirmed >= d.number where finished_at is not null`
        ).length > 0,
      'it is finished, and the engine has confirmed it',
    );
    for (const { name, condition } of await ownedTables(sql)) {
      const rows = await sql.unsafe(`select 1 from "${name}" as t where ${condition}`, [ann.uid]);
      t.equal(rows.length, 0, name);
    }
    t.notOk(other.isClosed, 'the stream of another user is open');
    await until(
      () =>
        Date.now() / 1000 >
        Number(JSON.parse(Buffer.from(bob.token.split('.')[1]!, 'base64url').toString()).iat) + 1,
      'the next second',
    );
    await signOutEverywhere(sql, bob.uid, []);
    t.match(await other.closed, { code: 4004 }, 'until that user signs out everywhere');
    t.match(await (await service.wearable(bob)).closed, { code: 4004 }, 'whose token opens nothing any more');
  });

  await t.rejects(service.cochlea('users', 'delete', bob.uid), /permanently deletes/);
  t.match(
    await service.cochlea('users', 'delete', bob.uid, '--yes', '--json'),
    '{"uid":"bob","deleted":true}',
  );
  await until(async () => (await left()).audio.length === 0, 'the engine is told of it, too');
  await t.rejects(service.cochlea('users', 'create', '--uid', bob.uid), /was deleted/);
  await t.rejects(service.cochlea('users', 'delete', 'unknown', '--yes'), /There is no user unknown/);
});
