/** Long objects in a bucket are written and read in parts of bounded size, and exist only when they are complete. */
import { createHash, randomBytes } from 'node:crypto';
import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { loadSettings } from '../../../src/config/load-settings.js';
import { bucketObjects } from '../../../src/stt/storage/bucket-objects.js';
import { startMoto, withoutMoto } from '../../support/moto.js';
import { startBucketProxy } from '../../support/servers/bucket-proxy.js';

const part = fixedLimits.objectPart.value;

t.test('objects of a bucket', { skip: withoutMoto, timeout: 240_000 }, async (t) => {
  const { bucket, accessKey, secretKey } = await startMoto(t);
  const proxy = await startBucketProxy(t, bucket);
  const settingsAt = (url: string) =>
    loadSettings({ BUCKET_URL: url, BUCKET_ACCESS_KEY: accessKey, BUCKET_SECRET_KEY: secretKey }).values;
  const objects = bucketObjects(settingsAt(`${proxy.url}/kept`), 'recordings');
  const read = async (name: string) => {
    const hash = createHash('sha256');
    let bytes = 0;
    const pieces = await objects.read(name);
    if (pieces === null) return null;
    for await (const piece of pieces) {
      t.ok(piece.length <= part, 'a reader holds one part');
      hash.update(piece);
      bytes += piece.length;
    }
    return { bytes, digest: hash.digest('hex') };
  };

  for (const [size, puts] of [
    [0, 1],
    [1, 1],
    [part, 1],
    [part + 1, 2],
    [2 * part + 7, 3],
  ] as const) {
    await t.test(`${size} bytes are written in ${puts} parts and read back`, async (t) => {
      const content = randomBytes(size);
      proxy.requests.length = 0;
      const writer = objects.create(`of-${size}`);
      for (let at = 0; at < size; at += 1_000_003) await writer.write(content.subarray(at, at + 1_000_003));
      t.equal(await objects.read(`of-${size}`), null, 'it does not exist before it is complete');
      await writer.finish();
      await writer.discard();
      const written = proxy.requests.filter(({ method }) => method === 'PUT');
      t.equal(written.length, puts);
      t.ok(written.every(({ bytes }) => bytes <= part));
      const digest = createHash('sha256').update(content).digest('hex');
      t.strictSame(await read(`of-${size}`), { bytes: size, digest });
      t.ok(proxy.requests.every(({ answered }) => answered <= part));
    });
  }

  await t.test('are listed with their size and time, and removed', async (t) => {
    const listed = await objects.list();
    t.equal(listed.length, 5);
    t.ok(listed.every(({ writtenAt = 0 }) => Math.abs(Date.now() - writtenAt) < 600_000));
    for (const { name } of listed) await objects.remove(name);
    t.strictSame(await objects.list(), []);
    t.equal(await objects.read('of-1'), null);
  });

  await t.test('leave nothing when they are discarded or never finished', async (t) => {
    const discarded = objects.create('discarded');
    await discarded.write(randomBytes(part + 1));
    await discarded.discard();
    t.equal(await objects.removeUnfinished(Date.now() + 60_000), 0, 'its parts are gone');
    await objects.create('killed').write(randomBytes(part + 1));
    t.equal(await objects.removeUnfinished(0), 0, 'uploads that may still run stay');
    t.equal(await objects.removeUnfinished(Date.now() + 60_000), 1);
    t.equal(await objects.removeUnfinished(Date.now() + 60_000), 0);
    t.strictSame(await objects.list(), []);
  });

  await t.test('are not confirmed while the bucket is unavailable', async (t) => {
    const short = bucketObjects(settingsAt(proxy.url), 'recordings', 2000);
    const writer = short.create('late');
    await writer.write(randomBytes(10));
    proxy.away = true;
    await t.rejects(writer.finish(), { code: 'retained_store_failed' });
    await t.rejects(short.read('late'), { code: 'retained_store_failed' });
    proxy.away = false;
    t.equal(await short.read('late'), null);
  });

  t.test('have a place that does not depend on the address of the server', async (t) => {
    t.equal(objects.place, bucketObjects(settingsAt(`http://elsewhere:9/words/kept`), 'recordings').place);
    t.not(objects.place, bucketObjects(settingsAt(proxy.url), 'recordings').place);
  });
});
