/** Offline recordings become conversations exactly once, whatever fails on the way. An invalid recording leaves no data. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import t from 'tap';
import { developerScopes } from '../../src/identity/scopes.js';
import type { RecordingWork } from '../../src/pipeline/words/recordings.js';
import { native, withoutNative } from '../audio/support.js';
import { type Api, type Person, silentUpload, startApi, uploadForm } from '../sidecar/support.js';
import { scene } from '../support/texts/speech.js';
import { until } from '../support/until.js';
import { frameFile, recorded, recordingName } from './frame-files.js';

const path = '/v2/sync-local-files';
type Transcription = RecordingWork['transcription'];
type Result = Awaited<ReturnType<Transcription['transcribe']>>;

const saying = (text: string): Result => ({
  outcome: 'success',
  text,
  provider: 'local',
  waited: 0,
  decoded: 0,
});
const failing = (outcome: Result['outcome']): Result => ({ ...saying(''), outcome });

t.test('uploads', { skip: withoutNative }, async (t) => {
  /** Answers of the transcription service. If empty, the service numbers the utterances. */
  const answers: Result[] = [];
  let asked = 0;
  let lastRequest: Parameters<Transcription['transcribe']>[0] | undefined;
  const transcription: Transcription = {
    transcribe: async (request) => {
      lastRequest = request;
      return answers.shift() ?? { ...saying(`Utterance number ${++asked}.`), model: 'whisper-base' };
    },
    close: async () => undefined,
  };
  const api = await startApi(
    t,
    {
      SWEEP_INTERVAL: '200',
      UPLOAD_SIZE: '4000000',
      RECORDINGS_USER_SIZE: '8000000',
      RECORDING_LENGTH: '60000',
    },
    undefined,
    transcription,
  );
  const { pcm } = await scene([0, 1]);
  const speech = recorded(pcm, 'opus_fs320');
  const begun = Date.now() - 86_400_000;
  const upload = ({ token }: Person, files: Readonly<Record<string, Uint8Array>>, query = '') =>
    api.call(path + query, { credential: token, body: uploadForm(files) });
  const statusOf = async ({ token }: Person, id: string) =>
    (await api.call(`${path}/${id}`, { credential: token })).body;
  const ended = async (person: Person, id: string) => {
    await until(async () => (await statusOf(person, id)).poll_after_ms === 0, 'the upload has ended');
    return statusOf(person, id);
  };
  const textsOf = async ({ sql }: Api, id: string): Promise<string[]> => {
    const rows = await sql<{ text: string }[]>`
      select text from segments where conversation_id = ${id} and not deleted order by position`;
    return rows.map(({ text }) => text);
  };
  const filesLeft = async (): Promise<string[]> =>
    (await api.recordings.files.olderThan(Number.POSITIVE_INFINITY)).map(String);

  await t.test('files of one time become one conversation, and nothing the second time', async (t) => {
    const ann = await api.person(developerScopes);
    await api.sql`update users set language = 'en-GB', custom_words = ${['Okafor']} where uid = ${ann.uid}`;
    const files = {
      [recordingName(begun + 40_000)]: speech,
      [recordingName(begun)]: recorded(pcm, 'pcm16').subarray(0),
      [recordingName(begun + 7_200_000, 'opus_16000_1')]: speech,
    };
    const named = Object.fromEntries(
      Object.entries(files).map(([name, bytes], i) => [
        i === 1 ? name.replace('opus_fs320', 'pcm16') : name,
        bytes,
      ]),
    );
    const first = await upload(ann, named);
    t.match(first, { status: 202, body: { status: 'queued', total_files: 3, total_segments: 0 } });
    const done = await ended(ann, first.body.job_id);
    t.match(done, {
      status: 'completed',
      total_files: 3,
      failed_segments: 0,
      updated_memories: [],
      errors: [],
    });
    t.ok(done.total_segments >= 6, `${done.total_segments} utterances`);
    t.equal(
      done.new_memories.length,
      2,
      'one conversation of the two files that belong together, and another',
    );
    t.match(lastRequest, { user: ann.uid, language: 'en', priority: 'retained', keywords: ['Okafor'] });
    const [early] = await api.sql<{ id: string; started_at: Date; source: string }[]>`
      select id, started_at, source from conversations where uid = ${ann.uid} order by started_at limit 1`;
    t.equal(early!.source, 'sdcard');
    const models = await api.sql<{ stt_model: string | null }[]>`
      select distinct stt_model from segments where conversation_id = ${early!.id}`;
    t.strictSame([...models], [{ stt_model: 'whisper-base' }], 'segments name the model');
    t.ok(Math.abs(early!.started_at.getTime() - begun) < 5000, 'it has the time of the recording');
    await until(
      async () =>
        (await api.sql`select 1 from conversations where uid = ${ann.uid} and status <> 'completed'`)
          .length === 0,
      'the conversations have their summaries',
    );
    t.strictSame(await filesLeft(), [], 'the audio is removed');

    const before = asked;
    const again = await upload(ann, named);
    t.match(await ended(ann, again.body.job_id), { status: 'completed', new_memories: done.new_memories });
    t.equal(asked, before, 'nothing is transcribed a second time');
    t.strictSame(await filesLeft(), []);

    const more = await upload(ann, { [recordingName(begun + 80_000)]: speech });
    const merged = await ended(ann, more.body.job_id);
    t.match(
      merged,
      { new_memories: [], updated_memories: [early!.id] },
      'what belongs to it comes into it later',
    );
    t.ok((await textsOf(api, early!.id)).join(' ').split('Utterance').length > 6);
  });

  await t.test('the client may name the conversation; others see nothing', async (t) => {
    const [ben, eve] = [await api.person(developerScopes), await api.person(developerScopes)];
    const made = await api.call('/v1/conversations/from-segments', {
      credential: ben.token,
      body: {
        transcript_segments: [{ text: 'Hello there.', start: 0, end: 2 }],
        started_at: '2026-03-02T09:30:00Z',
      },
    });
    const { id } = made.body;
    await until(
      async () =>
        (await api.sql`select 1 from conversations where id = ${id} and status = 'completed'`).length === 1,
      'it is completed',
    );
    const file = { [recordingName(begun)]: speech };
    t.match(await upload(eve, file, `?conversation_id=${id}`), { status: 404 });
    t.match(await upload(ben, file, '?conversation_id=nonsense'), { status: 422 });
    const sent = await upload(ben, file, `?conversation_id=${id}`);
    t.match(await ended(ben, sent.body.job_id), { updated_memories: [id], new_memories: [] });
    t.match(await api.call(`${path}/${sent.body.job_id}`, { credential: eve.token }), { status: 404 });
    t.strictSame(await filesLeft(), [], 'of what was refused nothing is kept');
  });

  await t.test(
    'failures of the service are repeated; what stays failed is told, and can be sent again',
    async (t) => {
      const cleo = await api.person(developerScopes);
      const send = async (at: number) =>
        (await upload(cleo, { [recordingName(at)]: speech })).body.job_id as string;
      const soon = (): Promise<unknown> =>
        api.sql`update recordings set due_at = now() where state = 'waiting' and uid = ${cleo.uid} and due_at <> claimed_at + interval '60 s'`;

      const isPostponed = async (): Promise<boolean> => {
        const [row] = await api.sql`
          select attempts, due_at > now() as later from recordings where uid = ${cleo.uid} and state = 'waiting'`;
        return row!.later && row!.attempts === 0;
      };
      const absences = [failing('config_error'), { ...failing('upstream_error'), rejected: 'away' as const }];
      for (const [number, absence] of absences.entries()) {
        answers.push(absence);
        const away = await send(begun - number * 10_000_000);
        await until(isPostponed, `an attempt without a service does not count, ${absence.outcome}`);
        await soon();
        t.match(await ended(cleo, away), { status: 'completed' });
      }

      answers.push(failing('timeout'));
      const once = await send(begun - 50_000_000);
      await until(async () => {
        await soon();
        return (await statusOf(cleo, once)).poll_after_ms === 0;
      }, 'the second attempt succeeds');
      t.match(await statusOf(cleo, once), { status: 'completed', failed_segments: 0 });

      answers.push(...Array.from({ length: 100 }, () => failing('upstream_error')));
      const dead = await send(begun - 60_000_000);
      await until(async () => {
        await soon();
        return (await statusOf(cleo, dead)).poll_after_ms === 0;
      }, 'it is given up');
      t.match(await statusOf(cleo, dead), {
        status: 'failed',
        errors: [{ file: recordingName(begun - 60_000_000), code: 'stt_upstream_error', retryable: true }],
      });
      t.equal((await filesLeft()).length, 1, 'its audio is kept');
      answers.length = 0;
      answers.push({ ...failing('config_error'), reason: 'language' });
      const foreign = await send(begun - 70_000_000);
      t.match(await ended(cleo, foreign), {
        status: 'failed',
        errors: [
          { code: 'language_unsupported', message: 'The language is not supported', retryable: false },
        ],
      });
      const again = await send(begun - 60_000_000);
      t.match(await ended(cleo, again), { status: 'completed' });
      t.strictSame((await filesLeft()).length, 2, 'the former file waits for its removal');
    },
  );

  await t.test('what was lost with its machine is taken when it is uploaded again', async (t) => {
    const ida = await api.person(developerScopes);
    const file = { [recordingName(begun)]: speech };
    answers.push(failing('config_error'));
    const lost = await upload(ida, file);
    const away = (ago: string): Promise<unknown> => api.sql`
      update recordings set place = 'elsewhere', due_at = now() - ${ago}::interval where uid = ${ida.uid} and state = 'waiting'`;
    await until(async () => {
      const [row] = await api.sql`
        select due_at > now() and attempts = 0 as later from recordings where uid = ${ida.uid} and claimed_at is not null`;
      return row?.later;
    }, 'it waits');
    await away('1 minute');
    await upload(ida, file);
    t.match(
      await statusOf(ida, lost.body.job_id),
      { poll_after_ms: 5000 },
      'another machine may still have it',
    );
    await away('1 hour');
    await upload(ida, file);
    t.match(await ended(ida, lost.body.job_id), { status: 'completed' });
  });

  await t.test('what is no recording is refused, or ends by itself', async (t) => {
    const dan = await api.person(developerScopes);
    const before = await filesLeft();
    const name = recordingName(begun);
    const bomb = frameFile(Array.from({ length: 2000 }, () => Uint8Array.of(0b00011_0_00)));
    for (const [what, files, status, detail] of [
      ['a bad name', { 'audio.bin': speech }, 400, /name of a recording/],
      ['a path', { '../../etc/audio_1767225600.bin': speech }, 400, /plain file name/],
      ['a truncated file', { [name]: speech.subarray(0, 6) }, 400, /ends within a frame/],
      ['an absurd length', { [name]: Buffer.from('GET / HTTP/1.1\r\n') }, 400, /length of a frame/],
      ['an empty file', { [name]: Buffer.alloc(0) }, 400, /no audio/],
      ['minutes in kilobytes', { [name]: bomb }, 400, /too long/],
      ['no files', {}, 400, /form/],
    ] as const) {
      const answer = await upload(dan, files as Record<string, Uint8Array>);
      t.equal(answer.status, status, `${what}: ${JSON.stringify(answer.body)}`);
      t.match(answer.body.detail, detail, what);
    }
    const many = Object.fromEntries(
      Array.from({ length: 201 }, (_, i) => [recordingName(begun + i), speech.subarray(0, 0)]),
    );
    t.match(await upload(dan, many), { status: 400 }, 'too many files');
    const large = await upload(dan, { [name]: Buffer.alloc(4_100_000) });
    t.match(large, { status: 413 });
    for (const [type, body] of [
      ['multipart/form-data', 'x'],
      ['multipart/form-data; boundary=', 'x'],
      ['multipart/form-data; boundary=b', ''],
      [
        'multipart/form-data; boundary=b',
        '--b\r\ncontent-disposition: form-data; name="files"; filename="a_1767225600.bin"\r\n\r\nabc',
      ],
      ['multipart/form-data; boundary=b', `--b\r\n${'x: y\r\n'.repeat(3000)}\r\n\r\n--b--`],
      ['application/json', '{}'],
      ['text/plain', 'x'],
    ] as const) {
      const answer = await api.call(path, { credential: dan.token, body, headers: { 'content-type': type } });
      t.equal(answer.status, 400, `${type} ${body.slice(0, 10)}: ${JSON.stringify(answer.body)}`);
    }
    t.strictSame(await filesLeft(), before, 'nothing is kept');

    const noise = frameFile(
      Array.from({ length: 300 }, (_, i) => Uint8Array.from({ length: 3 }, (_, j) => 255 - i * j)),
    );
    const sent = await upload(dan, { [name]: noise });
    const { status } = await ended(dan, sent.body.job_id);
    t.ok(['failed', 'completed'].includes(status), `noise ends as ${status}`);
  });

  await t.test(
    'the credential is checked before the body, and an upload that breaks off leaves nothing',
    async (t) => {
      const before = await filesLeft();
      const { port } = new URL(api.base);
      const send = (lines: readonly string[], body: string): Promise<string> =>
        new Promise((resolve) => {
          const socket = connect(Number(port), '127.0.0.1', () => {
            socket.write(`${[`POST ${path} HTTP/1.1`, 'host: a', ...lines].join('\r\n')}\r\n\r\n${body}`);
          });
          socket.once('data', (answer) => {
            resolve(answer.toString());
            socket.destroy();
          });
        });
      const form = ['content-type: multipart/form-data; boundary=b', 'content-length: 3000000'];
      t.match(await send(form, ''), /^HTTP\/1.1 401 /, 'answered without a byte of the body');
      const { token } = await api.person(developerScopes);
      const head = `--b\r\ncontent-disposition: form-data; name="files"; filename="${recordingName(begun)}"\r\n\r\n`;
      const { files } = api.recordings;
      const { create } = files;
      let begunFiles = 0;
      let discardedFiles = 0;
      Object.assign(files, {
        create: async () => {
          const writer = await create();
          begunFiles++;
          const discard = async (): Promise<void> => {
            await writer.discard();
            discardedFiles++;
          };
          return { ...writer, discard };
        },
      });
      const socket = connect(Number(port), '127.0.0.1', () => {
        const lines = [`POST ${path} HTTP/1.1`, 'host: a', ...form, `authorization: Bearer ${token}`];
        socket.write(`${lines.join('\r\n')}\r\n\r\n${head}`);
        socket.write(speech);
      });
      await until(() => begunFiles > 0, 'it is being written');
      socket.destroy();
      await until(() => discardedFiles === begunFiles, 'it is discarded');
      t.equal((await filesLeft()).length, before.length, 'nothing of it is left');
      t.equal(await files.removeUnfinished(Number.POSITIVE_INFINITY), 0);
      Object.assign(files, { create });
      t.match(
        await api.call(path, { credential: token, body: silentUpload() }),
        { status: 202 },
        'its place is free',
      );
    },
  );

  await t.test('one user has two places and a part of the space', async (t) => {
    const [fay, gus] = [await api.person(developerScopes), await api.person(developerScopes)];
    await api.sql`
      insert into recordings (id, file, uid, digest, started_at, place, bytes, codec, sample_rate, channels, source, state, ended_at)
      values (gen_random_uuid(), gen_random_uuid(), ${fay.uid}, '\\x00', now(), ${api.recordings.files.place}, 7999999, 'opus', 16000, 1,
        'sdcard', 'dead', now())`;
    const full = await upload(fay, { [recordingName(begun)]: speech });
    t.match(full, { status: 429, body: { detail: /Too many recordings/ } });
    t.equal(full.headers.get('retry-after'), '60');
    t.match(await upload(gus, { [recordingName(begun)]: speech }), { status: 202 }, 'others have theirs');
  });

  await t.test('recordings in AAC and LC3', async (t) => {
    const liv = await api.person(developerScopes);
    const hour = 3_600_000;
    for (const [index, [name, format]] of (
      [
        ['aac', 'aac_16000_1'],
        ['lc3', 'lc3_16000_1_fs1030'],
      ] as const
    ).entries()) {
      const file = readFileSync(new URL(`../../../fixtures/recordings/${name}.bin`, import.meta.url));
      const sent = await upload(liv, { [recordingName(begun - (2 + index) * hour, format)]: file });
      t.equal(sent.status, 202, name);
      const done = await ended(liv, sent.body.job_id);
      if ('addon' in native && native.addon[name] !== undefined)
        t.match(done, { status: 'completed', total_segments: 1, failed_segments: 0, errors: [] }, name);
      else t.match(done, { status: 'failed', errors: [{ code: 'codec_unavailable' }] }, name);
      const wrong = await upload(liv, { [recordingName(begun - (8 + index) * hour, format)]: speech });
      const { status, errors } = await ended(liv, wrong.body.job_id);
      t.match(
        { status, errors },
        { status: 'failed', errors: [{ code: /^[a-z_]+$/ }] },
        `${name}: Opus under its name`,
      );
    }
  });

  await t.test('an account that is deleted takes its recordings with it', async (t) => {
    const hal = await api.person(developerScopes);
    answers.push(...Array.from({ length: 50 }, () => failing('config_error')));
    await upload(hal, { [recordingName(begun)]: speech });
    const body = { confirm: 'delete my account' };
    t.match(await api.call('/v1/users/deletion', { credential: hal.token, body }), { status: 200 });
    await until(
      async () => (await api.sql`select 1 from recordings where uid = ${hal.uid}`).length === 0,
      'its rows are gone',
    );
    answers.length = 0;
  });
});
