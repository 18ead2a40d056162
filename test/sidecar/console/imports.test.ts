/** Tests imported audio files: their words, their refusals, and the limits that they share with uploads of REST. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import t from 'tap';
import { withoutNative } from '../../audio/support.js';
import { fewWords } from '../../support/few-words.js';
import { until } from '../../support/until.js';
import { type Api, consoleHeaders, consoleSession, startApi, uploadForm } from '../support.js';

const path = '/console/api/imports';
const speech = 'fixtures/speech/sense_and_sensibility_01_austen_64kb';
const wav = readFileSync(`${speech}-0870.wav`);
const ogg = readFileSync('fixtures/conversation/kitchen-roof.ogg');

const started = async (
  t: Parameters<typeof startApi>[0],
  environment: Readonly<Record<string, string>> = {},
) => {
  const api: Api = await startApi(t, { SWEEP_INTERVAL: '200', ...environment }, undefined, fewWords);
  const { uid, token } = await api.person();
  const headers = consoleHeaders(api, await consoleSession(api.sql, uid));
  const send = (name: string, bytes: Uint8Array, startedAt = '2026-03-02T09:00:00Z') =>
    api.call(`${path}?${new URLSearchParams({ started_at: startedAt })}`, {
      headers,
      body: uploadForm({ [name]: bytes }),
    });
  const ended = async (id: string) => {
    const read = async () => (await api.call(`${path}/${id}`, { headers })).body;
    await until(async () => (await read()).poll_after_ms === 0, 'the import has ended');
    return read();
  };
  const left = async (): Promise<number> =>
    (await api.recordings.files.olderThan(Number.POSITIVE_INFINITY)).length;
  return { api, uid, token, headers, send, ended, left };
};

t.test('imported audio files', { skip: withoutNative }, async (t) => {
  const { api, uid, token, headers, send, ended, left } = await started(t, {
    RECORDING_LENGTH: '60000',
    UPLOAD_SIZE: '4000000',
  });

  await t.test('the words of a file are at its time', async (t) => {
    const sent = await send('Meeting <b>.wav', wav);
    t.match([sent.status, sent.body], [202, { status: 'queued', total_files: 1, errors: [] }]);
    const { new_memories: made, status } = await ended(sent.body.job_id);
    t.equal(status, 'completed');
    const [row] = await api.sql`
      select started_at, source, uid from conversations where id = ${made[0]}`;
    t.ok(Math.abs(row!.started_at - Date.parse('2026-03-02T09:00:00Z')) < 5000, 'its time');
    t.equal(row!.uid, uid);
    t.equal(await left(), 0, 'no audio is left');
    const again = await ended((await send('copy.wav', wav)).body.job_id);
    t.same(again.new_memories, made, 'the same file is imported once');
  });

  await t.test('a user may give any earlier time', async (t) => {
    const sent = await send('old.wav', wav, '2009-05-01T12:00:00+02:00');
    const { new_memories: made } = await ended(sent.body.job_id);
    const [row] = await api.sql`select started_at, clock from conversations where id = ${made[0]}`;
    t.match(row, { clock: 'device' });
    t.equal(row!.started_at.toISOString().slice(0, 16), '2009-05-01T10:00');
  });

  await t.test('Ogg needs no other program', async (t) => {
    const { body } = await send('kitchen.ogg', ogg, '2026-03-03T09:00:00Z');
    t.match(await ended(body.job_id), { status: 'completed' });
  });

  const limits = (await api.call(path, { headers })).body;

  await t.test('MP3 is read if ffmpeg is installed', async (t) => {
    t.match(limits, { bytes: 4_000_000, seconds: 60 });
    t.ok(['wav', 'opus'].every((ending) => limits.endings.includes(ending)));
    if (!limits.endings.includes('mp3')) return;
    const mp3 = execFileSync('ffmpeg', ['-v', 'error', '-i', 'pipe:0', '-f', 'mp3', 'pipe:1'], {
      input: wav,
    });
    const { body } = await send('talk.mp3', mp3, '2026-03-04T09:00:00Z');
    t.match(await ended(body.job_id), { status: 'completed' });
  });

  await t.test('refused files say what to do, and leave nothing', async (t) => {
    const cases: readonly (readonly [string, Uint8Array, string | undefined, RegExp, RegExp])[] = [
      [
        'notes.wav',
        Buffer.from('these are no samples at all'),
        undefined,
        /known format/,
        /whole audio file/,
      ],
      ['empty.wav', new Uint8Array(0), undefined, /known format/, /whole audio file/],
      [
        'audio_x_pcm16_16000_1_1767225600.bin',
        Buffer.alloc(64, 1),
        undefined,
        /known format/,
        /whole audio file/,
      ],
      ['long.wav', longWav(61), undefined, /too long/, /several files/],
      ['late.wav', wav, '2999-01-01T00:00:00Z', /in the future/, /the recording began/],
    ];
    for (const [name, bytes, at, message, remedy] of cases) {
      const { status, body } = await send(name, bytes, at);
      t.match([status, body], [202, { job_id: null, status: 'failed', errors: [{ message, remedy }] }], name);
    }
    t.equal(await left(), 0);
    t.equal((await send('x.wav', Buffer.alloc(4_000_001))).status, 413);
    t.equal(
      (await api.call(`${path}?started_at=soon`, { headers, body: uploadForm({ a: wav }) })).status,
      422,
    );
    t.equal((await api.call(path, { headers, body: uploadForm({ a: wav }) })).status, 422, 'without a time');
    const two = await api.call(`${path}?started_at=2026-01-01`, {
      headers,
      body: uploadForm({ a: wav, b: wav }),
    });
    t.equal(two.status, 400, 'one file at a time');
    t.equal(await left(), 0, 'also the first of two files is removed');
  });

  await t.test('only a page of the console sends files', async (t) => {
    const url = `${path}?started_at=2026-03-02T09:00:00Z`;
    const { 'x-cochlea-console': _, ...bare } = headers;
    for (const refused of [
      bare,
      { ...headers, origin: 'https://evil.example' },
      { ...headers, 'sec-fetch-site': 'cross-site' },
    ])
      t.equal((await api.call(url, { headers: refused, body: uploadForm({ a: wav }) })).status, 403);
    const json = { ...headers, 'content-type': 'application/json' };
    t.equal((await api.call(url, { headers: json, body: '{}' })).status, 403, 'JSON is no file');
    const form = await api.call('/console/api/folders', { headers, body: uploadForm({ name: wav }) });
    t.equal(form.status, 403, 'other routes take no forms');
    t.equal((await api.call(url, { credential: token, body: uploadForm({ a: wav }) })).status, 403);
    const stranger = await api.person();
    const foreign = consoleHeaders(api, await consoleSession(api.sql, stranger.uid));
    const { job_id } = (await send('mine.wav', wav)).body;
    t.equal((await api.call(`${path}/${job_id}`, { headers: foreign })).status, 404);
  });
});

t.test('hours of audio count, whatever the size of their files', { skip: withoutNative }, async (t) => {
  const { api, uid, token, headers, send, left } = await started(t, { RATE_LIMIT_BOOST: '1' });
  const day = 72 * 3600;
  const used = async (): Promise<number> => {
    const [row] = await api.sql`
      select used from rate_windows where subject = ${uid} and policy = 'recordings:audio'`;
    return row?.used ?? 0;
  };
  t.match(await send('minute.wav', longWav(60)), { status: 202, body: { status: 'queued' } });
  t.equal(await used(), 60);
  await api.sql`update rate_windows set used = ${day - 30} where policy = 'recordings:audio'`;
  await until(async () => (await left()) === 0, 'the silence is transcribed');
  const refused = await send('again.wav', longWav(61));
  t.match(refused, { status: 429, body: { detail: /recordings:audio/, remedy: /./ } });
  t.ok(Number(refused.headers.get('retry-after')) > 3600, 'a later time is named');
  const silent = (seconds: number): FormData => {
    const frames = Array.from({ length: seconds * 10 }, () => {
      const frame = Buffer.alloc(4 + 3200);
      frame.writeUInt32LE(3200);
      return frame;
    });
    return uploadForm({ 'audio_x_pcm16_16000_1_1767225600.bin': Buffer.concat(frames) });
  };
  const upload = async (seconds: number) =>
    (await api.call('/v2/sync-local-files', { credential: token, body: silent(seconds) })).status;
  t.equal(await upload(31), 429, 'uploads of REST share the limit');
  t.equal(await left(), 0, 'refused files are removed');
  t.equal(await upload(30), 202);
  t.equal(await used(), day);
  await api.sql`update rate_windows set used = 0 where policy = 'recordings:audio'`;
  const invalid = Buffer.concat(Array.from({ length: 1000 }, () => Buffer.from([1, 0, 0, 0, 0xff])));
  const broken = uploadForm({ 'audio_x_opus_16000_1_1767225700.bin': invalid });
  t.equal((await api.call('/v2/sync-local-files', { credential: token, body: broken })).status, 202);
  t.equal(await used(), 3, 'an invalid frame counts as the shortest frame of a codec');
  await api.sql`update rate_windows set used = ${day} where policy = 'recordings:audio'`;
  const type = 'multipart/form-data; boundary=x';
  const early = await api.call(`${path}?started_at=2026-03-02`, {
    headers: { ...headers, 'content-type': type },
    body: 'no form',
  });
  t.equal(early.status, 429, 'without hours that are left, no body is read');
});

/** Returns a WAV file of silence. */
const longWav = (seconds: number): Buffer => {
  const file = Buffer.alloc(44 + seconds * 16_000);
  wav.copy(file, 0, 0, 44);
  file.writeUInt32LE(8000, 24);
  file.writeUInt32LE(16_000, 28);
  file.writeUInt32LE(file.length - 44, 40);
  file.writeUInt32LE(file.length - 8, 4);
  return file;
};

