/**
 * Sidecars are killed at random points of an upload to a bucket. An upload that was confirmed is complete in the bucket. An upload
 * that was not confirmed leaves no bytes for long.
 */
import { spawn } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { seeded } from '../../bench/seeded.js';
import { loadSettings } from '../../src/config/load-settings.js';
import { createLogger } from '../../src/log/logger.js';
import { removeOrphans } from '../../src/pipeline/words/recordings.js';
import { openRecordingObjects } from '../../src/service/recordings/recording-objects.js';
import { recordingChannel } from '../../src/store/uploads/store-upload.js';
import { bucketObjects } from '../../src/stt/storage/bucket-objects.js';
import { startApi } from '../sidecar/support.js';
import { startMoto, withoutMoto } from '../support/moto.js';
import { startBucketProxy } from '../support/servers/bucket-proxy.js';
import { frameFile, recordingName } from './frame-files.js';

const script = fileURLToPath(new URL('./bucket-sidecar.js', import.meta.url));
const kills = 20;
/** Steps of the requests of one upload: it begins, sends three parts and ends, and each request has three steps. */
const bucketSteps = 15;

t.test(
  'a sidecar is killed while it receives recordings',
  { skip: withoutMoto, timeout: 900_000 },
  async (t) => {
    const seed = Number(process.env.SEED ?? randomInt(2 ** 31));
    t.comment(`SEED=${seed}`);
    const random = seeded(seed);
    const api = await startApi(t);
    const { bucket, accessKey, secretKey } = await startMoto(t);
    const proxy = await startBucketProxy(t, bucket);
    const environment = { BUCKET_ACCESS_KEY: accessKey, BUCKET_SECRET_KEY: secretKey };
    const settings = loadSettings({ BUCKET_URL: bucket, ...environment }).values;
    const person = await api.person();

    const startSidecar = async () => {
      const child = spawn(process.execPath, [script, api.url], {
        env: { ...process.env, ...environment, BUCKET_URL: proxy.url },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      t.teardown(() => child.kill('SIGKILL'));
      const exited = once(child, 'exit');
      const [port] = await once(child.stdout!, 'data');
      return { port: Number(String(port)), kill: () => child.kill('SIGKILL'), exited };
    };

    /** Returns frames that fill three parts in the bucket. Their content differs for each upload. */
    const recordingOf = (number: number): Buffer =>
      frameFile(
        Array.from({ length: 180 }, (_, at) => {
          const frame = Buffer.alloc(64_000, number);
          frame.writeUInt32LE(at);
          return frame;
        }),
      );

    /** Uploads a file. Calls `sent` while the body is sent. @returns the status; undefined without an answer. */
    const upload = async (port: number, file: Buffer, at: number, sent: (bytes: number) => void) => {
      const boundary = 'boundary-of-the-form';
      const head = `--${boundary}\r\ncontent-disposition: form-data; name="files"; filename="${recordingName(at, 'pcm16_16000_1')}"\r\n\r\n`;
      const body = Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]);
      const outgoing = request({
        port,
        host: '127.0.0.1',
        path: '/v2/sync-local-files',
        method: 'POST',
        headers: {
          authorization: `Bearer ${person.token}`,
          'content-type': `multipart/form-data; boundary=${boundary}`,
          'content-length': body.length,
        },
      });
      const status = new Promise<number | undefined>((resolve) => {
        outgoing.once('response', (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        outgoing.once('error', () => resolve(undefined));
        outgoing.once('close', () => resolve(undefined));
      });
      const pieces = function* () {
        for (let from = 0; from < body.length; from += 65_536) {
          sent(from);
          yield body.subarray(from, from + 65_536);
        }
      };
      Readable.from(pieces()).pipe(outgoing);
      return status;
    };

    let onCommit = (): void => undefined;
    await api.sql.listen(recordingChannel, () => onCommit());
    const confirmed: string[] = [];
    for (let number = 1; number <= kills; number++) {
      const sidecar = await startSidecar();
      const file = recordingOf(number);
      // A quarter of the kills happens at a random byte of the body. The others happen at a step of the bucket, at the
      // commit of the rows, or after the answer. They are spread over these points, so that each run has early and late
      // ones.
      const byBytes = number % 4 === 0;
      const spread = (number - 1 + random()) / kills;
      const point = byBytes ? Math.floor(random() * file.length) : Math.floor(spread * (bucketSteps + 3));
      let steps = 0;
      onCommit = () => {
        if (!byBytes && point === bucketSteps) sidecar.kill();
      };
      proxy.onStep = (_step, method) => {
        // Counts only requests of the upload. Jobs of the sidecar list, read and remove files meanwhile.
        const isOfUpload = method === 'PUT' || method === 'POST';
        if (isOfUpload && !byBytes && steps++ === point) sidecar.kill();
      };
      const digest = createHash('sha256').update(file).digest('hex');
      const status = await upload(sidecar.port, file, Date.now() - number * 3_600_000, (bytes) => {
        if (byBytes && bytes >= point) sidecar.kill();
      });
      if (status === 202) confirmed.push(digest);
      else t.equal(status, undefined, `upload ${number} has no answer`);
      proxy.onStep = () => undefined;
      sidecar.kill();
      await sidecar.exited;
    }

    // This process has a different folder, and shares only the bucket with the killed sidecars.
    const log = createLogger('test', 'silent');
    const files = openRecordingObjects(bucketObjects(settings, 'recordings'), undefined, log);
    const rows = await api.sql<{ file: string; digest: Buffer; place: string }[]>`
    select file, digest, place from recordings where uid = ${person.uid}`;
    const stored = new Set<string>();
    for (const row of rows) {
      const hash = createHash('sha256');
      for await (const piece of files.read(row.file)) hash.update(piece);
      const digest = hash.digest('hex');
      t.equal(digest, row.digest.toString('hex'), 'the bucket has the complete recording');
      t.equal(row.place, files.place);
      stored.add(digest);
    }
    t.ok(
      confirmed.every((digest) => stored.has(digest)),
      'no confirmed upload is lost',
    );
    const objects = bucketObjects(settings, 'recordings');
    const before = (await objects.list()).length;
    // No upload runs any more, so files and parts of any age are left by the killed sidecars.
    const context = { ...api.recordings, files, sql: api.sql, log, signal: new AbortController().signal };
    await removeOrphans(context, -960_000);
    const left = await objects.list();
    t.strictSame(left.map(({ name }) => name).sort(), rows.map(({ file }) => `${file}.bin`).sort());
    t.equal(await objects.removeUnfinished(Date.now() + 60_000), 0, 'no parts are left');
    t.comment(
      `${kills} kills: ${confirmed.length} confirmed, ${rows.length} stored, ${before - left.length} files removed`,
    );
    t.ok(confirmed.length > 0, 'some uploads were confirmed');
    t.ok(confirmed.length < kills, 'others were interrupted');
  },
);
