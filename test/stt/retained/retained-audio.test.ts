/**
 * Tests the storage of retained audio: as Ogg Opus that other programs can play, encrypted, and in a bucket. Also tests files of the
 * first release.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { loadSettings } from '../../../src/config/load-settings.js';
import { createLogger } from '../../../src/log/logger.js';
import { MetricsTable } from '../../../src/metrics/metrics.js';
import { openArchive } from '../../../src/stt/retained/archive.js';
import { decodeRetained, encodeRetained } from '../../../src/stt/retained/codec.js';
import { openRetainedStore } from '../../../src/stt/retained/open-store.js';
import { recordOf } from '../../../src/stt/retained/record.js';
import type { UtteranceRequest } from '../../../src/stt/shared/provider.js';
import { bucketFiles } from '../../../src/stt/storage/bucket.js';
import { createRetainedCipher } from '../../../src/stt/storage/cipher.js';
import { ownerOf, retainedBytes } from '../../../src/stt/storage/file-format.js';
import { longestStored } from '../../../src/stt/storage/storage.js';
import { startMoto, withoutMoto } from '../../support/moto.js';
import { until } from '../../support/until.js';

/** Returns a tone that rises, so that a shift in time is detectable. */
const sweep = (samples: number): Int16Array =>
  Int16Array.from({ length: samples }, (_, n) => 8000 * Math.sin(n * (0.2 + n / 2e6)));

const request = (user = 'ada', pcm = sweep(16_000)): UtteranceRequest => ({
  id: 1,
  user,
  stream: 's1',
  pcm,
  start: 12.5,
  end: 13.5,
  language: 'en',
  origin: {
    conversation: '019aa0a0-0000-7000-8000-000000000000',
    source: 'phone',
    device: null,
    platform: 'ios',
    speaker: 'SPEAKER_00',
    speakerId: 0,
    isUser: false,
    personId: null,
    from: 1_700_000_000_000,
    to: 1_700_000_001_000,
  },
});

/** Compares two recordings sample by sample. @returns the similarity: 1 means equal. */
const likeness = (one: Int16Array, other: Int16Array): number => {
  let [product, first, second] = [0, 0, 0];
  for (const [n, sample] of one.entries()) {
    product += sample * other[n]!;
    first += sample * sample;
    second += other[n]! * other[n]!;
  }
  return product / Math.sqrt(first * second);
};

t.test('encodes and decodes any length with its record, within the charged space', async (t) => {
  for (const samples of [1, 319, 320, 1600, 16_000, 240_000]) {
    const pcm = sweep(samples);
    const record = recordOf(request('ada', pcm), 'queue_full', new Date(0));
    const file = encodeRetained(pcm, record);
    const decoded = decodeRetained(file, 'file');
    t.strictSame(decoded.record, record);
    t.equal(decoded.pcm.length, samples);
    if (samples > 1000) t.ok(likeness(pcm, decoded.pcm) > 0.95, `${samples}: ${likeness(pcm, decoded.pcm)}`);
    t.ok(file.length + 64 <= retainedBytes(samples), `${file.length} of ${retainedBytes(samples)}`);
  }
  t.throws(() => decodeRetained(Buffer.from('OggS nonsense'), 'file'), { code: 'retained_audio_unreadable' });
  const whole = encodeRetained(sweep(16_000), recordOf(request(), 'queue_full', new Date(0)));
  t.throws(() => decodeRetained(whole.subarray(0, 2000), 'file'), { code: 'retained_audio_unreadable' });
});

const withoutFfmpeg =
  spawnSync('ffmpeg', ['-version']).error === undefined ? false : 'ffmpeg is not installed';

t.test('ffmpeg plays an encoded file', { skip: withoutFfmpeg }, async (t) => {
  const pcm = sweep(40_000);
  const path = join(t.testdir(), 'kept.opus');
  writeFileSync(path, encodeRetained(pcm, recordOf(request('ada', pcm), 'queue_full', new Date(0))));
  const { stdout, stderr } = spawnSync(
    'ffmpeg',
    ['-v', 'warning', '-i', path, '-f', 's16le', '-ar', '16000', '-'],
    { maxBuffer: 1e7 },
  );
  t.equal(stderr.toString(), '', 'without a warning');
  const played = new Int16Array(Uint8Array.from(stdout).buffer);
  t.equal(played.length, pcm.length);
  t.ok(likeness(pcm, played) > 0.95, String(likeness(pcm, played)));
});

t.test('opens an encrypted file only with its key and its name', async (t) => {
  const key = randomBytes(32);
  const bytes = Buffer.from('speech');
  const sealed = createRetainedCipher(key).seal(bytes, 'name');
  t.notOk(sealed.includes(bytes));
  t.ok(createRetainedCipher(key).open(sealed, 'name').equals(bytes));
  const damaged = Buffer.from(sealed);
  damaged[20]! ^= 1;
  const cases: [Buffer, Buffer, string][] = [
    [randomBytes(32), sealed, 'name'],
    [key, sealed, 'other'],
    [key, damaged, 'name'],
    [key, bytes, 'name'],
  ];
  for (const [opening, file, name] of cases) {
    t.throws(() => createRetainedCipher(opening).open(file, name), { code: 'retained_audio_unreadable' });
  }
});

