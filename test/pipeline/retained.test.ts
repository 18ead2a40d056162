/**
 * Retained audio becomes words of its conversation, once and at the right time, whatever fails on the way. Audio that cannot be
 * transcribed is marked as failed and kept.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { loadSettings } from '../../src/config/load-settings.js';
import { createUser } from '../../src/identity/users.js';
import { startPipeline } from '../../src/pipeline/pipeline.js';
import { lookForRetained, transcribeRetained } from '../../src/pipeline/words/retained.js';

import { listJobs, retryJobs } from '../../src/store/jobs/jobs.js';
import { insertSegments } from '../../src/store/segments/segments.js';
import { openArchive } from '../../src/stt/retained/archive.js';
import type {
  TranscriptionClient,
  TranscriptionRequest,
} from '../../src/stt/shared/transcription-request.js';
import { testDatabase } from '../support/database/database.js';
import { readStored } from '../support/database/read-stored.js';
import { until } from '../support/until.js';
import { contextOf, log, retain, saying, settings } from './retained-support.js';

const segment = (text: string, start: number, end: number) => ({
  id: randomUUID(),
  text,
  speaker: 'SPEAKER_00',
  speaker_id: 0,
  is_user: false,
  person_id: null,
  start,
  end,
  translations: [],
  speech_profile_processed: false,
  stt_provider: 'local',
  stt_model: null,
});

t.test('retained audio', async (t) => {
  const { url, sql } = await testDatabase(t);
  const startedAt = Date.now() - 600_000;
  await createUser(sql, { uid: 'ann' });

  /** Stores a conversation of two sentences, at 10 and 100 s. */
  const conversation = async (status = 'completed'): Promise<string> => {
    const id = randomUUID();
    await sql`
      insert into conversations (id, uid, status, source, created_at, started_at, finished_at, last_speech_at, structured)
      values (${id}, 'ann', ${status}, 'phone', ${new Date(startedAt)}, ${new Date(startedAt)},
        ${new Date(startedAt + 110_000)}, ${new Date(startedAt + 110_000)}, '{"title": "Old"}')`;
    await insertSegments(sql, id, [
      segment('The first sentence.', 10, 12),
      segment('The last one.', 100, 102),
    ]);
    return id;
  };
  const textsOf = async (id: string) =>
    (await readStored(sql, id))?.transcript_segments.map(({ text }) => text);
  const folder = (t: { testdir(): string }) => join(t.testdir(), 'audio');
  const run = async (
    directory: string,
    key: string,
    client: TranscriptionClient = saying('Said in between.'),
  ) => {
    const context = await contextOf(sql, directory, client);
    await lookForRetained(context);
    return transcribeRetained(context, { key });
  };

  await t.test('is added at its place to an ended conversation, which is summarised again', async (t) => {
    const directory = folder(t);
    const id = await conversation();
    const places = [
      { at: 50, texts: ['The first sentence.', 'Said in between.', 'The last one.'] },
      { at: 200, texts: ['The first sentence.', 'Said in between.', 'The last one.', 'Said in between.'] },
      {
        at: -20,
        texts: [
          'Said in between.',
          'The first sentence.',
          'Said in between.',
          'The last one.',
          'Said in between.',
        ],
      },
    ];
    for (const { at, texts } of places) {
      const key = await retain(directory, { conversation: id, from: startedAt + at * 1000 });
      t.equal(await run(directory, key), 'merged');
      t.strictSame(await textsOf(id), texts, `at ${at} s`);
      t.strictSame(readdirSync(directory), [], 'the audio is removed');
      t.equal(await run(directory, key), 'settled');
    }
    const stored = await readStored(sql, id);
    t.equal(Date.parse(stored!.started_at!), startedAt - 20_000, 'it began earlier');
    t.strictSame(
      stored!.transcript_segments.map(({ start }) => Math.round(start)),
      [0, 30, 70, 120, 220],
    );
    t.ok(Date.parse(stored!.finished_at!) >= startedAt + 200_000);
    const [step] = await sql`select state, run from steps where key = ${id} and step = 'structure'`;
    t.match(step, { state: 'waiting' });
    const [usage] =
      await sql`select sum(seconds)::float as seconds from speech_usage where conversation_id = ${id}`;
    t.ok(usage!.seconds >= 5, 'what was transcribed counts');
  });

  await t.test("is transcribed with the user's custom words of that moment", async (t) => {
    const directory = folder(t);
    const key = await retain(directory, { conversation: await conversation(), from: startedAt + 50_000 });
    await sql`update users set custom_words = ${['Okafor']} where uid = 'ann'`;
    let keywords: readonly string[] | undefined;
    const client = saying('Said.');
    const transcribe: typeof client.transcribe = (request) => {
      keywords = request.keywords;
      return client.transcribe(request);
    };
    t.equal(await run(directory, key, { ...client, transcribe }), 'merged');
    t.strictSame(keywords, ['Okafor']);
  });

  await t.test('joins the sentence that it continues', async (t) => {
    const directory = folder(t);
    const id = await conversation();
    const key = await retain(directory, { conversation: id, from: startedAt + 12_500 });
    t.equal(await run(directory, key, saying('It goes on.')), 'merged');
    t.strictSame(await textsOf(id), ['The first sentence. It goes on.', 'The last one.']);
  });

  await t.test('waits for an open conversation, and is dropped for a deleted one', async (t) => {
    const directory = folder(t);
    for (const [status, outcome, left] of [
      ['in_progress', 'postponed', 1],
      ['processing', 'postponed', 1],
      ['failed', 'merged', 0],
    ] as const) {
      const id = await conversation(status);
      const key = await retain(directory, { conversation: id, from: startedAt + 50_000 });
      t.equal(await run(directory, key), outcome, status);
      t.equal(readdirSync(directory).length, left, status);
      if (left > 0) {
        await sql`update conversations set status = 'completed' where id = ${id}`;
        t.equal(await run(directory, key), 'merged', 'later');
      }
      t.equal((await textsOf(id))?.length, 3);
    }
    const deleted = await conversation();
    await sql`update conversations set deleted_at = now() where id = ${deleted}`;
    const key = await retain(directory, { conversation: deleted });
    t.equal(await run(directory, key), 'dropped');
    t.strictSame(readdirSync(directory), []);
  });

  await t.test('does not enter the conversation of another user who has its id now', async (t) => {
    const directory = folder(t);
    const foreign = await conversation();
    await sql`update conversations set uid = 'bob' where id = ${foreign}`;
    const from = Date.now() - 50 * 86_400_000;
    const key = await retain(directory, { conversation: foreign, source: 'desktop', from });
    t.equal(await run(directory, key), 'merged');
    t.equal((await textsOf(foreign))?.length, 2, 'nothing is added there');
    const made = await sql<{ id: string }[]>`
      select id from conversations where uid = 'ann' and started_at = ${new Date(from)}`;
    t.equal(made.length, 1);
    t.strictSame(await textsOf(made[0]!.id), ['Said in between.']);
  });

  await t.test('creates a conversation if no other words exist', async (t) => {
    const directory = folder(t);
    const gone = randomUUID();
    const long = Date.now() - 40 * 86_400_000;
    for (const [origin, id] of [
      [{ conversation: gone, from: long }, gone],
      [{ conversation: null, source: 'desktop', from: long }, undefined],
    ] as const) {
      const key = await retain(directory, origin);
      t.equal(await run(directory, key), 'merged');
      const [row] = await sql<{ id: string; status: string; source: string }[]>`
        select id, status, source from conversations
        where uid = 'ann' and started_at = ${new Date(long)} and source = ${id ? 'phone' : 'desktop'}`;
      t.equal(row?.status, 'processing', 'which is summarised like any other');
      if (id) t.equal(row?.id, id);
      // Words that are a minute later still belong to the conversation.
      await sql`update conversations set status = 'completed' where id = ${row!.id}`;
      const next = await retain(directory, {
        ...origin,
        conversation: null,
        source: row!.source,
        from: long + 60_000,
      });
      t.equal(await run(directory, next), 'merged');
      t.equal((await textsOf(row!.id))?.length, 2);
    }
  });

  await t.test('names the model that decoded it', async (t) => {
    const directory = folder(t);
    const id = await conversation();
    const client = saying('Said in between.');
    for (const [at, model] of [
      [50, 'whisper-base'],
      [70, undefined],
    ] as const) {
      const key = await retain(directory, { conversation: id, from: startedAt + at * 1000 });
      const transcribe: TranscriptionClient['transcribe'] = async (request) => ({
        ...(await client.transcribe(request)),
        ...(model === undefined ? {} : { model }),
      });
      t.equal(await run(directory, key, { ...client, transcribe }), 'merged');
    }
    const rows = await sql<{ stt_model: string | null }[]>`
      select stt_model from segments where conversation_id = ${id} order by start_seconds`;
    t.strictSame(
      rows.map(({ stt_model: model }) => model),
      [null, 'whisper-base', null, null],
    );
  });

  await t.test('follows the answer of the service', async (t) => {
    const directory = folder(t);
    const id = await conversation();
    const answer = { text: '', provider: 'local', waited: 0, decoded: 0 };
    const cases = [
      { result: { ...answer, outcome: 'expected_silence' }, outcome: 'silent' },
      { result: { ...answer, outcome: 'empty_unexpected' }, outcome: 'silent' },
      { result: { ...answer, outcome: 'upstream_error', rejected: 'full' }, outcome: 'postponed' },
      { result: { ...answer, outcome: 'upstream_error', rejected: 'away' }, outcome: 'postponed' },
      { result: { ...answer, outcome: 'config_error' }, outcome: 'postponed' },
      { result: { ...answer, outcome: 'invalid_input' }, outcome: 'dead' },
      { result: { ...answer, outcome: 'config_error', reason: 'language' }, outcome: 'dead' },
      { result: { ...answer, outcome: 'upstream_error' }, throws: 'stt_upstream_error' },
      { result: { ...answer, outcome: 'timeout' }, throws: 'stt_timeout' },
    ] as const;
    for (const { result, ...expected } of cases) {
      const key = await retain(directory, { conversation: id });
      const client: TranscriptionClient = { ...saying(''), transcribe: async () => result };
      const name = `${result.outcome}${'rejected' in result ? ` ${result.rejected}` : ''}`;
      if ('throws' in expected) await t.rejects(run(directory, key, client), { code: expected.throws }, name);
      else t.equal(await run(directory, key, client), expected.outcome, name);
    }
    t.strictSame(await textsOf(id), ['The first sentence.', 'The last one.']);
    await sql`delete from retained_audio`;
  });

  await t.test('is marked as failed after some attempts, listed, and can be retried', async (t) => {
    const directory = folder(t);
    const id = await conversation();
    const key = await retain(directory, { conversation: id, from: startedAt + 50_000 });
    const failing: TranscriptionClient = {
      ...saying(''),
      transcribe: async () => ({
        outcome: 'upstream_error',
        text: '',
        provider: 'local',
        waited: 0,
        decoded: 0,
      }),
    };
    for (let attempt = 1; attempt <= 4; attempt++) await t.rejects(run(directory, key, failing));
    t.equal(await run(directory, key, failing), 'dead');
    t.strictSame(readdirSync(directory), [`${key}.opus.failed`]);
    t.match(await listJobs(sql, { state: 'dead', step: 'retained', limit: 10 }), [
      { id: `retained:${key}`, attempts: 5, error: 'stt_upstream_error' },
    ]);
    t.equal(await run(directory, key), 'settled', 'nothing happens by itself');
    t.strictSame(await retryJobs(sql, [`retained:${key}`]), [`retained:${key}`]);
    t.equal(await run(directory, key), 'merged');
    t.strictSame(readdirSync(directory), []);

    const damaged = await retain(directory, { conversation: id });
    writeFileSync(join(directory, `${damaged}.opus`), 'damaged');
    t.equal(await run(directory, damaged), 'dead', 'at once');
    const sealed = loadSettings({ RETAINED_AUDIO_KEY: randomBytes(32).toString('hex') }).values;
    writeFileSync(join(directory, `${damaged.replace(/\d$/, '7')}.opus.aes`), 'of another key');
    const context = {
      ...(await contextOf(sql, directory, saying(''))),
      archive: await openArchive(sealed, directory),
    };
    await lookForRetained(context);
    t.equal(await transcribeRetained(context, { key: damaged.replace(/\d$/, '7') }), 'dead');
  });

  await t.test('is stored exactly once although a process is killed', async (t) => {
    const script = fileURLToPath(new URL('./retained-killed.js', import.meta.url));
    for (const moment of ['transcribed', 'committed']) {
      const directory = folder(t);
      const id = await conversation();
      const key = await retain(directory, { conversation: id, from: startedAt + 50_000 });
      const killed = spawnSync(process.execPath, [script, url, directory, key, moment]);
      t.equal(killed.signal, 'SIGKILL', String(killed.stderr));
      t.equal(readdirSync(directory).length, 1, 'the audio is still there');
      t.equal((await textsOf(id))?.length, moment === 'committed' ? 3 : 2);
      const words = saying('Words that count once.');
      t.equal(await run(directory, key, words), moment === 'committed' ? 'settled' : 'merged');
      t.equal((await textsOf(id))?.length, 3, moment);
      t.strictSame(readdirSync(directory), []);
    }
  });

  await t.test('is transcribed, not removed, if it could not be found for a moment', async (t) => {
    const directory = folder(t);
    const id = await conversation();
    const key = await retain(directory, { conversation: id, from: startedAt + 50_000 });
    const context = await contextOf(sql, directory, saying('Said in between.'));
    await lookForRetained(context);
    // Simulates another machine with the same name, whose folder lacks the file.
    const elsewhere = { ...context, archive: await openArchive(settings, `${directory}-other`) };
    t.equal(await transcribeRetained(elsewhere, { key }), 'settled');
    t.equal(await run(directory, key), 'merged');
    t.equal((await textsOf(id))?.length, 3);
  });

  await t.test('is not stored again when an engine moves it to the bucket again', async (t) => {
    const directory = folder(t);
    const id = await conversation();
    const key = await retain(directory, { conversation: id, from: startedAt + 50_000 });
    const silent = await retain(directory, { conversation: id, from: startedAt + 60_000 });
    const name = join(directory, `${key}.opus`);
    const bytes = readFileSync(name);
    const inFolder = await contextOf(sql, directory, saying('Said in between.'));
    const context = { ...inFolder, archive: { ...inFolder.archive, mayComeBack: true } };
    await lookForRetained(context);
    t.equal(await transcribeRetained(context, { key }), 'merged');
    t.equal(await transcribeRetained({ ...context, transcription: saying('') }, { key: silent }), 'silent');
    // Simulates an engine that was down for years.
    await sql`update retained_audio set ended_at = ended_at - interval '1000 days', created_at = created_at - interval '1000 days'`;
    await lookForRetained(context);
    t.equal(
      (await sql`select 1 from retained_audio where key = ${silent}`).length,
      0,
      'what said nothing is forgotten',
    );
    writeFileSync(name, bytes);
    await lookForRetained(context);
    t.equal(await transcribeRetained(context, { key }), 'settled');
    t.equal((await textsOf(id))?.length, 3);
    t.strictSame(readdirSync(directory), []);
    const jobs = await listJobs(sql, { state: 'done', step: 'retained', limit: 100 });
    t.match(
      jobs.find((job) => job.id === `retained:${key}`),
      { ended_at: null },
      'when it ended is not known',
    );
  });

  await t.test('with other names, or under two names, blocks no other files', async (t) => {
    const directory = folder(t);
    const id = await conversation();
    const key = await retain(directory, { conversation: id, from: startedAt + 50_000 });
    const bytes = readFileSync(join(directory, `${key}.opus`));
    writeFileSync(join(directory, `${key}.opus.failed`), bytes);
    for (const name of ['any', `\u0001\u009b31m`, '..%2f..', 'n'.repeat(200)]) {
      writeFileSync(join(directory, `${name}.opus`), bytes);
    }
    t.equal(await run(directory, key), 'merged');
    t.equal((await textsOf(id))?.length, 3);
    const noted = await sql`select 1 from retained_audio where key in ('any', ${'n'.repeat(200)})`;
    t.equal(noted.length, 0);
    t.equal(readdirSync(directory).length, 4, 'the others are left to an operator');
  });

  await t.test('is stored once if two processes work at the same time', async (t) => {
    const directory = folder(t);
    const id = await conversation();
    const key = await retain(directory, { conversation: id, from: startedAt + 50_000 });
    const context = await contextOf(sql, directory, saying('Said in between.'));
    await lookForRetained(context);
    const outcomes = await Promise.all([1, 2, 3].map(() => transcribeRetained(context, { key })));
    t.equal(outcomes.filter((outcome) => outcome === 'merged').length, 1);
    t.equal((await textsOf(id))?.length, 3);
  });

  await t.test('is transcribed in the language of its stream, or in a detected one', async (t) => {
    for (const [language, languages, expected] of [
      ['fr', undefined, 'fr'],
      ['multi', ['en', 'fr'], 'de'],
    ] as const) {
      const directory = folder(t);
      const id = await conversation();
      await sql`update conversations set language = 'multi' where id = ${id}`;
      const key = await retain(directory, { conversation: id, from: startedAt + 50_000 }, language);
      const asked: TranscriptionRequest[] = [];
      const outcome = await run(directory, key, {
        ...saying(''),
        transcribe: async (request) => {
          asked.push(request);
          return {
            outcome: 'success',
            text: 'Words.',
            language: 'de',
            provider: 'local',
            waited: 0,
            decoded: 0,
          };
        },
      });
      t.equal(outcome, 'merged');
      t.match(asked, [{ language }]);
      t.same(asked[0]!.languages, languages);
      const [row] = await sql`select language from conversations where id = ${id}`;
      t.equal(row!.language, expected, 'an unknown language becomes known');
    }
  });

  await t.test('is found by the pipeline, and the summary follows', async (t) => {
    const directory = folder(t);
    const id = await conversation();
    await retain(directory, { conversation: id, from: startedAt + 50_000 });
    const { archive, place, transcription, speakerLanguages } = await contextOf(
      sql,
      directory,
      saying('Ann will call the plumber.'),
    );
    const settings = loadSettings({ SWEEP_INTERVAL: '200' }).values;
    const retained = { archive, place, transcription, speakerLanguages };
    const pipeline = startPipeline({ settings, databaseUrl: url, log, retained });
    t.teardown(() => pipeline.close(5000));
    await until(async () => (await textsOf(id))?.length === 3);
    t.ok(await until(() => readdirSync(directory).length === 0));
  });
});
