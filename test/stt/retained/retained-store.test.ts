/**
 * Tests the store of audio that could not be transcribed: file modes, limits, counters, and that audio is only deleted with its account.
 */
import { hash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { createLogger } from '../../../src/log/logger.js';
import { MetricsTable } from '../../../src/metrics/metrics.js';
import { ownersOf, removeRetained } from '../../../src/stt/retained/removal.js';
import { RetainedStore } from '../../../src/stt/retained/store.js';
import type { UtteranceRequest } from '../../../src/stt/shared/provider.js';
import {
  ownerOf,
  parseRetainedKey,
  retainedBytes,
  retainedKey,
} from '../../../src/stt/storage/file-format.js';
import { retainedFolder } from '../../../src/stt/storage/storage.js';

const request = (user: string, samples = 1600, stream = user): UtteranceRequest => ({
  id: 1,
  user,
  stream,
  pcm: new Int16Array(samples).fill(7),
  start: 0,
  end: samples / 16_000,
  language: 'en',
});

const one = retainedBytes(1600);

const open = async (
  t: Test,
  changes: {
    directory?: string;
    size?: number;
    userSize?: number;
    waiting?: number;
    age?: number;
    diskCounts?: boolean;
  } = {},
) => {
  const {
    directory = join(t.testdir(), 'audio'),
    size = 1e9,
    userSize = 1e9,
    waiting = 1e9,
    age = 1e9,
    diskCounts = true,
  } = changes;
  const metrics = new MetricsTable(1).row(0);
  const store = await RetainedStore.open({
    directory,
    diskCounts,
    size,
    userSize,
    age,
    waiting: { total: waiting, user: waiting, stream: waiting },
    log: createLogger('test', 'silent'),
    metrics,
  });
  t.teardown(() => store.close());
  return { store, metrics, directory };
};
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

t.test('a fleet without a bucket retains only audio that its device cannot send again', async (t) => {
  const { store, metrics, directory } = await open(t, { diskCounts: false });
  t.equal(await store.keep({ ...request('a'), resends: true }, 'queue_full'), undefined);
  t.strictSame(readdirSync(directory), []);
  t.equal(metrics.get('utterances_lost_total'), 0);
  const key = await store.keep(request('a'), 'queue_full');
  t.strictSame(readdirSync(directory), [`${key}.opus`]);
});

t.test('only the process owner can read the folder, even if it existed before', async (t) => {
  const before = process.umask(0);
  t.teardown(() => process.umask(before));
  const directory = join(t.testdir(), 'audio');
  for (const existing of [false, true]) {
    if (existing) chmodSync(directory, 0o777);
    const { store } = await open(t, { directory });
    t.equal(modeOf(directory), '700', existing ? 'existing' : 'new');
    const key = await store.keep(request('a'), 'queue_full');
    t.equal(modeOf(join(directory, `${key}.opus`)), '600');
  }
});

t.test("a key contains owner, length and time, but not the user's name", async (t) => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.nat({ max: 464_000 }),
      fc.nat(),
      (user, stream, samples, number) => {
        const key = retainedKey(
          { ...request(user, 0, stream), pcm: { length: samples } as Int16Array },
          new Date(0),
          number,
        );
        const parsed = parseRetainedKey(key);
        return (
          /^[\w-]{1,180}$/.test(key) &&
          parsed?.samples === samples &&
          parsed.owner === ownerOf(user) &&
          parsed.at === 0
        );
      },
    ),
  );
  fc.assert(fc.property(fc.string(), (name) => parseRetainedKey(name) === undefined));
  t.notMatch(retainedKey(request('ada@example.org', 1, 'stream'), new Date(0), 1), /ada/);
});

t.test('removes unfinished files of a killed process once they are old', async (t) => {
  const directory = t.testdir();
  const named = (number: number, ending: string): string =>
    `${retainedKey(request('a'), new Date(0), number)}.${ending}`;
  const files = {
    left: named(1, 'opus.part'),
    sealed: named(2, 'pcm.aes.part'),
    written: named(3, 'opus.part'),
    complete: named(4, 'opus'),
    failed: named(5, 'opus.failed'),
    other: 'other.part',
  };
  for (const name of Object.values(files)) writeFileSync(join(directory, name), '');
  const twoHoursAgo = Date.now() / 1000 - 7200;
  for (const name of Object.values(files)) {
    if (name !== files.written) utimesSync(join(directory, name), twoHoursAgo, twoHoursAgo);
  }
  mkdirSync(join(directory, named(6, 'opus.part')));
  utimesSync(join(directory, named(6, 'opus.part')), twoHoursAgo, twoHoursAgo);
  const { metrics } = await open(t, { directory });
  const { written, complete, failed, other } = files;
  t.strictSame(
    readdirSync(directory).sort(),
    [written, complete, failed, other, named(6, 'opus.part')].sort(),
  );
  t.equal(metrics.get('retained_audio_bytes'), 4 * one, 'they take no space any more');
});