const settingsWith = (changes: Record<string, string>) => loadSettings(changes).values;

const keepOne = async (t: Test, directory: string, changes: Record<string, string> = {}) => {
  const metrics = new MetricsTable(1).row(0);
  const log = createLogger('test', 'silent');
  const store = await openRetainedStore({ settings: settingsWith(changes), directory, log, metrics });
  t.teardown(() => store.close());
  const key = await store.keep(request(), 'queue_full');
  return { key: key!, store, metrics };
};

t.test('an archive reads the files of a folder, including files of the first release', async (t) => {
  const directory = join(t.testdir(), 'audio');
  const secret = randomBytes(32);
  const sealed = { RETAINED_AUDIO_KEY: secret.toString('hex') };
  const { key } = await keepOne(t, directory);
  const { key: encrypted } = await keepOne(t, directory, sealed);
  const old = `2026-11-20T10-00-00-000Z_${ownerOf('bob')}_320_s1_7-1`;
  const wav = Buffer.alloc(44 + 640, 1);
  wav.write('RIFF', 0, 'latin1');
  writeFileSync(join(directory, `${old}.wav`), wav);
  const description = { user: 'bob', stream: 's', start: 0, end: 0.02, language: 'en', reason: 'stopped' };
  const stamped = {
    ...description,
    sample_rate: 16_000,
    samples: 320,
    retained_at: '2026-11-20T10:00:00.000Z',
  };
  writeFileSync(join(directory, `${old}.json`), JSON.stringify(stamped));
  writeFileSync(join(directory, `${old.replace('7-1', '7-2')}.wav`), 'its description is not there yet');

  const archive = await openArchive(settingsWith(sealed), directory);
  const listed = await archive.list();
  t.strictSame(listed.map((entry) => entry.key).sort(), [old, key, encrypted].sort());
  t.match((await archive.read(key))?.record, { user: 'ada', origin: { platform: 'ios' } });
  t.equal((await archive.read(encrypted))?.pcm.length, 16_000);
  t.match(await archive.read(old), { record: { user: 'bob' }, pcm: { length: 320 } });
  t.equal(await archive.read('unknown'), undefined);

  for (const [reason, changes] of [
    ['another key', { RETAINED_AUDIO_KEY: randomBytes(32).toString('base64') }],
    ['no key', {}],
  ] as const) {
    const other = await openArchive(settingsWith(changes), directory);
    await t.rejects(other.read(encrypted), { code: 'retained_audio_unreadable' }, reason);
    t.ok(await other.read(key), 'what is not encrypted can still be read');
  }
  await t.rejects(openArchive(settingsWith({ RETAINED_AUDIO_KEY: 'short' }), directory), {
    code: 'setting_invalid',
  });

  await archive.giveUp(key);
  await archive.giveUp(old);
  t.strictSame(
    (await archive.list())
      .filter(({ failed }) => failed)
      .map((entry) => entry.key)
      .sort(),
    [old, key].sort(),
  );
  t.ok(await archive.read(key), 'it can still be read');
  await archive.putBack(key);
  t.notOk((await archive.list()).find((entry) => entry.key === key)?.failed);
  for (const gone of [key, encrypted, old]) await archive.remove(gone);
  t.strictSame(await archive.list(), []);
  t.equal(readdirSync(directory).length, 1);
});

t.test('refuses a foreign file in the folder without reading it', async (t) => {
  const directory = join(t.testdir(), 'audio');
  const { key } = await keepOne(t, directory);
  const archive = await openArchive(settingsWith({}), directory);
  const name = (number: number, user = 'ada'): string =>
    key.replace(ownerOf('ada'), ownerOf(user)).replace(/\d+-\d+$/, `1-${number}`);
  copyFileSync(join(directory, `${key}.opus`), join(directory, `${name(2, 'eve')}.opus`));
  writeFileSync(join(directory, `${name(3)}.opus`), '');
  truncateSync(join(directory, `${name(3)}.opus`), 40_000_000_000);
  mkdirSync(join(directory, `${name(4)}.opus`));
  t.equal(spawnSync('mkfifo', [join(directory, `${name(5)}.opus`)]).status, 0);
  for (const [key, why] of [
    [name(2, 'eve'), /its name belongs to another user/],
    [name(3), /more than 33554432 bytes/],
    [name(4), /not a regular file/],
    [name(5), /not a regular file/],
  ] as const) {
    await t.rejects(archive.read(key), { code: 'retained_audio_unreadable', message: why });
  }
});