/** Returns a WAV file of silence whose decoded samples have twice its size. */
const narrowWav = (seconds: number): Buffer => {
  const file = longWav(seconds / 2);
  file.writeUInt32LE(8000, 28);
  file.writeUInt16LE(1, 32);
  file.writeUInt16LE(8, 34);
  return file.fill(0x80, 44);
};

t.test('an import and an upload of REST share their limits', { skip: withoutNative }, async (t) => {
  const { api, token, headers, send, ended, left } = await started(t, {
    RECORDINGS_USER_SIZE: '1048576',
    MAX_UPLOADS: '1',
  });
  const large = await send('large.wav', longWav(70));
  t.equal(large.status, 429, 'the file is too large');
  t.match(large.body, { detail: /wait to be transcribed/ });
  t.match(
    await send('decoded.wav', narrowWav(70)),
    { status: 202, body: { job_id: null, errors: [{ message: /too long/, remedy: /several files/ }] } },
    'the file fits, but its decoded audio never does',
  );
  t.equal(await left(), 0);
  const fits = await send('fits.wav', longWav(40));
  t.equal(fits.status, 202, 'the file does not count beside its decoded audio');
  await ended(fits.body.job_id);
  t.equal((await send('fits.ogg', ogg)).status, 202);
  const silent = (): FormData =>
    uploadForm({ 'audio_x_pcm16_16000_1_1767225600.bin': Buffer.from([2, 0, 0, 0, 1, 1]) });
  const upload = async () =>
    (await api.call('/v2/sync-local-files', { credential: token, body: silent() })).status;
  t.equal(await upload(), 202);
  const type = 'multipart/form-data; boundary=x';
  /** Begins an import that does not end. It is refused if an earlier upload has not ended yet. */
  const hold = () => {
    const sent = request(`${api.base}${path}?started_at=2026-03-02`, {
      method: 'POST',
      headers: { ...headers, 'content-type': type, 'content-length': '1000' },
      agent: false,
    });
    t.teardown(() => sent.destroy());
    const held = { sent, refused: false };
    sent.on('error', () => undefined);
    sent.on('response', () => {
      held.refused = true;
    });
    sent.flushHeaders();
    return held;
  };
  let held = hold();
  await until(async () => {
    if (held.refused) held = hold();
    return (await upload()) === 503;
  }, 'an import takes the only place');
  held.sent.destroy();
  await until(async () => (await upload()) === 202, 'an import that breaks off frees its place');
});
