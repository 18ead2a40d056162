/** Uploads within the limits that cause the most work. None of them may block the sidecar's only thread. */
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { freePort } from '../../bench/fleet/targets/free-port.js';
import { issueIdToken } from '../../src/identity/token-issuer.js';
import { createUser } from '../../src/identity/users.js';
import { modelsDirectory } from '../../src/models/directory.js';
import { withoutNative } from '../audio/support.js';
import { frameFile } from '../recordings/frame-files.js';
import { startSidecarProcess } from '../sidecar/sidecar-process.js';
import { testSettings } from '../sidecar/support.js';
import { testDatabase } from '../support/database/database.js';
import { testSecret } from '../support/issuer-secret.js';
import { threadBlocks, watchedThread } from '../support/memory/thread-blocks.js';
import { says, startBatchStub } from '../support/servers/batch-stub.js';
import { fullPage, page, repeatedPages } from '../support/texts/ogg-pages.js';
import { wavFile } from '../support/texts/wav-file.js';

const voice = '/v2/voice-message/transcribe';
const recordings = '/v2/sync-local-files';
const bin = 'audio_pendant_opus_16000_1_1767225600.bin';
const boundary = 'a-line-between-parts';

/** Returns a multipart form with one file. */
const form = (name: string, file: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="files"; filename="${name}"\r\n\r\n`),
    file,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);

/** Returns a WAV file with as many chunks as possible before its samples. */
const wavOfChunks = (): Buffer => {
  const wav = wavFile(new Int16Array(1600));
  return Buffer.concat([wav.subarray(0, 12), Buffer.alloc(262_144), wav.subarray(12)]);
};

/** Returns a WAV file of 8-bit samples with the largest allowed number of channels. */
const wideWav = (): Buffer => {
  const wav = wavFile(new Int16Array(2_000_000));
  wav.writeUInt16LE(8, 22);
  wav.writeUInt32LE(48_000, 24);
  wav.writeUInt16LE(8, 34);
  return wav;
};

const manyFields = (): Buffer =>
  Buffer.concat([
    ...Array<Buffer>(100_000).fill(
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n`),
    ),
    Buffer.from(`--${boundary}--\r\n`),
  ]);

const manyHeaders = (): Buffer =>
  Buffer.from(`--${boundary}\r\n${'a: b\r\n'.repeat(200_000)}\r\n\r\n--${boundary}--\r\n`);

/** A line end and the boundary without the boundary's last character. */
const nearly = `\r\n--${boundary.slice(0, -1)}`;

const skip = process.platform === 'linux' ? withoutNative : 'processor time of a thread is read from /proc';

t.test(
  "uploads that cause the most work do not block the sidecar's thread",
  { skip, timeout: 240_000 },
  async (t) => {
    const stub = await startBatchStub(says({ text: 'Good morning.' }));
    t.teardown(() => stub.stop());
    const { url, sql } = await testDatabase(t);
    const dataDir = await mkdtemp(join(tmpdir(), 'cochlea-blocks-'));
    t.teardown(() => rm(dataDir, { recursive: true, force: true }));
    const settings = testSettings();
    const port = await freePort();
    const sidecar = await startSidecarProcess(t, {
      DATABASE_URL: url,
      ISSUER_SECRET: testSecret,
      COCHLEA_DATA_DIR: dataDir,
      COCHLEA_MODELS_DIR: modelsDirectory(settings),
      SENTENCE_MODEL: 'none',
      RATE_LIMIT_BOOST: '100',
      VOICE_LENGTH: '60000',
      RECORDING_LENGTH: '120000',
      STT_SERVICE_MODELS: 'provider_b',
      MODULATE_API_KEY: 'secret-key',
      MODULATE_BATCH_URL: `${stub.url}/api/velma-2-stt-batch`,
      ...watchedThread(port),
    });
    await sidecar.ready();
    const blocks = await threadBlocks(port);
    await createUser(sql, { uid: 'mallory' });
    const token = await issueIdToken(sql, settings, 'mallory');

    /** Sends a body. @returns the status of the answer. */
    const send = (path: string, body: Buffer): Promise<number> =>
      new Promise((resolve, reject) => {
        const { hostname, port: at } = new URL(sidecar.base);
        const socket = connect(Number(at), hostname);
        let said = '';
        socket.on('data', (bytes) => {
          said += bytes.toString('latin1');
          const status = /^HTTP\/1\.1 (\d+) [\s\S]*\r\n\r\n/.exec(said)?.[1];
          if (status === undefined) return;
          socket.destroy();
          resolve(Number(status));
        });
        socket.on('error', reject);
        socket.on('close', () => reject(new Error(`no answer: ${said}`)));
        socket.write(
          `POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\ncontent-type: multipart/form-data; boundary=${boundary}\r\ncontent-length: ${body.length}\r\n\r\n`,
        );
        socket.write(body);
      });

    const oneByte = frameFile(Array<Uint8Array>(20_000).fill(Uint8Array.of(0x80)));
    const none = frameFile(Array<Uint8Array>(100_000).fill(Uint8Array.of(0x03)));
    for (const [name, path, status, body] of [
      ['Ogg of empty packets', voice, 400, form('a.ogg', repeatedPages(fullPage(0), 800_000))],
      ['Ogg of packets of one byte', voice, 200, form('a.ogg', repeatedPages(fullPage(1, 0x80), 45_000))],
      [
        'Ogg of too many packets of one byte',
        voice,
        400,
        form('a.ogg', repeatedPages(fullPage(1, 0x80), 800_000)),
      ],
      ['Ogg of pages of other streams', voice, 400, form('a.ogg', repeatedPages(fullPage(0, 0, 8), 800_000))],
      ['Ogg of empty pages', voice, 400, form('a.ogg', repeatedPages(page(7, [], Buffer.alloc(0)), 800_000))],
      ['WAV of many chunks', voice, 400, form('a.wav', wavOfChunks())],
      ['WAV of eight channels', voice, 200, form('a.wav', wideWav())],
      ['frames of one byte', voice, 200, form(bin, oneByte)],
      ['frames that cannot be decoded', voice, 400, form(bin, none)],
      ['a recording of frames that cannot be decoded', recordings, 400, form(bin, none)],
      ['a recording of frames of one byte', recordings, 202, form(bin, oneByte)],
      ['many fields', voice, 400, manyFields()],
      ['many headers of a part', voice, 400, manyHeaders()],
      ['parts with almost a boundary', voice, 400, form('a.wav', Buffer.from(nearly.repeat(50_000)))],
    ] as readonly (readonly [string, string, number, Buffer])[]) {
      // A first request causes one-time costs such as compilation, so that they do not count for the file.
      await send(path, body);
      const { ratio, ms } = await blocks.during(async () => {
        t.equal(await send(path, body), status, name);
      });
      t.ok(ratio < 1, `${name}: blocked for ${ratio.toFixed(2)} of the reference`);
      t.comment(`${name}: ${ms.toFixed(1)} ms`);
    }
  },
);
