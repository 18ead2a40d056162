/** A change that comes late, from a writer that has ended, replaces nothing newer. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { commitChanges, commitFencedChange } from '../../../src/store/live/fenced-writes.js';
import type { SegmentRow, SpilledChange } from '../../../src/wire/spill/spill.js';
import { spilledConversation } from '../../journal/copies/support.js';
import { segment, startOfTime, storedTexts } from '../../journal/support.js';
import { testDatabase } from '../../support/database/database.js';

t.test('late changes', async (t) => {
  const { sql } = await testDatabase(t);
  const made = async (columns: Record<string, unknown> = {}): Promise<string> => {
    const id = randomUUID();
    const row = {
      id,
      uid: 'ada',
      status: 'in_progress',
      source: 'omi',
      language: 'en',
      epoch: 2,
      timeout_seconds: 120,
    };
    const times = { created_at: new Date(startOfTime), last_speech_at: new Date(startOfTime) };
    await sql`insert into conversations ${sql({ ...row, ...times, ...columns } as never)}`;
    return id;
  };
  const change = (id: string, values: Partial<SpilledChange>): SpilledChange => ({
    conversation: spilledConversation({ id }),
    epoch: 2,
    startedAt: startOfTime,
    lastSpeechAt: startOfTime,
    speechProbability: null,
    spoken: null,
    rows: [],
    ...values,
  });
  const valuesOf = async (id: string) =>
    (
      await sql`select language, spoken_ms, speech_probability, audio_clock, audio_confirmed_ms, audio_began_at from conversations
        where id = ${id}`
    )[0];

  const old = { language: 'en', times: { en: 1000 } };
  const cases = [
    {
      name: 'older lengths of speech do not replace newer ones',
      stored: { language: 'de', spoken_ms: { en: 1000, de: 9000 } },
      late: { spoken: old },
      expected: { language: 'de', spoken_ms: { en: 1000, de: 9000 } },
    },
    {
      name: 'newer lengths of speech are stored',
      stored: { spoken_ms: { en: 1000 } },
      late: { spoken: { language: 'de', times: { en: 1000, de: 9000 } } },
      expected: { language: 'de', spoken_ms: { en: 1000, de: 9000 } },
    },
    {
      name: 'without stored lengths, those of the change are stored',
      stored: { language: 'multi' },
      late: { spoken: old, speechProbability: 0.5 },
      expected: { language: 'en', spoken_ms: { en: 1000 }, speech_probability: 0.5 },
    },
    {
      name: 'a stored probability stays',
      stored: { speech_probability: 0.25 },
      late: { speechProbability: 0.5 },
      expected: { speech_probability: 0.25 },
    },
    {
      name: 'positions of a clock only grow, track by track',
      stored: { audio_clock: 'a', audio_confirmed_ms: [1000, 5000] },
      late: { audio: { clock: 'a', confirmed: [2000, 4000] } },
      expected: { audio_clock: 'a', audio_confirmed_ms: [2000, 5000] },
    },
    {
      name: 'another clock stays',
      stored: { audio_clock: 'a', audio_confirmed_ms: [1000] },
      late: { audio: { clock: 'b', confirmed: [9000], began: 5000 } },
      expected: { audio_clock: 'a', audio_confirmed_ms: [1000], audio_began_at: null },
    },
    {
      name: 'a first clock is stored',
      stored: {},
      late: { audio: { clock: 'b', confirmed: [9000], began: 5000 } },
      expected: { audio_clock: 'b', audio_confirmed_ms: [9000], audio_began_at: new Date(5000) },
    },
    {
      name: 'a change without a clock leaves it',
      stored: { audio_clock: 'a', audio_confirmed_ms: [1000] },
      late: {},
      expected: { audio_clock: 'a', audio_confirmed_ms: [1000] },
    },
  ];
  for (const { name, stored, late, expected } of cases) {
    await t.test(name, async (t) => {
      const id = await made(stored);
      for (const _ of [1, 2]) {
        const written = await commitChanges(sql, [change(id, late)], 'ended');
        t.equal(written.size, 1);
        t.match(await valuesOf(id), expected);
      }
    });
  }
  await t.test('the holder itself replaces them', async (t) => {
    const id = await made({ language: 'de', spoken_ms: { en: 1000, de: 9000 } });
    await commitChanges(sql, [change(id, { spoken: old })], 'engine/0/holder');
    t.match(await valuesOf(id), { language: 'en', spoken_ms: { en: 1000 } });
  });

  const row = (revision: number, text: string): SegmentRow => ({
    id: 's',
    position: 0,
    revision,
    segment: segment('s', text),
  });
  const removals = [
    { name: 'removed after them', epoch: 2, revision: 4, expected: [] },
    { name: 'removed by a later holder', epoch: 3, revision: 2, expected: [] },
    { name: 'removed before them', epoch: 2, revision: 2, expected: ['one two'] },
  ];
  for (const { name, epoch, revision, expected } of removals) {
    await t.test(`words of a lost lease in a segment that was ${name}`, async (t) => {
      const id = await made({ epoch: 3, continued_from: 3 });
      await sql`
        insert into segments (conversation_id, id, position, revision, epoch, deleted, text, speaker, speaker_id, is_user,
          start_seconds, end_seconds, speech_profile_processed, stt_provider)
        values (${id}, 's', 0, ${revision}, ${epoch}, true, '', '', 0, false, 0, 0, true, 'local')`;
      for (const _ of [1, 2]) {
        await sql.begin((transaction) =>
          commitFencedChange(transaction, change(id, { rows: [row(3, 'one two')] })),
        );
        t.same(await storedTexts(sql, id), expected);
      }
    });
  }
});
