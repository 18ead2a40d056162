/** Tests voice messages over HTTP: every outcome with its status and body. Refused messages leave no files. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { encodeFrames } from '../../../src/app/wearable/encode.js';
import { findProgram } from '../../../src/audio/files/container-decoder.js';
import { errorRegistry } from '../../../src/errors/registry.js';
import type { RecordingWork } from '../../../src/pipeline/words/recordings.js';
import { opusFile, timedOpus } from '../../audio/files/made-files.js';
import { withoutNative } from '../../audio/support.js';
import { frameFile, recorded } from '../../recordings/frame-files.js';
import { scene } from '../../support/texts/speech.js';
import { wavFile } from '../../support/texts/wav-file.js';
import { until } from '../../support/until.js';
import { type Api, silentUpload, startAnother, startApi, uploadForm } from '../support.js';

const path = '/v2/voice-message/transcribe';
type Transcription = RecordingWork['transcription'];
type Request = Parameters<Transcription['transcribe']>[0];
type Result = Awaited<ReturnType<Transcription['transcribe']>>;

const result = (outcome: string, text: unknown = ''): Result =>
  ({ outcome, text, provider: 'local', waited: 0, decoded: 0 }) as Result;
const bytesOf = (pcm: Int16Array): Buffer => Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength);

/** Returns the body of a failure, as `docs/rest.md` defines it. */
const failure = (code: keyof typeof errorRegistry, provider = 'local') => ({
  error: code,
  outcome: { stt_provider_configuration_error: 'config_error' }[code as string] ?? code.slice('stt_'.length),
  provider,
  retryable: errorRegistry[code].retryable,
  message: errorRegistry[code].message,
});

/** Checks that an answer refuses audio as invalid, for the expected reason. */
const refused = (
  t: Pick<Test, 'match' | 'strictSame'>,
  { status, body }: { readonly status: number; readonly body: { readonly message: string } },
  reason: RegExp,
  name: string,
): void => {
  const { message, ...others } = body;
  const { message: _general, ...expected } = failure('stt_invalid_input', 'unknown');
  t.strictSame([status, others], [400, expected], name);
  t.match(message, reason, name);
};

const wavOf = (pcm: Buffer, rate = 16_000, channels = 1, tag = 1, bits = 16): Buffer => {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + pcm.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(tag, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE((rate * channels * bits) / 8, 28);
  head.writeUInt16LE((channels * bits) / 8, 32);
  head.writeUInt16LE(bits, 34);
  head.write('data', 36);
  head.writeUInt32LE(pcm.length, 40);
  return Buffer.concat([head, pcm]);
};

/**
 * Returns the open files of this process in folders of voice messages. The files have no name in their folder, so only
 * /proc lists them.
 */
const scratchFiles = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return target.includes('cochlea-voice-') ? [target] : [];
    } catch {
      return [];
    }
  });

const withoutProc = process.platform === 'linux' ? false : 'the test reads /proc, which only Linux has';

