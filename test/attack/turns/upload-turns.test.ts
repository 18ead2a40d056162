/**
 * Tests files that ffmpeg decodes slowly. Users take turns, the file size is limited before decoding, and decoding
 * time is charged.
 */
import { execFileSync, type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, open, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { containerDecoder, findProgram } from '../../../src/audio/files/container-decoder.js';
import { findSandbox } from '../../../src/audio/files/sandbox.js';
import { ScratchFile } from '../../../src/audio/files/scratch-file.js';
import { SpentTime } from '../../../src/audio/files/spent-time.js';
import { stageFile } from '../../../src/audio/files/staged-audio.js';
import type { Container } from '../../../src/audio/sniff/container.js';
import { CochleaError } from '../../../src/errors/cochlea-error.js';
import { frameFile } from '../../recordings/frame-files.js';
import { startApi, uploadForm } from '../../sidecar/support.js';
import { fullPage, repeatedPages } from '../../support/texts/ogg-pages.js';
import { wavFile } from '../../support/texts/wav-file.js';
import { until } from '../../support/until.js';

const path = '/v2/voice-message/transcribe';
const ffmpeg = await findProgram('ffmpeg');
const without = ffmpeg === null && 'ffmpeg is missing';

/** Makes a file with ffmpeg. */
const made = async (folder: string, name: string, ...words: string[]): Promise<Buffer> => {
  const file = join(folder, name);
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...words, file]);
  return readFile(file);
};
const tone = (seconds: number, rate: number): string[] => [
  '-f',
  'lavfi',
  '-i',
  `sine=r=${rate}:d=${seconds}`,
];

/**
 * A line of a fake program: it makes the product's check of the sandbox fail. The product then runs the program without
 * a sandbox.
 */
const noSandbox = '[ "$1" = -version ] && exit 1\n';
const quiet = { warn: () => undefined };
const never = new AbortController().signal;

/** Writes the bytes to a scratch file, and returns the request to decode it. */
const given = async (folder: string, bytes: Uint8Array, container: Container, user: string) => {
  const file = await ScratchFile.create(folder);
  await file.append(bytes);
  return { file, container, longest: 60_000, signal: never, user, cost: { counted: 0, work: 0 } };
};

t.test('users take turns at ffmpeg, with one process per user', async (t) => {
  const folder = t.testdir();
  const begun: string[] = [];
  // A fake ffmpeg, which decodes nothing. It reports the user of its file, and ends when the test tells it to.
  const program = join(folder, 'ffmpeg');
  const ends = join(folder, 'ends');
  await writeFile(
    program,
    `#!/bin/sh\n${noSandbox}read name < /dev/stdin\necho "  Stream #0:0: Audio: mp3, 8000 Hz, mono" >&2\nprintf %s "$name"\n: > ${ends}-$name-began\nwhile [ ! -e ${ends}-$name ]; do sleep 0.02; done\n`,
  );
  await chmod(program, 0o755);
  const decode = containerDecoder({ program, folder, atOnce: 2, log: quiet });
  const order: string[] = [];
  const start = async (name: string): Promise<void> => {
    const one = await given(folder, Buffer.from(`${name}\n`), 'mp3', name.slice(0, 3));
    begun.push(name);
    const decoded = await decode(one);
    order.push(name);
    t.ok(one.cost.work > 0, `the work on ${name} is counted`);
    await decoded.file.close();
    await one.file.close();
  };
  const end = (name: string): Promise<void> => writeFile(`${ends}-${name}`, '');
  const longest = start('ann1');
  await until(() => existsSync(`${ends}-ann1-began`), 'the first file is being decoded');
  const all = [longest, ...['ann2', 'ann3', 'ben1', 'cat1'].map(start)];
  await until(() => begun.length === all.length, 'all files have been sent');
  // The decoding of these files ends at once, while that of ann's first file continues. So they overtake it.
  for (const name of ['ann2', 'ann3', 'ben1', 'cat1']) await end(name);
  await until(() => order.length === 2, 'the files of other users are decoded');
  t.same([...order].sort(), ['ben1', 'cat1'], "one user's files leave a process to the others");
  await end('ann1');
  await Promise.all(all);
  t.equal(order[2], 'ann1');
  t.same(order.slice(3).sort(), ['ann2', 'ann3'], "the user's other files come last");
});

