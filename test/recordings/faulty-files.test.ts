/**
 * Uploads with some refused files, repeated uploads with a different start time, and uploads of devices without a
 * clock.
 */
import t from 'tap';
import { developerScopes } from '../../src/identity/scopes.js';
import type { RecordingWork } from '../../src/pipeline/words/recordings.js';
import { placeUnclocked } from '../../src/service/recordings/place-unclocked.js';
import { withoutNative } from '../audio/support.js';
import { type Person, startApi, uploadForm } from '../sidecar/support.js';
import { scene } from '../support/texts/speech.js';
import { until } from '../support/until.js';
import { frameFile, framesIn, recorded, recordingName } from './frame-files.js';

const path = '/v2/sync-local-files';
const minute = 60_000;
type Result = Awaited<ReturnType<RecordingWork['transcription']['transcribe']>>;

/** 16-bit samples declared as 8-bit ones. */
const lessBits = (frame: Uint8Array): Uint8Array =>
  Uint8Array.from({ length: frame.length / 2 }, (_, index) => frame[2 * index + 1]! ^ 0x80);

t.test('recordings without a clock end at the upload, in their order', async (t) => {
  const file = (name: string, startedAt: number, duration: number, digest = name) => ({
    file: name,
    digest: Buffer.from(digest),
    startedAt,
    duration,
  });
  const now = 1_000_000_000;
  const given = [
    file('c', 120_000, 3000),
    file('a', 0, 1000),
    file('b', 60_000, 2000.4),
    file('d', 60_000, 500),
  ];
  const placed = (earlier: number | null) => Object.fromEntries(placeUnclocked(given, now, earlier));
  const alone = { a: now - 6501, b: now - 5501, d: now - 3500, c: now - 3000 };
  t.strictSame(placed(null), alone);
  t.strictSame(placed(now - minute), alone, 'the last upload was long ago');
  const follows = Object.fromEntries(Object.entries(alone).map(([name, at]) => [name, at + 6501 - 100]));
  t.strictSame(placed(now - 100), follows, 'what was uploaded just before is not overlapped');
  t.strictSame(placed(now + 86_400_000), alone, 'but never more than a day ahead');
  const twice = placeUnclocked([file('a', 0, 1000), file('b', 5000, 1000, 'a')], now, null);
  t.strictSame(Object.fromEntries(twice), { a: now - 1000, b: now - 1000 }, 'the same file twice');
});