t.test("limits each user's share, and deletes nothing when it is full", async (t) => {
  const { store, metrics, directory } = await open(t, { size: one * 20, userSize: one * 12 });
  const first = await Promise.all(
    Array.from({ length: 13 }, () => store.keep(request('flood'), 'queue_full')),
  );
  t.equal(first.filter((key) => key !== undefined).length, 12, 'the share of a user');
  t.notOk(store.full);
  t.type(await store.keep(request('other'), 'queue_full'), 'string');
  for (let n = 0; n < 7; n++) await store.keep(request(`user-${n}`), 'queue_full');
  t.ok(store.full);
  t.equal(await store.keep(request('late'), 'queue_full'), undefined);
  t.equal(metrics.get('retained_audio_full'), 1);
  t.equal(metrics.get('retained_audio_bytes'), one * 20);
  t.equal(metrics.get('utterances_retained_total'), 20);
  t.equal(metrics.get('utterances_lost_total'), 2);
  t.equal(metrics.get('retained_audio_seconds'), 2);
  t.equal(readdirSync(directory).length, 20);
});

t.test('counts existing files at the start, per user and in total', async (t) => {
  const { directory, store: earlier } = await open(t);
  for (const user of ['a', 'a', 'b']) await earlier.keep(request(user), 'stopped');
  writeFileSync(join(directory, 'of-an-older-version.wav'), Buffer.alloc(5000));
  writeFileSync(join(directory, `${retainedKey(request('c'), new Date(), 1)}.opus.part`), '');
  const { store, metrics } = await open(t, { directory, size: one * 20, userSize: one * 2 });
  t.equal(metrics.get('retained_audio_bytes'), one * 4 + 5000);
  t.equal(await store.keep(request('a'), 'stopped'), undefined);
  t.type(await store.keep(request('b'), 'stopped'), 'string');
});

t.test('limits the audio that waits for the disk', async (t) => {
  const { store, metrics, directory } = await open(t, { waiting: 3200 * 5 });
  const kept = await Promise.all(
    Array.from({ length: 20 }, (_, n) => store.keep(request(`user-${n}`), 'stopped')),
  );
  t.equal(kept.filter((key) => key !== undefined).length, 7, 'two are being written, five wait');
  t.equal(metrics.get('utterances_lost_total'), 13);
  t.equal(metrics.get('retained_audio_bytes'), 7 * one, 'what was not written takes no space');
  t.equal(readdirSync(directory).length, 7);
  t.ok(fixedLimits.retainedWaitingUser.value < fixedLimits.retainedWaiting.value);
});

t.test('deletes all audio of deleted accounts, including waiting and unfinished files', async (t) => {
  const { directory, store: earlier } = await open(t);
  for (const user of ['a', 'a', 'b']) await earlier.keep(request(user), 'stopped');
  for (const ending of ['opus.part', 'wav', 'json'])
    writeFileSync(join(directory, `${retainedKey(request('a'), new Date(), 9)}.${ending}`), 'unfinished');
  writeFileSync(join(directory, 'of-an-older-version.wav'), Buffer.alloc(5000));
  const { store, metrics } = await open(t, { directory });
  const kept = ['a', 'a', 'a', 'b', 'a'].map((user) => store.keep(request(user), 'stopped'));
  await store.erase(ownersOf([hash('sha256', 'a', 'hex')]));
  await Promise.all(kept);
  t.same(await Promise.all([store.keep(request('a'), 'stopped'), kept.at(-1)]), [undefined, undefined]);
  const owners = readdirSync(directory).map((name) => parseRetainedKey(name.replace(/\..*/, ''))?.owner);
  t.same([...new Set(owners)].sort(), [undefined, ownerOf('b')].sort());
  t.equal(metrics.get('utterances_lost_total'), 0, 'nothing is lost that anyone may have');
  t.equal(metrics.get('retained_audio_bytes'), 2 * one + 5000);
  await store.erase(ownersOf([hash('sha256', 'a', 'hex')]));
  t.equal(await removeRetained(retainedFolder(join(directory, 'not there')), new Set(['x'])), 0);
});

t.test('reports a failed write and leaves no file behind', async (t) => {
  const { store, metrics, directory } = await open(t);
  rmSync(directory, { recursive: true });
  writeFileSync(directory, 'no folder');
  t.equal(await store.keep(request('a'), 'stopped'), undefined);
  t.equal(metrics.get('retained_audio_bytes'), 0);
  rmSync(directory);
  const key = await store.keep(request('a'), 'stopped');
  t.ok(readFileSync(join(directory, `${key}.opus`)).length > 100);
  const taken = join(t.testdir({ audio: 'a file' }), 'audio');
  await t.rejects(open(t, { directory: taken }), { code: 'file_unreadable' });
});

t.test('refuses new streams when audio waits too long; failed files do not count', async (t) => {
  const directory = join(t.testdir(), 'audio');
  const minute = 60_000;
  for (const [name, full] of [
    ['opus', true],
    ['wav', true],
    ['opus.failed', false],
    ['json', false],
  ] as const) {
    rmSync(directory, { recursive: true, force: true });
    await open(t, { directory });
    const key = retainedKey(request('a'), new Date(Date.now() - 2 * minute), 1);
    writeFileSync(join(directory, `${key}.${name}`), '');
    t.equal((await open(t, { directory, age: 3 * minute })).store.full, false, `${name}, within the bound`);
    const { store, metrics } = await open(t, { directory, age: minute });
    t.equal(store.full, full, name);
    t.equal(metrics.get('retained_audio_full'), full ? 1 : 0);
    t.equal(metrics.get('retained_audio_oldest_seconds') >= 120, full);
    t.equal(readdirSync(directory).length, 1, 'nothing is deleted');
  }
});