t.test('voice messages', { skip: withoutNative }, async (t) => {
  /** Answers of the fake transcription service, in order. The last answer repeats. */
  let answers: ((request: Request) => Promise<Result> | Result)[] = [];
  let asked: Request[] = [];
  const transcription: Transcription = {
    transcribe: async (request) => {
      asked.push(request);
      return (answers.length > 1 ? answers.shift()! : answers[0]!)(request);
    },
    close: async () => undefined,
  };
  const port = await freePort();
  const api = await startApi(
    t,
    {
      VOICE_SIZE: '3000000',
      VOICE_LENGTH: '60000',
      RATE_LIMIT_BOOST: '100',
      SIDECAR_METRICS_PORT: String(port),
      SENTENCE_MODEL: 'none',
    },
    undefined,
    transcription,
  );
  /** A sidecar with the default rate limits and without ffmpeg. */
  const strict = await startAnother(
    t,
    api,
    { RATE_LIMIT_BOOST: '1', FFMPEG: 'none', SENTENCE_MODEL: 'none' },
    transcription,
  );
  const ann = await api.person();
  const { pcm } = await scene([0]);
  const speech = bytesOf(pcm);
  const silence = Buffer.alloc(64_000);
  const says =
    (...texts: string[]) =>
    () =>
      result('success', texts.length > 1 ? texts.shift() : texts[0]);
  const send = (
    body: unknown,
    {
      query = '',
      on = api,
      script = [says('Good morning.')],
    }: { query?: string; on?: Api; script?: typeof answers } = {},
  ) => {
    answers = script;
    asked = [];
    const headers: Record<string, string> =
      body instanceof Uint8Array ? { 'content-type': 'application/octet-stream' } : {};
    return on.call(path + query, { credential: ann.token, method: 'POST', body, headers });
  };

  await t.test('transcribes raw PCM', async (t) => {
    const { status, body } = await send(speech);
    t.equal(status, 200);
    t.match(body, {
      outcome: 'success',
      stt_provider: 'local',
      stt_model: api.settings.transcriberModels[0],
      language: 'en',
    });
    t.equal(body.transcript, asked.map(() => 'Good morning.').join(' '));
    t.match(asked[0], { user: ann.uid, language: 'en', priority: 'voice' });
    t.equal((await send(speech, { query: '?sample_rate=16000&channels=1&language=en-US' })).status, 200);
    t.equal((await send(Buffer.concat([speech, speech]), { query: '?sample_rate=32000' })).status, 200);
  });

  await t.test('passes words of the query, of the form and of the user', async (t) => {
    await api.sql`update users set custom_words = ${['Kubernetes', 'ada']} where uid = ${ann.uid}`;
    const words = () => asked[0]?.keywords;
    const query = '?keywords=Okafor,%20Ada,,okafor';
    t.equal((await send(speech, { query })).status, 200);
    t.strictSame(words(), ['Okafor', 'Ada', 'Kubernetes']);
    t.equal((await send(speech)).status, 200);
    t.strictSame(words(), ['Kubernetes', 'ada']);
    const form = uploadForm({ 'a.wav': wavOf(speech) });
    form.append('keywords', 'Nadia');
    t.equal((await send(form, { query })).status, 200);
    t.strictSame(words(), ['Nadia', 'Kubernetes', 'ada'], 'a field replaces the query');
    const long = Array.from({ length: 100 }, (_, index) => `${'\u{20000}'.repeat(47)}${index + 100}`);
    const full = uploadForm({ 'a.wav': wavOf(speech) });
    full.append('keywords', long.join(','));
    t.equal((await send(full)).status, 200, 'a form can have 100 words of 50 characters');
    t.strictSame(words(), long, 'and no more words follow');
    const many = Array.from({ length: 102 }, (_, index) => `w${index}`);
    for (const [given, expected] of [
      [many.join(','), many.slice(0, 100)],
      [`${'x'.repeat(51)},Okafor`, ['Okafor', 'Kubernetes', 'ada']],
    ] as const) {
      t.equal((await send(speech, { query: `?keywords=${given}` })).status, 200);
      t.strictSame(words(), expected, 'words over the limits are left out');
    }
    await api.sql`update users set custom_words = '{}' where uid = ${ann.uid}`;
  });

  const opusPackets = encodeFrames({ pcm, rate: 16_000 }, 'opus_fs320', 16_000).map(({ bytes }) => bytes);
  await t.test('transcribes every kind of file', async (t) => {
    const float = Buffer.from(Float32Array.from(pcm, (sample) => sample / 32_768).buffer);
    const wide = new Int16Array(2 * pcm.length);
    for (const [index, sample] of pcm.entries()) wide.fill(sample, 2 * index, 2 * index + 2);
    for (const [name, file] of [
      ['a.wav', wavOf(speech)],
      ['stereo.wav', wavOf(bytesOf(wide), 16_000, 2)],
      ['float.wav', wavOf(float, 16_000, 1, 3, 32)],
      ['audio_pendant_pcm16_16000_1_1767225600.bin', recorded(pcm, 'pcm16')],
      ['audio_pendant_pcm8_8000_1_1767225600.bin', recorded(pcm, 'pcm8')],
      ['a.ogg', opusFile(opusPackets)],
      ['audio_pendant_opus_16000_1_1767225600.bin', recorded(pcm, 'opus')],
      ['audio_pendant_opus_16000_1_fs320_1767225600.bin', recorded(pcm, 'opus_fs320')],
    ] as const) {
      const { status, body } = await send(uploadForm({ [name]: file }));
      t.equal(status, 200, `${name} ${JSON.stringify(body)}`);
      t.equal(body.outcome, 'success', name);
      t.ok(
        Math.abs(asked.reduce((sum, one) => sum + one.pcm.length, 0) - pcm.length) < 0.6 * pcm.length,
        name,
      );
    }
    const form = uploadForm({ 'a.wav': wavOf(speech), 'b.wav': wavOf(silence), 'c.wav': wavOf(speech) });
    form.append('language', 'en');
    await send(speech);
    const utterances = asked.length;
    const numbered = Array.from({ length: 2 * utterances }, (_, index) => String(index));
    const { body } = await send(form, { script: numbered.map((text) => says(text)) });
    t.equal(body.transcript, numbered.join(' '), 'the texts of the files, in the order of the files');
  });

  await t.test(
    'transcribes the available part of an incomplete file, and reports what is missing',
    async (t) => {
      const wav = wavOf(speech);
      const ogg = opusFile(opusPackets);
      const frames = 'audio_pendant_pcm16_16000_1_1767225600.bin';
      const bin = recorded(pcm, 'pcm16');
      for (const [files, incomplete] of [
        [{ 'a.wav': wav }, undefined],
        [{ 'a.wav': wav.subarray(0, -9000) }, 'it ends before its last sample'],
        [{ 'a.ogg': ogg.subarray(0, -400) }, 'a page is cut off'],
        [{ [frames]: bin.subarray(0, -1) }, `it ends within a frame at byte ${bin.length - 644}`],
        [
          { 'a.wav': wav, 'b.wav': wav.subarray(0, -9000), 'c.ogg': ogg.subarray(0, -400) },
          'file 2: it ends before its last sample; file 3: a page is cut off',
        ],
      ] as const) {
        const { status, body } = await send(uploadForm(files));
        t.equal(status, 200, incomplete ?? 'a complete file');
        t.equal(body.incomplete, incomplete);
      }
    },
  );

  await t.test('a pause without packets is silence', async (t) => {
    const half = opusPackets.length >> 1;
    const timed = opusPackets.map((bytes, index) => ({ bytes, at: 20 * index + (index < half ? 0 : 8000) }));
    await send(uploadForm({ 'a.ogg': opusFile(opusPackets) }));
    const samples = asked.reduce((sum, { pcm: one }) => sum + one.length, 0);
    for (const onPage of [1, 10]) {
      const { status, body } = await send(uploadForm({ 'a.ogg': timedOpus(timed, onPage) }));
      t.equal(status, 200, JSON.stringify(body));
      t.ok(asked.length > 1, `${asked.length} utterances, before and after the pause`);
      const heard = asked.reduce((sum, { pcm: one }) => sum + one.length, 0);
      t.ok(heard > 0.8 * samples && heard < samples + 32_000, `${heard} samples of ${samples}`);
    }
  });

  const withoutFfmpeg = (await findProgram('ffmpeg')) === null && 'ffmpeg is missing';
  await t.test('transcribes files that ffmpeg decodes', { skip: withoutFfmpeg }, async (t) => {
    const folder = t.testdir({ 'speech.wav': wavOf(speech), 'long.wav': wavOf(Buffer.alloc(61 * 32_000)) });
    const made = (from: string, name: string, ...words: string[]): Buffer => {
      const path = join(folder, name);
      execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', join(folder, from), ...words, path]);
      return readFileSync(path);
    };
    const mp4 = made('speech.wav', 'a.mp4', '-c:a', 'aac');
    const files: [string, Buffer][] = [
      ['a.mp4', mp4],
      ['a.m4a', made('speech.wav', 'a.m4a', '-c:a', 'aac', '-movflags', '+faststart')],
      ['a.webm', made('speech.wav', 'a.webm', '-c:a', 'libopus')],
      ['a.mp3', made('speech.wav', 'a.mp3', '-c:a', 'libmp3lame')],
      ['a.ogg', made('speech.wav', 'a.ogg', '-c:a', 'libvorbis')],
      ['fast.wav', made('speech.wav', 'fast.wav', '-ar', '96000')],
      // A file with an audio track and a video track.
      [
        'film.webm',
        made(
          'speech.wav',
          'film.webm',
          ...['-f', 'lavfi', '-i', 'testsrc=s=32x32:d=1', '-c:v', 'libvpx', '-c:a', 'libopus'],
        ),
      ],
    ];
    for (const [name, file] of files) {
      const { status, body } = await send(uploadForm({ [name]: file }));
      t.equal(status, 200, `${name} ${JSON.stringify(body)}`);
      t.equal(body.outcome, 'success', name);
      t.ok(
        Math.abs(asked.reduce((sum, one) => sum + one.pcm.length, 0) - pcm.length) < 0.6 * pcm.length,
        name,
      );
    }
    const list = '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n';
    for (const [name, file, reason] of [
      ['a truncated mp4', mp4.subarray(0, mp4.length >> 1), /its index is missing/],
      ['an mp4 of zeros', Buffer.concat([mp4.subarray(0, 32), Buffer.alloc(50_000)]), /its index is missing/],
      [
        'a webm of noise',
        Buffer.concat([files[2]![1].subarray(0, 64), Buffer.alloc(50_000, 0xa7)]),
        /no audio that can be decoded/,
      ],
      ['a list of files', Buffer.from(list), /not an audio file of a known format/],
      ['a list of files that starts like an mp3', Buffer.from(`ID3${list}`), /no audio that can be decoded/],
      [
        'an mp3 over the maximum length',
        made('long.wav', 'long.mp3', '-c:a', 'libmp3lame', '-b:a', '8k'),
        /too long for one file/,
      ],
      [
        'a webm over the maximum length',
        made('long.wav', 'long.webm', '-c:a', 'libopus', '-b:a', '6k'),
        /too long for one file/,
      ],
    ] as const) {
      refused(t, await send(uploadForm({ 'a.mp4': file })), reason, name);
      t.equal(asked.length, 0, name);
    }
    for (const [name, file] of files) {
      const { status, body } = await send(uploadForm({ [name]: file }), { on: strict });
      t.strictSame([status, body], [503, failure('stt_provider_configuration_error', 'unknown')], name);
    }
    t.equal((await send(uploadForm({ 'a.ogg': opusFile(opusPackets) }), { on: strict })).status, 200);
  });

  await t.test('silence is answered without asking a provider', async (t) => {
    const quiet = { transcript: '', outcome: 'expected_silence', language: 'en' };
    for (const body of [silence, silentUpload(), uploadForm({ 'a.wav': wavOf(silence) })]) {
      t.match(await send(body), { status: 200, body: quiet });
      t.equal(asked.length, 0);
    }
  });

  await t.test('failures have their status and a body of five members', async (t) => {
    const secret = 'provider account 4711 was refused: '.repeat(3);
    const garbage = [{}, { outcome: 'success', text: 42 }, { outcome: 'banana', text: secret }];
    for (const [script, status, code] of [
      [[() => result('success', ' ')], 502, 'stt_empty_unexpected'],
      [[() => result('expected_silence')], 502, 'stt_empty_unexpected'],
      [[() => result('empty_unexpected')], 502, 'stt_empty_unexpected'],
      [[() => result('timeout', secret)], 504, 'stt_timeout'],
      [[() => result('upstream_error', secret)], 502, 'stt_upstream_error'],
      [[() => Promise.reject(new Error(secret))], 502, 'stt_upstream_error'],
      ...garbage.map((one) => [[() => one as Result], 502, 'stt_upstream_error'] as const),
      [[() => result('config_error')], 503, 'stt_provider_configuration_error'],
      [[() => result('invalid_input')], 400, 'stt_invalid_input'],
    ] as const) {
      const answer = await send(speech, { script: [...script] });
      t.equal(answer.status, status, code);
      t.strictSame(answer.body, failure(code), code);
    }
    const again = [
      () => result('upstream_error'),
      () => ({ ...result('upstream_error'), rejected: 'full' }) as Result,
    ];
    const { status, body } = await send(speech, { script: [...again, says('At last.')] });
    t.equal(status, 200, 'a temporary failure is tried again');
    t.match(body.transcript, /^At last\./);
  });

  await t.test('answers 503 if no provider transcribes the language', async (t) => {
    const unknown = failure('stt_provider_configuration_error', 'unknown');
    for (const query of ['?language=de', '?language=multi', '?language=auto']) {
      const { status, body } = await send(speech, { query });
      t.strictSame([status, body], [503, unknown], query);
    }
    await api.sql`update users set language = 'fr' where uid = ${ann.uid}`;
    t.equal((await send(speech)).status, 503, "the user's own language");
    await api.sql`update users set language = null where uid = ${ann.uid}`;
    t.equal((await send(speech)).status, 200);
  });

  await t.test('detects the language of a message among the languages of the user', async (t) => {
    const several = await startAnother(
      t,
      api,
      { TRANSCRIBER_MODELS: 'whisper-base', STT_LANGUAGES: 'en,de', RATE_LIMIT_BOOST: '100' },
      transcription,
    );
    const heard = (...languages: string[]) =>
      languages.map((language) => (): Result => ({ ...result('success', 'Oui.'), language }));
    for (const [query, settings, spoken, expected, language] of [
      ['', "languages = '{fr,en}'", heard('fr'), ['multi', ['fr', 'en']], 'fr'],
      ['?language=auto', "languages = '{fr,en}'", heard('en'), ['multi', ['fr', 'en']], 'en'],
      ['', "language = 'de'", heard('de'), ['multi', ['de', 'en']], 'de'],
      ['', 'language = null', heard('en'), ['multi', ['en', 'de']], 'en'],
      ['?language=fr', "languages = '{de}'", heard('fr'), ['fr', []], 'fr'],
      ['', "language = 'fr', single_language_mode = true", heard('fr'), ['fr', []], 'fr'],
      ['', 'language = null', [says('Yes.')], ['multi', ['en', 'de']], null],
    ] as const) {
      await api.sql`update users set languages = '{}', language = null, single_language_mode = false
        where uid = ${ann.uid}`;
      await api.sql.unsafe(`update users set ${settings} where uid = '${ann.uid}'`);
      const { status, body } = await send(speech, { query, on: several, script: [...spoken] });
      t.strictSame([status, body.language], [200, language], `${query} ${settings}`);
      t.same([asked[0]!.language, asked[0]!.languages], expected, `${query} ${settings}`);
    }
    await api.sql`update users set languages = '{}', language = null, single_language_mode = false
      where uid = ${ann.uid}`;
  });

  await t.test('refuses invalid audio with its reason', async (t) => {
    const bin = (file: Uint8Array, name = 'audio_pendant_opus_16000_1_1767225600.bin') =>
      uploadForm({ [name]: file });
    const zero = Buffer.alloc(4);
    const long = Buffer.alloc(70_000);
    long.writeUInt32LE(65_537);
    const opus = recorded(pcm, 'opus');
    const minute = Buffer.alloc(61 * 32_000);
    for (const [name, body, reason, query] of [
      ['an empty body', Buffer.alloc(0), /holds no audio/],
      ['one byte', Buffer.alloc(1), /ends within a sample/],
      ['an odd number of bytes', Buffer.alloc(32_001), /ends within a sample/],
      ['half a sample of two channels', Buffer.alloc(32_002), /ends within a sample/, '?channels=2'],
      ['a sample rate below the minimum', silence, /sample_rate is 8000 to 48000/, '?sample_rate=7999'],
      ['a sample rate above the maximum', silence, /sample_rate is/, '?sample_rate=48001'],
      ['a sample rate that is not a number', silence, /sample_rate is/, '?sample_rate=x'],
      ['three channels', silence, /channels is 1 to 2/, '?channels=3'],
      ['an unknown encoding', silence, /encoding is linear16/, '?encoding=mulaw'],
      ['an invalid language code', silence, /not a language code/, '?language=%3F%3F'],
      ['too long', minute, /too long for one file/],
      ['a form without files', new FormData(), /no files/],
      ['a file without a name', uploadForm({ '': wavOf(silence) }), /a file has no name/],
      [
        'text',
        uploadForm({ 'a.wav': Buffer.from('<!doctype html><p>no audio') }),
        /not an audio file of a known format: WAV/,
      ],
      [
        'a WAV file that ends within its header',
        uploadForm({ 'a.wav': wavOf(silence).subarray(0, 30) }),
        /format chunk is too short/,
      ],
      ['a WAV file without samples', uploadForm({ 'a.wav': wavOf(Buffer.alloc(0)) }), /holds no audio/],
      [
        'a second file without audio',
        uploadForm({ 'a.wav': wavOf(silence), 'b.wav': Buffer.from('x') }),
        /not an audio file of a known format: WAV/,
      ],
      ['frames whose file name has no time', bin(opus, 'frames.bin'), /no underscore before the time/],
      [
        'frames with a time in the future',
        bin(opus, 'audio_pendant_opus_16000_1_99999999999.bin'),
        /in the future/,
      ],
      ['an empty frame', bin(zero), /length of a frame is 0 at byte 0/],
      ['a frame that is too long', bin(long), /length of a frame is 65537/],
      ['a truncated first frame', bin(opus.subarray(0, 6)), /ends within a frame/],
      ['frames that cannot be decoded', bin(frameFile([Buffer.from([0xff, 0xff, 0xff])])), /holds no audio/],
      [
        'frames of several hours',
        bin(frameFile(Array.from({ length: 5000 }, () => Uint8Array.of(0x18)))),
        /too long for one file/,
      ],
      [
        'an Ogg file of several hours',
        uploadForm({ 'a.ogg': opusFile(Array(30_000).fill(opusPackets[0])) }),
        /it is too long/,
      ],
      [
        'an Ogg file of empty packets',
        uploadForm({ 'a.ogg': opusFile(Array(30_000).fill(new Uint8Array(0))) }),
        /most of its packets are empty/,
      ],
      [
        'an Ogg file that ends within its header',
        uploadForm({ 'a.ogg': opusFile(opusPackets).subarray(0, 60) }),
        /holds no audio/,
      ],
      ['JSON', { transcript: 'Good morning.' }, /not multipart/],
    ] as readonly (readonly [string, unknown, RegExp, string?])[]) {
      refused(t, await send(body, query === undefined ? {} : { query }), reason, name);
      t.equal(asked.length, 0, name);
    }
  });

  await t.test('refuses bodies over the limit and requests without an ID token', async (t) => {
    const large = await send(Buffer.alloc(3_100_000));
    t.equal(large.status, 413);
    t.same(large.body, { detail: errorRegistry.body_too_large.message });
    t.match(await send(uploadForm({ 'a.wav': wavOf(Buffer.alloc(3_000_000)) })), { status: 413 });
    for (const credential of [null, ann.key]) {
      const { status, body } = await api.call(path, { credential, method: 'POST', body: silentUpload() });
      t.equal(status, 401);
      t.strictSame(Object.keys(body), ['detail']);
    }
  });

  await t.test('limits audio and requests per user', async (t) => {
    const ben = await strict.person();
    await api.sql`
      insert into rate_windows (subject, policy, used, allowed, ends_at)
      values (${ben.uid}, 'voice:audio', 7199, 7200, now() + interval '1 hour')`;
    const call = (seconds: number) =>
      strict.call(path, {
        credential: ben.token,
        method: 'POST',
        body: new Uint8Array(seconds * 32_000),
        headers: { 'content-type': 'application/octet-stream' },
      });
    const over = await call(2);
    t.equal(over.status, 429);
    t.match(over.body, { detail: /voice:audio/ });
    t.ok(Number(over.headers.get('retry-after')) > 3000);
    t.equal((await call(1)).status, 200, 'audio within the rest is accepted');
    t.equal((await call(1)).status, 429);
    await api.sql`update rate_windows set used = allowed where subject = ${ben.uid}`;
    t.match((await call(1)).body, { detail: /voice:transcribe/ });
  });

  await t.test('recognises an audio file in a raw body', async (t) => {
    const wav = wavFile(Int16Array.from({ length: 2 * pcm.length }, (_, index) => pcm[index >> 1]!));
    wav.writeUInt32LE(32_000, 24);
    wav.writeUInt32LE(64_000, 28);
    const { status, body } = await send(new Uint8Array(wav));
    t.equal(status, 200);
    t.match(body, { outcome: 'success', transcript: /^Good morning/ });
    const samples = asked.reduce((sum, one) => sum + one.pcm.length, 0);
    t.ok(samples < 1.6 * pcm.length, `${samples} samples at 16 kHz, of ${pcm.length}`);
    t.equal((await send(new Uint8Array(wav.subarray(0, 30)))).status, 400, 'a file without audio is refused');
  });

  await t.test(
    'limits the time and number of messages, and ends the work for disconnected clients',
    { skip: withoutProc },
    async (t) => {
      let release: () => void = () => undefined;
      const never = new Promise<Result>((resolve) => {
        release = () => resolve(result('success', 'Late.'));
      });
      const held = (request: Request): Promise<Result> =>
        new Promise((resolve) => {
          request.signal?.addEventListener('abort', () => resolve(result('upstream_error')));
          void never.then(resolve);
        });
      const narrow = await startAnother(
        t,
        api,
        { VOICE_TIMEOUT: '2000', MAX_VOICE_MESSAGES: '2', SENTENCE_MODEL: 'none' },
        transcription,
      );
      const late = await send(speech, { on: narrow, script: [held] });
      t.strictSame([late.status, late.body], [504, failure('stt_timeout')]);
      t.ok(asked[0]!.signal!.aborted, 'the transcription is aborted');

      const leaving = new AbortController();
      answers = [held];
      asked = [];
      const post = (signal: AbortSignal | null = null) =>
        fetch(narrow.base + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/octet-stream' },
          body: speech,
          signal,
        });
      const left = post(leaving.signal).catch(() => null);
      const other = post();
      await until(() => asked.length >= 2, 'two messages are being transcribed');
      const full = await post();
      t.equal(full.status, 429, 'there is no third slot');
      t.equal(full.headers.get('retry-after'), '5');
      t.same(await full.json(), { detail: errorRegistry.voice_full.message });
      leaving.abort();
      await left;
      await until(
        () => asked.some(({ signal }) => signal!.aborted),
        'the transcription of the disconnected client is aborted',
      );
      release();
      t.ok([200, 504].includes((await other).status));
      await until(() => scratchFiles().length === 0, 'no file remains');
      answers = [says('Again.')];
      t.equal((await post()).status, 200, 'the slots are free again');
    },
  );

  await t.test('counts each attempt once, by its outcome', async (t) => {
    const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const count = (route: string, outcome: string, provider: string): number =>
      Number(
        new RegExp(
          `cochlea_voice_messages_total\\{route="${route}",outcome="${outcome}",provider="${provider}"\\} (\\d+)`,
        ).exec(page)?.[1] ?? 0,
      );
    t.equal(count('voice_rest_pcm', 'empty_unexpected', 'local'), 3);
    t.equal(count('voice_rest_pcm', 'upstream_error', 'local'), 5);
    t.equal(count('voice_rest_pcm', 'timeout', 'local'), 1);
    t.equal(count('voice_rest_pcm', 'expected_silence', 'local'), 1);
    t.equal(count('voice_rest_multipart', 'expected_silence', 'local'), 2);
    t.equal(count('voice_rest_pcm', 'config_error', 'local'), 1);
    t.equal(count('voice_rest_pcm', 'config_error', 'unknown'), 4);
    t.notMatch(page, ann.uid);
  });
});
