/**
 * Tests a bucket that hangs or refuses. An engine must still start, end and move all files that it can. No audio of deleted accounts may
 * remain.
 */
import { readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { deferred } from '../../../src/common/deferred.js';
import { createLogger } from '../../../src/log/logger.js';
import { MetricsTable } from '../../../src/metrics/metrics.js';
import { RetainedStore } from '../../../src/stt/retained/store.js';
import { RetainedUploads } from '../../../src/stt/retained/uploads.js';
import { bytesOfName, ownerOf } from '../../../src/stt/storage/file-format.js';
import { longestStored, type RetainedFiles, retainedFolder } from '../../../src/stt/storage/storage.js';
import { until } from '../../support/until.js';
import { keepingLogger } from '../service/line.js';

/** Time in ms. It is longer than the pause between two searches of the folder. */
const nextSearch = 6000;
const never = new Promise<never>(() => undefined);

/** Makes a fake bucket in memory. @param changes methods that behave differently. */
const bucketOf = (changes: Partial<RetainedFiles> = {}) => {
  const held = new Map<string, Uint8Array>();
  const bucket: RetainedFiles = {
    place: 'test',
    list: async () => [...held].map(([name, { length }]) => ({ name, size: length })),
    read: async (name) => held.get(name) as Buffer | undefined,
    write: async (name, bytes) => void held.set(name, bytes),
    move: async () => undefined,
    remove: async (name) => void held.delete(name),
    ...changes,
  };
  return { bucket, held };
};

const openCounting = async (directory: string, bucket: RetainedFiles) => {
  const metrics = new MetricsTable(1).row(0);
  return { metrics, store: await open(directory, bucket, metrics) };
};

const open = (
  directory: string,
  bucket: RetainedFiles,
  metrics = new MetricsTable(1).row(0),
  waiting = 1e9,
  diskCounts = true,
) =>
  RetainedStore.open({
    directory,
    bucket,
    diskCounts,
    size: 1e9,
    userSize: 1e9,
    age: 1e9,
    waiting: { total: waiting, user: waiting, stream: waiting },
    log: createLogger('test', 'silent'),
    metrics,
  });

const request = (user: string) =>
  ({ id: 1, user, stream: 's', pcm: new Int16Array(1600), start: 0, end: 0.1, language: 'en' }) as const;
const folderOf = (t: Test, name: string): string => join(t.testdir({ [name]: {} }), name);

t.test('retained audio with a faulty bucket', { timeout: 60_000 }, async (t) => {
  await Promise.all([
    t.test('starts and ends while the bucket never answers', async (t) => {
      const directory = folderOf(t, 'silent');
      const { bucket } = bucketOf({ list: () => never, write: () => never });
      const store = await open(directory, bucket);
      const key = await store.keep(request('ann'), 'stopped');
      await store.close();
      t.strictSame(readdirSync(directory), [`${key}.opus`], 'the next process moves it');
    }),

    t.test('confirms audio only after the bucket has it, and writes no file', async (t) => {
      const directory = folderOf(t, 'first');
      const stores = deferred();
      const { bucket, held } = bucketOf({
        write: async (name, bytes) => {
          await stores.promise;
          held.set(name, bytes);
        },
      });
      const { store, metrics } = await openCounting(directory, bucket);
      let isConfirmed = false;
      const kept = store.keep(request('ann'), 'stopped').then((key) => {
        isConfirmed = true;
        return key;
      });
      await pause(1000);
      t.notOk(isConfirmed);
      stores.resolve();
      const key = await kept;
      t.strictSame([...held.keys()], [`${key}.opus`]);
      t.strictSame(readdirSync(directory), []);
      t.equal(metrics.get('utterances_retained_on_disk_total'), 0);
      await store.close();
    }),

    t.test('counts audio on the disk, and moves it when the bucket answers again', async (t) => {
      const directory = folderOf(t, 'away');
      let isAway = true;
      const { bucket, held } = bucketOf({
        write: async (name, bytes) => {
          if (isAway) throw new Error('HTTP 503');
          held.set(name, bytes);
        },
      });
      const { store, metrics } = await openCounting(directory, bucket);
      const key = await store.keep(request('ann'), 'stopped');
      t.strictSame(readdirSync(directory), [`${key}.opus`]);
      t.equal(metrics.get('utterances_retained_on_disk_total'), 1);
      isAway = false;
      await until(() => held.has(`${key}.opus`), 'it is moved', 20_000);
      await until(() => readdirSync(directory).length === 0, 'the disk is free');
      await store.close();
    }),

    t.test('gives up a silent bucket when the process ends', async (t) => {
      const directory = folderOf(t, 'ending');
      const { bucket } = bucketOf({ write: () => never });
      const store = await open(directory, bucket);
      const kept = Array.from({ length: 20 }, (_, user) => store.keep(request(`user-${user}`), 'stopped'));
      await store.close();
      const keys = await Promise.all(kept);
      t.equal(readdirSync(directory).length, 20, 'all audio is on the disk');
      t.notOk(keys.includes(undefined));
    }),

    t.test('loses nothing when audio arrives faster than a slow bucket stores it', async (t) => {
      const directory = folderOf(t, 'slow');
      const answers = deferred();
      const { bucket } = bucketOf({ write: () => answers.promise });
      const metrics = new MetricsTable(1).row(0);
      const { pcm } = request('ann');
      const store = await open(directory, bucket, metrics, 40 * pcm.byteLength);
      const keep = (count: number) =>
        Array.from({ length: count }, (_, user) => store.keep(request(`user-${user}`), 'stopped'));
      const first = keep(45);
      // The bucket may take 5 s to answer, so the timeout is shorter than that.
      await until(() => readdirSync(directory).length === 45, 'the disk takes what the bucket delays', 4000);
      const keys = await Promise.all([...first, ...keep(30)]);
      t.notOk(keys.includes(undefined));
      t.equal(metrics.get('utterances_lost_total'), 0);
      answers.resolve();
      await store.close();
    }),

    t.test('confirms audio of a fleet only in the bucket, if its device can send it again', async (t) => {
      const directory = folderOf(t, 'fleet');
      const stores = deferred();
      const removed: string[] = [];
      const { bucket } = bucketOf({
        write: () => stores.promise,
        remove: async (name) => void removed.push(name),
      });
      const metrics = new MetricsTable(1).row(0);
      const store = await open(directory, bucket, metrics, 1e9, false);
      const again = store.keep({ ...request('ann'), resends: true }, 'stopped');
      const once = store.keep(request('bob'), 'stopped');
      t.equal(await again, undefined, 'the bucket did not answer within its time');
      const file = `${await once}.opus`;
      t.strictSame(readdirSync(directory), [file], 'other audio is on the disk');
      t.equal(metrics.get('utterances_lost_total'), 0);
      t.equal(metrics.get('retained_audio_bytes'), bytesOfName(file));
      stores.resolve();
      await until(() => removed.length === 1, 'the late file of the first is removed');
      t.match(removed[0], ownerOf('ann'));
      t.ok(
        await store.keep({ ...request('ann'), resends: true }, 'stopped').then((key) => key === undefined),
      );
      await store.close();
    }),

    t.test('moves all other files when the bucket refuses one', async (t) => {
      const directory = folderOf(t, 'refusing');
      const names = ['a', 'b', 'c'].map((letter) => `${letter}.opus`);
      for (const name of names) writeFileSync(join(directory, name), name);
      const refused = names[0]!;
      let asked = 0;
      const { bucket, held } = bucketOf({
        write: async (name, bytes) => {
          asked++;
          if (name === refused) throw new Error('HTTP 403 ObjectLocked');
          held.set(name, bytes);
        },
      });
      const store = await open(directory, bucket);
      for (let more = 0; more < 20; more++) await store.keep(request('ann'), 'stopped');
      await until(() => held.size === names.length - 1 + 20, 'the others are moved', 20_000);
      t.strictSame(readdirSync(directory), [refused]);
      t.ok(asked < 40, `asked ${asked} times: not for each utterance while it fails`);
      await store.close();
    }),

    t.test('moves all other files when one is too long to read, and logs that file once', async (t) => {
      const directory = folderOf(t, 'long');
      const long = '0.opus';
      writeFileSync(join(directory, long), '');
      truncateSync(join(directory, long), longestStored + 1);
      const logged: unknown[] = [];
      const { bucket, held } = bucketOf();
      const folder = retainedFolder(directory);
      const uploads = new RetainedUploads({ folder, bucket, log: keepingLogger(logged) });
      for (const name of ['a.opus', 'b.opus']) {
        writeFileSync(join(directory, name), name);
        await uploads.move();
        t.ok(held.has(name), `${name} is moved at once`);
      }
      t.strictSame(readdirSync(directory), [long]);
      t.equal(logged.length, 1);
      t.match(JSON.stringify(logged), long);
      await uploads.close();
    }),

    t.test('stores nothing of an account that is deleted during the move', async (t) => {
      const directory = folderOf(t, 'deleted');
      let refuses = true;
      let searched = 0;
      const { bucket, held } = bucketOf({
        write: async (name, bytes) => {
          if (refuses) throw new Error('HTTP 503');
          held.set(name, bytes);
        },
        list: async () => {
          const files = [...held].map(([name, { length }]) => ({ name, size: length }));
          // A deletion searches the bucket for so long that files could be moved from the folder to the bucket
          // meanwhile.
          if (++searched > 1) await pause(nextSearch);
          return files;
        },
      });
      const store = await open(directory, bucket);
      await store.keep(request('ann'), 'stopped');
      refuses = false;
      await store.erase(new Set([ownerOf('ann')]));
      t.strictSame([...held.keys()], []);
      t.strictSame(readdirSync(directory), []);
      await store.close();
    }),

    t.test('stores nothing of a deleted account when the bucket answers late', async (t) => {
      const directory = folderOf(t, 'late');
      const answers = deferred();
      const late = deferred();
      let asked = 0;
      const { bucket, held } = bucketOf({
        write: async (name, bytes) => {
          if (++asked > 1) throw new Error('HTTP 503');
          await answers.promise;
          held.set(name, bytes);
          late.resolve();
        },
      });
      const store = await open(directory, bucket);
      await store.keep(request('ann'), 'stopped');
      let isErased = false;
      const erased = store.erase(new Set([ownerOf('ann')])).then(() => {
        isErased = true;
      });
      await until(() => readdirSync(directory).length === 0, 'the disk is free');
      await pause(500);
      t.notOk(isErased, 'the deletion is not confirmed before the bucket has answered');
      answers.resolve();
      await Promise.all([erased, late.promise]);
      t.strictSame([...held.keys()], []);
      await store.close();
    }),
  ]);
});