t.test('uploads with faulty files', { skip: withoutNative }, async (t) => {
  const answers: string[] = [];
  let asked = 0;
  const saying = (text: string): Result => ({
    outcome: 'success',
    text,
    provider: 'local',
    waited: 0,
    decoded: 0,
  });
  const transcription: RecordingWork['transcription'] = {
    transcribe: async () => {
      asked++;
      return saying(answers.shift() ?? `Utterance number ${asked}.`);
    },
    close: async () => undefined,
  };
  const api = await startApi(
    t,
    { SWEEP_INTERVAL: '200', RECORDING_LENGTH: '60000' },
    undefined,
    transcription,
  );
  const speech = recorded((await scene([0, 1])).pcm, 'opus_fs320');
  const other = recorded((await scene([2, 3])).pcm, 'opus_fs320');
  const begun = Date.now() - 86_400_000;
  const upload = ({ token }: Person, files: Readonly<Record<string, Uint8Array>>, query = '') =>
    api.call(path + query, { credential: token, body: uploadForm(files) });
  const ended = async ({ token }: Person, { body }: Awaited<ReturnType<typeof upload>>) => {
    const ask = async () => (await api.call(`${path}/${body.job_id}`, { credential: token })).body;
    await until(async () => (await ask()).poll_after_ms === 0, 'the upload has ended');
    return ask();
  };
  const conversationsOf = ({ uid }: Person) => api.sql<
    { id: string; started_at: Date; finished_at: Date; clock: string; text: string; source: string }[]
  >`
    select id, started_at, finished_at, clock, source, (select string_agg(text, ' ' order by position) from segments
      where conversation_id = c.id and not deleted) as text
    from conversations c where uid = ${uid} order by started_at`;
  const filesLeft = (): Promise<string[]> => api.recordings.files.olderThan(Number.POSITIVE_INFINITY);

  await t.test('a file that is refused does not refuse the others', async (t) => {
    const ann = await api.person(developerScopes);
    const [future, cut] = [recordingName(Date.now() + 86_400_000), recordingName(begun + 300_000)];
    const odd = `audio_\u0007${'🎤'.repeat(150)}.bin`;
    const files = {
      [future]: speech,
      [recordingName(begun)]: speech,
      'x.bin': Buffer.alloc(300_000),
      [cut]: speech.subarray(0, 3),
      [odd]: speech,
      [recordingName(begun + 600_000)]: other,
    };
    const sent = await upload(ann, files);
    const errors = [
      {
        file: future,
        code: 'recording_name_invalid',
        message: /in the future/,
        remedy: /SECONDS/,
        retryable: false,
      },
      { file: 'x.bin', code: 'recording_name_invalid', message: /underscore/ },
      {
        file: cut,
        code: 'recording_invalid',
        message: /ends within a frame/,
        remedy: /Before each frame send its length/,
      },
      { file: /^audio_/, code: 'recording_name_invalid', message: /plain file name/ },
    ];
    t.match(sent, { status: 202, body: { status: 'queued', total_files: 6, errors } });
    const done = await ended(ann, sent);
    t.match(done, { status: 'partial_failure', total_files: 6, failed_segments: 0, errors });
    t.equal(done.errors.length, 4);
    t.equal(done.new_memories.length, 2, 'both valid files have their words');
    t.strictSame(await filesLeft(), [], 'nothing of the others is kept');
    const none = await upload(ann, { [future]: speech, [cut]: speech.subarray(0, 3) });
    t.match(none, { status: 400, body: { detail: /in the future/ } }, 'where none is valid there is no job');
    t.strictSame(await filesLeft(), []);
  });

  await t.test('a file that was cut off by a loss of power gives its whole frames', async (t) => {
    const eve = await api.person(developerScopes);
    const name = recordingName(begun);
    const alone = await upload(eve, { [name]: speech.subarray(0, -3) });
    const place = { incomplete: /^it ends within a frame at byte \d+$/ };
    t.match(alone, { status: 202, body: { errors: [], ...place } });
    const done = await ended(eve, alone);
    t.match(done, { status: 'completed', errors: [], new_memories: [/./], ...place });
    const unwritten = recordingName(begun + 7_200_000);
    const files = {
      [unwritten]: Buffer.concat([other, Buffer.alloc(4096)]),
      [recordingName(begun + 14_400_000)]: speech,
    };
    const several = await ended(eve, await upload(eve, files));
    t.equal(several.incomplete, `${unwritten}: the length of a frame is 0 at byte ${other.length}`);
    t.match(several, { status: 'completed', total_files: 2, errors: [] });
    t.ok(several.total_segments > 0 && several.new_memories.length === 2, 'both have their words');
    const whole = await ended(eve, await upload(eve, { [recordingName(begun + 21_600_000)]: speech }));
    t.notOk('incomplete' in whole, 'whole files have no such member');
  });

  await t.test('a file that cannot be decoded is named with what it holds and what to change', async (t) => {
    const fay = await api.person(developerScopes);
    const { pcm } = await scene([0, 1]);
    const packets = framesIn(speech);
    const behind = frameFile(
      packets.map((packet, index) => Buffer.concat([Buffer.from([index & 255, index >> 8, 0]), packet])),
    );
    const none = Buffer.from([0xff, 0xff, 3]);
    const broken = frameFile(packets.map((packet, index) => (index < 110 ? packet : none)));
    // The frames that are checked first are valid. Later frames are not.
    const late = frameFile(
      Array.from({ length: 2400 }, (_, index) => (index < 1100 ? packets[index % packets.length]! : none)),
    );
    const hour = 3_600_000;
    for (const [at, format, file, error] of [
      [
        1,
        'opus_fs320_16000_1',
        recorded(pcm, 'pcm16'),
        {
          message: 'The audio cannot be decoded: its frames hold pcm16, not opus_fs320',
          remedy: /^Give the file a name with codec pcm16/,
        },
      ],
      [
        2,
        'pcm16_16000_1',
        speech,
        {
          message: 'The audio cannot be decoded: its frames hold opus, not pcm16',
          remedy: 'Give the file a name with codec opus.',
        },
      ],
      [
        3,
        'opus_fs320_16000_1',
        behind,
        {
          message: 'The audio cannot be decoded: 3 bytes before each frame are not audio',
          remedy: 'Leave them out.',
        },
      ],
      [
        4,
        'opus_fs320_16000_1',
        broken,
        {
          message: 'The audio cannot be decoded: its frames are not opus_fs320',
          remedy: 'Check the codec, the rate and the channels in its name.',
        },
      ],
      [
        5,
        'opus_fs320_16000_1',
        late,
        {
          message: 'The audio cannot be decoded: 1300 of its 2400 frames do not decode',
          remedy: 'Send audio in the declared codec.',
        },
      ],
      [
        6,
        'pcm16_16000_1',
        frameFile(framesIn(recorded(pcm, 'pcm16')).map(lessBits)),
        {
          message: 'The audio cannot be decoded: its frames hold pcm8, not pcm16',
          remedy: /^Give the file a name with codec pcm8/,
        },
      ],
      [
        7,
        'pcm16_16000_1',
        frameFile(framesIn(recorded(pcm, 'pcm16')).map((frame) => Buffer.from(frame).swap16())),
        {
          message: 'The audio cannot be decoded: its frames hold big-endian samples of 16 bits, not pcm16',
          remedy: /^Convert them to pcm16/,
        },
      ],
    ] as const) {
      const file_name = recordingName(begun + at * hour, format);
      const done = await ended(fay, await upload(fay, { [file_name]: file }));
      t.match(done, {
        status: 'failed',
        errors: [{ file: file_name, code: 'stt_invalid_input', retryable: false, ...error }],
      });
    }
  });

  await t.test('the same audio with another start is stored once', async (t) => {
    const ben = await api.person(developerScopes);
    const first = await ended(ben, await upload(ben, { [recordingName(begun)]: speech }));
    const before = asked;
    for (const [shift, files] of [
      [2000, 1],
      [-2000, 1],
      [1, 2],
    ] as const) {
      const names = Array.from({ length: files }, (_, i) => recordingName(begun + shift + 700 * i));
      const again = await upload(ben, Object.fromEntries(names.map((name) => [name, speech])));
      t.match(
        await ended(ben, again),
        { status: 'completed', total_files: files, new_memories: first.new_memories },
        `${shift} ms later`,
      );
    }
    t.equal(asked, before, 'nothing is transcribed a second time');
    const { text } = (await conversationsOf(ben))[0]!;
    const different = await ended(ben, await upload(ben, { [recordingName(begun + 2000)]: other }));
    t.ok(asked > before && different.total_segments > 0, 'other audio of the same time is transcribed');
    const stored = (await conversationsOf(ben))[0]!;
    t.ok(stored.text.length > text.length, 'and its words are kept');
    const later = await ended(ben, await upload(ben, { [recordingName(begun + minute)]: speech }));
    t.ok(
      later.total_segments > 0 && later.updated_memories.length === 1,
      'so is the same file a minute later',
    );
    const twice = { [recordingName(begun + 7_200_000)]: speech, [recordingName(begun + 7_202_000)]: speech };
    const count = asked;
    const both = await ended(ben, await upload(ben, twice));
    t.equal(both.new_memories.length, 1);
    t.equal(asked - count, first.total_segments, 'two names of one upload are one recording');
  });

  await t.test('words of audio that came before are stored once, whatever it was cut into', async (t) => {
    const cleo = await api.person(developerScopes);
    const said = 'We should order the new garden chairs before the summer sale ends on Friday.';
    const rest = 'Then call Martha about the invoice.';
    const made = await api.call('/v1/conversations/from-segments', {
      credential: cleo.token,
      body: {
        transcript_segments: [{ text: said, start: 0, end: 5 }],
        started_at: new Date(begun).toISOString(),
        source: 'omi',
      },
    });
    await until(
      async () => (await conversationsOf(cleo)).length === 1 && made.status < 300,
      'the conversation of the stream is there',
    );
    answers.push(said.replace('new garden', 'New Garden,'), rest);
    const flash = await ended(cleo, await upload(cleo, { [recordingName(begun + 2000)]: speech }));
    t.match(flash, { status: 'completed', new_memories: [], updated_memories: [made.body.id] });
    const [stored] = await conversationsOf(cleo);
    t.equal(stored!.text, `${said} ${rest}`, 'only what the stream did not have is added');

    // Another file overlaps the first one and ends later.
    const at = begun + 10_000_000;
    const [one, two, three] = [
      'The first thing is to measure all of the windows in the kitchen.',
      'After that we compare prices of three shops.',
      'The last one is the best of them all.',
    ] as const;
    answers.push(one, two, `${two}`, three);
    // Uploads the files one after the other, because the recordings of one upload may be transcribed at the same time.
    for (const cut of [{ [recordingName(at)]: speech }, { [recordingName(at + 4000)]: other }])
      t.match(await ended(cleo, await upload(cleo, cut)), { status: 'completed' });
    const all = (await conversationsOf(cleo)).map(({ text }) => text).join(' ');
    for (const text of [one, two, three]) t.equal(all.split(text).length - 1, 1, `"${text}" is there once`);
    answers.length = 0;
  });

  await t.test('recordings of a device without a clock have the time of their upload', async (t) => {
    const dan = await api.person(developerScopes);
    const files = {
      'audio_pendant_opus_fs320_16000_1_946684860.bin': other,
      'audio_pendant_opus_fs320_16000_1_12.bin': speech,
    };
    // A second conversation has the same time. Words with times of a different clock do not belong to it.
    const clocked = { [recordingName(Date.now() - minute)]: recorded((await scene([3])).pcm, 'pcm16') };
    const named = Object.fromEntries(
      Object.entries(clocked).map(([name, bytes]) => [name.replace('opus_fs320', 'pcm16'), bytes]),
    );
    t.match(await ended(dan, await upload(dan, named)), { status: 'completed', new_memories: [/./] });
    const before = Date.now();
    const sent = await upload(dan, files);
    const after = Date.now();
    const done = await ended(dan, sent);
    t.match(done, { status: 'completed', new_memories: [/./], updated_memories: [], errors: [] });
    const placed = () => api.sql<{ from: number; to: number; bytes: number }[]>`
      select extract(epoch from started_at)::double precision * 1000 as from, bytes::integer,
        extract(epoch from started_at)::double precision * 1000 + duration_ms as to
      from recordings where uid = ${dan.uid} and clock = 'upload' order by started_at`;
    const rows = await placed();
    t.strictSame(
      rows.map(({ bytes }) => bytes),
      [speech.length, other.length],
      'in the order of their own time',
    );
    t.ok(rows[0]!.to <= rows[1]!.from + 1, 'they do not overlap');
    t.ok(rows[1]!.to >= before - 1 && rows[1]!.to <= after + 1, 'the last one ends at the upload');
    const own = (await conversationsOf(dan)).filter(({ clock }) => clock === 'upload');
    t.equal(own.length, 1, 'they have a conversation of their own');
    t.ok(own[0]!.finished_at.getTime() <= after + 1);
    const shown = await api.call(`/v1/dev/user/conversations/${own[0]!.id}`, { credential: dan.key });
    t.match(shown.body, { clock: 'upload', id: own[0]!.id });

    const count = asked;
    t.match(await ended(dan, await upload(dan, files)), { new_memories: done.new_memories });
    t.equal(asked, count, 'sent again they are known, although their time is another');
    const next = recorded((await scene([1])).pcm, 'opus_fs320');
    const more = await upload(dan, { 'audio_pendant_opus_fs320_16000_1_90.bin': next });
    t.match(await ended(dan, more), { updated_memories: done.new_memories, new_memories: [] });
    const [, second, third] = await placed();
    t.ok(third!.from >= second!.to - 1, 'the next upload follows on the last one');
  });
});