t.test('a client that disconnects gives up its slot', async (t) => {
  const folder = t.testdir();
  const program = join(folder, 'ffmpeg');
  await writeFile(program, `#!/bin/sh\n${noSandbox}exec sleep 60\n`);
  await chmod(program, 0o755);
  const decode = containerDecoder({ program, folder, atOnce: 1, log: quiet });
  const first = new AbortController();
  const second = new AbortController();
  const one = await given(folder, Buffer.from('x'), 'mp3', 'ann');
  const other = await given(folder, Buffer.from('x'), 'mp3', 'ben');
  const decoding = decode({ ...one, signal: first.signal });
  const waiting = decode({ ...other, signal: second.signal });
  second.abort(new Error('left'));
  await t.rejects(waiting, { message: 'left' });
  first.abort(new Error('left, too'));
  await t.rejects(decoding, { message: 'left, too' });
  await Promise.all([one.file.close(), other.file.close()]);
});

t.test('limits sample rates and channels', { skip: without }, async (t) => {
  const folder = t.testdir();
  const decode = containerDecoder({ program: 'ffmpeg', folder, atOnce: 1, log: quiet });
  const flac = ['-c:a', 'flac'];
  for (const [name, bytes, refused] of [
    ['fast.mka', await made(folder, 'a.mka', ...tone(1, 384_000), ...flac), /384000 Hz/],
    ['wide.mka', await made(folder, 'b.mka', ...tone(1, 8000), '-ac', '16', '-c:a', 'pcm_s16le'), /channels/],
    ['most.mka', await made(folder, 'c.mka', ...tone(1, 192_000), '-ac', '8', ...flac), null],
    ['surround.mka', await made(folder, 'd.mka', ...tone(1, 48_000), '-ac', '6', ...flac), null],
  ] as const) {
    const one = await given(folder, bytes, 'webm', 'ann');
    const outcome = await decode(one).then(
      async (decoded) => {
        const { size } = decoded.file;
        await decoded.file.close();
        return size;
      },
      (error: Error) => error,
    );
    if (refused === null) t.ok(Number(outcome) > 30_000, `${name}: ${outcome} bytes`);
    else t.match(outcome, { code: 'recording_invalid', message: refused }, name);
    t.ok(one.cost.work > 0, `${name}: its work is counted`);
    await one.file.close();
  }
});

t.test('the sandbox gives ffmpeg no network and no other files', { skip: without }, async (t) => {
  const sandbox = await findSandbox(ffmpeg!);
  if (sandbox.kind === 'none') {
    t.pass('no sandbox', { skip: 'this machine lets this user make no namespaces' });
    return;
  }
  const folder = t.testdir({ own: 'its own' });
  const secret = join(folder, 'secret.wav');
  await writeFile(secret, wavFile(new Int16Array(8000)));
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    response.end('here');
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await until(() => server.listening, 'the server listens');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  /** Returns the output of a program that runs in a sandbox, or without one if `around` is empty. */
  const says = (words: readonly string[], input: string | number = '', around = sandbox.words): string => {
    const [program, ...rest] = [...around, ...words];
    const stdin: SpawnSyncOptions =
      typeof input === 'number' ? { stdio: [input, 'pipe', 'ignore'] } : { input };
    const { status, stdout } = spawnSync(program!, rest, { ...stdin, encoding: 'latin1' });
    return status === 0 ? String(stdout) : 'failed';
  };
  const own = await open(join(folder, 'own'));
  t.equal(says(['/bin/sh', '-c', 'cat /dev/stdin'], own.fd), 'its own', 'the program reads its input');
  await own.close();
  const copied = (from: string): string[] => [
    ...[ffmpeg!, '-v', 'error', '-f', 'data', '-i', from, '-map', '0', '-c', 'copy', '-f', 'data', 'pipe:1'],
  ];
  for (const other of [secret, '/etc/passwd']) {
    t.equal(says(['/bin/cat', other]), 'failed', other);
    t.equal(says(copied(`file:${other}`)), 'failed', `ffmpeg: ${other}`);
    t.not(says(copied(`file:${other}`), '', []), 'failed', `without a sandbox ffmpeg reads ${other}`);
  }
  // A playlist file that refers to another file or to a network address.
  const listed = [ffmpeg!, '-v', 'error', '-protocol_whitelist', 'file,pipe,http,tcp', '-safe', '0'];
  const list = (named: string): string => `ffconcat version 1.0\nfile '${named}'\n`;
  const asList = [...listed, '-f', 'concat', '-i', 'pipe:0', '-f', 'null', '-'];
  t.equal(says(asList, list(`file:${secret}`)), 'failed', 'a playlist that names a file');
  t.not(says(asList, list(`file:${secret}`), []), 'failed', 'ffmpeg reads it without a sandbox');
  t.equal(says(asList, list(url)), 'failed', 'a playlist that names an address');
  t.equal(says(copied(url)), 'failed', 'ffmpeg: an address');
  t.same(asked, [], 'no request reached the server');
  const seen = says(['/bin/sh', '-c', 'for one in /proc/[0-9]*; do echo $one; done']);
  t.not(seen, 'failed');
  t.ok(seen.trim().split('\n').length <= 4, 'no other processes');
});