t.test('writes audio unencoded when there is no time to encode it, and reads it back', async (t) => {
  const encrypted = { RETAINED_AUDIO_KEY: randomBytes(32).toString('hex') };
  for (const sealed of [{}, encrypted] as Record<string, string>[]) {
    const directory = join(t.testdir(), 'audio');
    const metrics = new MetricsTable(1).row(0);
    const log = createLogger('test', 'silent');
    const store = await openRetainedStore({ settings: settingsWith(sealed), directory, log, metrics });
    store.hurry(1);
    const longest = 240_000;
    const tone = sweep(longest);
    const given = Array.from({ length: 20 }, (_, user) => request(`user-${user}`, sweep(longest - user)));
    const keys = Promise.all(given.map((one) => store.keep(one, 'stopped')));
    await store.close();
    t.equal(metrics.get('utterances_lost_total'), 0);
    const unencoded = readdirSync(directory).filter((name) => /\.pcm(?:\.aes)?$/.test(name));
    t.ok(unencoded.length > 0);
    if (sealed === encrypted) {
      t.ok(unencoded.every((name) => !readFileSync(join(directory, name)).includes('user-')));
    }
    const archive = await openArchive(settingsWith(sealed), directory);
    t.equal((await archive.list()).length, given.length);
    for (const [index, key] of (await keys).entries()) {
      const speech = await archive.read(key!);
      t.equal(speech?.record.user, given[index]!.user);
      t.match(speech?.record, { origin: { platform: 'ios' }, reason: 'stopped' });
      t.equal(speech?.pcm.length, longest - index);
      const isUnencoded = unencoded.some((name) => name.startsWith(key!));
      if (isUnencoded) t.ok(speech!.pcm.every((sample, n) => sample === tone[n]));
    }
    const [name] = unencoded;
    const path = join(directory, name!);
    writeFileSync(path, readFileSync(path).subarray(0, -1));
    await t.rejects(archive.read(name!.split('.')[0]!), { code: 'retained_audio_unreadable' });
    await archive.remove(name!.split('.')[0]!);
    t.equal((await archive.list()).length, given.length - 1);
  }
});

t.test('retained audio in a bucket', { skip: withoutMoto, timeout: 120_000 }, async (t) => {
  const { bucket, accessKey, secretKey } = await startMoto(t);
  const common = { BUCKET_URL: `${bucket}/kept`, BUCKET_ACCESS_KEY: accessKey };
  const right = { ...common, BUCKET_SECRET_KEY: secretKey };
  const wrong = { ...common, BUCKET_SECRET_KEY: 'wrong' };
  const directory = join(t.testdir(), 'audio');
  mkdirSync(directory);

  await t.test('leaves audio in the folder when the secret is wrong, and reports the reason', async (t) => {
    const { key } = await keepOne(t, directory, wrong);
    const archive = await openArchive(settingsWith(wrong), directory);
    await t.rejects(archive.list(), {
      code: 'retained_store_failed',
      message: /HTTP 403 SignatureDoesNotMatch/,
    });
    t.strictSame(readdirSync(directory), [`${key}.opus`]);
  });

  await t.test('moves audio to the bucket, including audio of an earlier run', async (t) => {
    const { store, metrics } = await keepOne(t, directory, right);
    t.ok(await until(() => readdirSync(directory).length === 0));
    const archive = await openArchive(settingsWith(right), directory);
    const listed = await archive.list();
    t.equal(listed.length, 2);
    t.equal(archive.mayComeBack, true);
    t.equal((await openArchive(settingsWith({}), directory)).mayComeBack, false);
    for (const { key } of listed) t.equal((await archive.read(key))?.record.user, 'ada');
    await store.close();
    const { metrics: again } = await keepOne(t, directory, right);
    t.ok(again.get('retained_audio_bytes') > metrics.get('retained_audio_bytes'), 'the bucket counts');
    await archive.giveUp(listed[0]!.key);
    t.strictSame((await archive.list()).filter(({ failed }) => failed).length, 1);
  });

  await t.test('marks a file that is too long as failed without reading it', async (t) => {
    const key = `2026-11-20T10-00-00-000Z_${ownerOf('bob')}_320_s1_7-2`;
    const settings = settingsWith(right);
    await bucketFiles(settings).write(`${key}.opus`, Buffer.alloc(longestStored + 1));
    const archive = await openArchive(settings, directory);
    await t.rejects(archive.read(key), { code: 'retained_audio_unreadable', message: /more than/ });
    const named = async () => (await archive.list()).filter((entry) => entry.key === key);
    await archive.giveUp(key);
    t.match(await named(), [{ failed: true, bytes: longestStored + 1 }]);
    await archive.putBack(key);
    t.match(await named(), [{ failed: false }]);
    await archive.remove(key);
    t.strictSame(await named(), []);
  });

  await t.test('deletes the audio of deleted accounts from the bucket', async (t) => {
    const { store } = await keepOne(t, directory, right);
    const { ownersOf } = await import('../../../src/stt/retained/removal.js');
    const { hash } = await import('node:crypto');
    await store.erase(ownersOf([hash('sha256', 'ada', 'hex')]));
    const archive = await openArchive(settingsWith(right), directory);
    t.strictSame(await archive.list(), []);
  });

  await t.test('stores audio in the folder while the server is unreachable', async (t) => {
    const away = { ...right, BUCKET_URL: 'http://127.0.0.1:9/words' };
    const { key } = await keepOne(t, directory, away);
    t.ok(readFileSync(join(directory, `${key}.opus`)).length > 0);
  });
});
