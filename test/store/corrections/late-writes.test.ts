/** No automatic writer of segments changes the text or the speaker of a segment that the user has corrected. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { changeSegment } from '../../../src/service/corrections/corrected-text.js';
import { mergeConversationsOf } from '../../../src/service/corrections/merge-conversations.js';
import { splitConversation } from '../../../src/service/corrections/split-conversation.js';
import { storeTranslations } from '../../../src/store/conversations/late-translations.js';
import {
  findLateTarget,
  mergeLateWords,
  storedSegments,
} from '../../../src/store/conversations/late-words.js';
import { besideConversation } from '../../../src/store/devices/device-conversations.js';
import { commitChanges, commitFencedChange } from '../../../src/store/live/fenced-writes.js';
import {
  insertSegments,
  transcriptOf,
  upsertSegments,
  writtenRow,
} from '../../../src/store/segments/segments.js';
import { insertLate } from '../../../src/transcript/late.js';
import type { LiveSegment } from '../../../src/wire/segment.js';
import type { SpilledChange } from '../../../src/wire/spill/spill.js';
import { testDatabase } from '../../support/database/database.js';
import { saidSegment } from '../../support/texts/said-segment.js';

const begun = Date.parse('2026-03-02T10:00:00Z');
const moment = (seconds: number): Date => new Date(begun + seconds * 1000);

t.test('writes that follow a correction', async (t) => {
  const { sql } = await testDatabase(t);

  /** Stores a completed conversation with two segments, and corrects the text of the first. */
  const corrected = async (): Promise<string> => {
    const id = randomUUID();
    await sql`
      insert into conversations (id, uid, status, source, created_at, started_at, last_speech_at, finished_at,
        structured, speech_probability)
      values (${id}, 'ann', 'completed', 'phone', ${moment(0)}, ${moment(0)}, ${moment(9)}, ${moment(9)}, '{}', 0.9)`;
    await insertSegments(sql, id, [
      saidSegment('we met at the bare', { id: 'a', end: 2, stt_provider: 'local' }),
      saidSegment('yes', {
        id: 'b',
        start: 6,
        end: 7,
        speaker: 'SPEAKER_01',
        speaker_id: 1,
        stt_provider: 'local',
      }),
    ]);
    await changeSegment(sql, 'ann', { id, segmentId: 'a', text: 'We met at the bar.', revision: 1 });
    return id;
  };
  const textsOf = async (id: string): Promise<string[]> =>
    (await transcriptOf(sql, id)).map(({ text }) => text);
  const spilled = (id: string, segment: LiveSegment | null, revision: number): SpilledChange => ({
    conversation: {
      id,
      uid: 'ann',
      source: 'phone',
      deviceId: null,
      clientPlatform: null,
      language: 'en',
      timeout: 120,
      usesCustomStt: false,
      createdAt: begun,
    },
    epoch: 1,
    startedAt: begun,
    lastSpeechAt: begun,
    speechProbability: null,
    spoken: null,
    rows: [{ id: 'a', position: 0, revision, segment }],
  });

  await t.test('an upsert and a deletion of any writer', async (t) => {
    const id = await corrected();
    const other = saidSegment('other words', {
      id: 'a',
      speaker: 'SPEAKER_03',
      speaker_id: 3,
      person_id: 'x',
    });
    for (const segment of [other, null]) {
      const row = { id: 'a', position: 0, revision: 90, segment };
      await upsertSegments(sql, [writtenRow(id, 5, row)], 'conversations');
    }
    t.match((await transcriptOf(sql, id))[0], { text: 'We met at the bar.', speaker_id: 0, person_id: null });
  });

  await t.test('a commit of the engine that has the conversation', async (t) => {
    const id = await corrected();
    await sql`update conversations set status = 'in_progress', epoch = 1 where id = ${id}`;
    const written = await commitChanges(sql, [spilled(id, saidSegment('new', { id: 'a' }), 40)], 'engine');
    t.equal(written.size, 1);
    t.same(await textsOf(id), ['We met at the bar.', 'yes']);
  });

  await t.test(
    'replays of a spill or of its copies add only words that were not written before',
    async (t) => {
      const id = await corrected();
      const replay = (text: string | null, revision: number) =>
        sql.begin((transaction) =>
          commitFencedChange(
            transaction,
            spilled(id, text === null ? null : saidSegment(text, { id: 'a' }), revision),
          ),
        );
      await replay('we met', 1);
      await replay('we met at the bare', 7);
      await replay(null, 8);
      t.same(await textsOf(id), ['We met at the bar.', 'yes']);
      await replay('we met at the bare and drank', 9);
      await replay('we met at the bare and drank', 9);
      t.same(await textsOf(id), ['We met at the bar.', 'and drank', 'yes']);
    },
  );

  await t.test('late words of stored audio are no part of the corrected segment', async (t) => {
    const id = await corrected();
    const late = (from: number, text: string) =>
      sql.begin((transaction) =>
        mergeLateWords(
          transaction,
          {
            uid: 'ann',
            conversation: id,
            source: null,
            device: null,
            platform: null,
            language: 'en',
            from: begun + from * 1000,
            to: begun + from * 1000 + 1000,
            change: async (stored, startedAt) => {
              const start = (begun + from * 1000 - startedAt) / 1000;
              const incoming = saidSegment(text, {
                id: randomUUID(),
                start,
                end: start + 1,
                stt_provider: 'local',
              });
              const steps = insertLate(stored, [incoming]);
              for (;;) {
                const { done, value } = steps.next();
                if (done) return value;
              }
            },
            usage: async () => [],
          },
          randomUUID(),
        ),
      );
    await late(2.5, 'and drank');
    t.same(await textsOf(id), ['We met at the bar.', 'and drank', 'yes']);
    await late(-5, 'Hello.');
    t.same(await textsOf(id), ['Hello.', 'We met at the bar.', 'and drank', 'yes']);
    const stored = await sql.begin((transaction) => storedSegments(transaction, id));
    t.same(
      stored.map(({ segment, byUser }) => [segment.start, byUser === true]),
      [
        [0, false],
        [5, true],
        [7.5, false],
        [11, false],
      ],
      'times follow a new start of the conversation',
    );
  });

  await t.test('a translation of the earlier text is not stored', async (t) => {
    const id = await corrected();
    const translation = { lang: 'de', text: 'Wir trafen uns am Bären' };
    const given = (source: string) => storeTranslations(sql, 'ann', id, [{ id: 'a', source, translation }]);
    t.equal(await given('we met at the bare'), 0);
    t.equal(await given('We met at the bar.'), 1);
  });

  await t.test('a corrected conversation is not merged with that of another device', async (t) => {
    await sql`delete from conversations`;
    const [one, other] = [await corrected(), await corrected()];
    await sql`update conversations set client_device_id = 'watch' where id = ${other}`;
    const beside = (id: string) => sql.begin((transaction) => besideConversation(transaction, 'ann', id));
    t.same([await beside(one), await beside(other)], [[], []]);
    await sql`update segments set by_user = false, corrections = corrections + 1`;
    t.same([await beside(one), await beside(other)], [[other], [one]]);
  });

  await t.test('a replay does not restore segments that were moved, and loses no new words', async (t) => {
    const id = await corrected();
    const { id: part } = await splitConversation(sql, 'ann', id, 'b');
    const replay = async (of: string, text: string, revision: number): Promise<void> => {
      const change = spilled(of, saidSegment(text, { id: 'b' }), revision);
      await sql.begin((transaction) =>
        commitFencedChange(transaction, { ...change, rows: [{ ...change.rows[0]!, id: 'b' }] }),
      );
    };
    await replay(id, 'yes', 8);
    t.same([await textsOf(id), await textsOf(part)], [['We met at the bar.'], ['yes']]);
    await replay(id, 'yes indeed', 9);
    t.same([await textsOf(id), await textsOf(part)], [['We met at the bar.', 'indeed'], ['yes']]);
    await sql`update conversations set status = 'completed' where id = ${id}`;
    t.equal((await mergeConversationsOf(sql, 'ann', [part, id])).id, id);
    t.same([await textsOf(id), await textsOf(part)], [['We met at the bar.', 'indeed', 'yes'], []]);
    await replay(id, 'yes', 10);
    await replay(id, 'yes indeed', 11);
    t.same(await textsOf(id), ['We met at the bar.', 'yes', 'indeed'], 'also after the parts are merged');
    const [ended] =
      await sql`select discarded, merged_into, structured from conversations where id = ${part}`;
    t.match(ended, { discarded: true, merged_into: id, structured: null });
  });

  await t.test(
    'late words go to the part of their time, and to the conversation that a part was merged into',
    async (t) => {
      const id = await corrected();
      const target = async (from: number) => {
        const to = begun + (from + 1) * 1000;
        const place = {
          uid: 'ann',
          conversation: id,
          source: null,
          device: null,
          platform: null,
          language: 'en',
        };
        const found = await findLateTarget(sql, { ...place, from: begun + from * 1000, to });
        return found.kind === 'found' ? found.row.id : found.kind;
      };
      const { id: part } = await splitConversation(sql, 'ann', id, 'b');
      t.same([await target(-9), await target(3), await target(6), await target(99)], [id, id, part, part]);
      const other = await corrected();
      await sql`update conversations set started_at = started_at - interval '1 hour' where id = ${other}`;
      await mergeConversationsOf(sql, 'ann', [part, other]);
      t.same([await target(3), await target(6)], [id, other]);
      await sql`update conversations set deleted_at = now() where id = ${other}`;
      t.same([await target(3), await target(6)], [id, 'gone']);
    },
  );
});