t.test('charges the work on refused files', { timeout: 120_000 }, async (t) => {
  const api = await startApi(t, { RATE_LIMIT_BOOST: '1' });
  const ann = await api.person();
  const used = async (): Promise<number> => {
    const [row] = await api.sql<{ used: number }[]>`
      select used from rate_windows where subject = ${ann.uid} and policy = 'voice:audio'`;
    return row?.used ?? 0;
  };
  const send = (name: string, file: Uint8Array) =>
    api.call(path, { method: 'POST', credential: ann.token, body: uploadForm({ [name]: file }) });
  const empty = repeatedPages(fullPage(0), 800_000);
  t.equal((await send('a.ogg', empty)).status, 400);
  t.equal(await used(), 1, 'a file of empty packets costs one second');
  await api.sql`update rate_windows set used = 7199 where policy = 'voice:audio'`;
  for (let index = 0; index < 2; index++) await send('a.ogg', empty);
  t.equal(await used(), 7200, 'the rest of the quota');
  const refused = await send('a.ogg', empty);
  t.equal(refused.status, 429, 'no file is read after the quota is used');
  t.match(refused.body, { detail: /voice:audio/ });
});

t.test('a frame of one byte is charged as the shortest frame', async (t) => {
  const folder = t.testdir();
  const name = 'audio_pendant_opus_16000_1_1767225600.bin';
  const stage = async (frames: number, longest: number) => {
    const spent = new SpentTime();
    const file = frameFile([Uint8Array.of(0x48), ...Array<Uint8Array>(frames).fill(Uint8Array.of(0x03))]);
    const pieces = (async function* () {
      yield file;
    })();
    const decodeContainer = () => Promise.reject(new Error('nothing is decoded'));
    const readOgg = decodeContainer;
    const options = { folder, longest, decodeContainer, readOgg, signal: never, user: 'ann', spent };
    const outcome = await stageFile(options, name, pieces).catch((error: unknown) => error);
    if (!(outcome instanceof CochleaError)) await (outcome as { close(): Promise<void> }).close();
    return { spent, outcome };
  };
  const { spent } = await stage(400, 2000);
  t.equal(spent.total, 20 + 400 * 2.5, '1 s for 400 frames');
  t.match((await stage(4000, 2000)).outcome, { code: 'recording_too_long' });
});

t.test('recordings for enrolment', { timeout: 120_000 }, async (t) => {
  const folder = t.testdir();
  const signals: AbortSignal[] = [];
  let work = 0;
  const api = await startApi(t, { RATE_LIMIT_BOOST: '1' }, undefined, undefined, {
    folder,
    longest: 60_000,
    readOgg: () => Promise.reject(new Error('no Ogg file is sent')),
    decodeContainer: async ({ signal, cost }) => {
      signals.push(signal);
      cost.work += work;
      if (work > 0) {
        const decoded = await ScratchFile.create(folder);
        await decoded.append(Buffer.alloc(32_000));
        return { file: decoded, incomplete: null };
      }
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    },
    decoder: {
      decode: async function* () {
        yield* [];
        return { decoded: 1, invalid: 0 };
      },
    },
    model: 'ge2e',
    leastSpeech: 1000,
    embed: async () => ({ speech: 0, embeddings: [] }),
  });
  const ann = await api.person();
  const body = (): FormData => uploadForm({ 'me.mp3': Buffer.from('ID3 and what belongs to it') });
  const enrolment = '/v3/upload-audio';

  await t.test('a disconnected client ends the decoding and frees its slot', async (t) => {
    for (let count = 1; count <= 4; count++) {
      const leaves = new AbortController();
      const sent = fetch(`${api.base}${enrolment}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ann.token}` },
        body: body(),
        signal: leaves.signal,
      });
      await until(() => signals.length === count, 'the file is being decoded');
      leaves.abort();
      await t.rejects(sent);
      await until(() => signals.at(-1)!.aborted, 'the decoding is ended');
    }
  });

  await t.test('charges the work on a recording that is decoded and then refused', async (t) => {
    work = 20_000;
    const answer = await api.call(enrolment, { method: 'POST', credential: ann.token, body: body() });
    t.match(answer, { status: 400, body: { detail: /speech/ } });
    const [row] = await api.sql<{ used: number }[]>`
      select used from rate_windows where subject = ${ann.uid} and policy = 'voice:audio'`;
    t.ok(row && row.used >= 20, `${row?.used} s`);
  });
});
