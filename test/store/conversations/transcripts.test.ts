/** Tests transcripts of any length. Several statements write a transcript, and it is read in chunks. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { transcriptText } from '../../../src/pipeline/input/transcript-text.js';
import { piece } from '../../../src/store/pieces/piece.js';
import { insertSegments, transcriptOf } from '../../../src/store/segments/segments.js';
import type { LiveSegment } from '../../../src/wire/segment.js';
import { testDatabase } from '../../support/database/database.js';

const said = (text: string): LiveSegment => ({
  id: randomUUID(),
  text,
  speaker: 'SPEAKER_00',
  speaker_id: 0,
  is_user: false,
  person_id: null,
  start: 0.25,
  end: 1,
  translations: [],
  speech_profile_processed: true,
  stt_provider: null,
  stt_model: null,
});

t.test('returns the transcript that was written', async (t) => {
  const { sql } = await testDatabase(t);
  const stored = async (texts: readonly string[]) => {
    const id = randomUUID();
    const segments = texts.map(said);
    await sql`
      insert into conversations (id, uid, status, source, created_at, last_speech_at, timeout_seconds)
      values (${id}, 'ann', 'completed', 'phone', now(), now(), 120)`;
    await insertSegments(sql, id, segments);
    return { id, segments };
  };
  const cases: Readonly<Record<string, readonly string[]>> = {
    empty: [],
    short: ['Hello.'],
    'many bytes': Array.from({ length: 40 }, (_, n) => `${n} ${'word '.repeat(4000)}`),
    'many segments': Array.from({ length: 2 * piece.segments + 1 }, (_, n) => `${n}`),
    'one larger than a piece': ['before', 'ä'.repeat(piece.bytes), 'behind'],
  };
  for (const [name, texts] of Object.entries(cases)) {
    const { id, segments } = await stored(texts);
    t.same(await transcriptOf(sql, id), segments, name);
  }

  const equal = await stored(['a', 'b', 'c']);
  await sql`update segments set position = 1.1 where conversation_id = ${equal.id}`;
  t.same(
    (await transcriptOf(sql, equal.id)).map((one) => one.id),
    equal.segments.map((one) => one.id).sort(),
    'segments at the same position are sorted by id',
  );
});

t.test(
  'the beginning and the end of a transcript contain everything that a model would get of the whole',
  async (t) => {
    const { sql } = await testDatabase(t);
    const most = 300;
    const ends = { beginning: 3 * most, end: 3 * most };
    const text = fc
      .tuple(fc.constantFrom('a', 'ä', '私', '😀', 'word '), fc.nat(400))
      .map(([unit, count]) => unit.repeat(count));
    let cuts = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 60 }), fc.nat(2), async (texts, alike) => {
        const id = randomUUID();
        await sql`
        insert into conversations (id, uid, status, source, created_at, last_speech_at, timeout_seconds)
        values (${id}, 'ann', 'completed', 'phone', now(), now(), 120)`;
        await insertSegments(sql, id, texts.map(said));
        // Makes pairs of segments share a position.
        if (alike > 0)
          await sql`update segments set position = floor(position / 2) where conversation_id = ${id}`;
        const whole = await transcriptOf(sql, id);
        const read = await transcriptOf(sql, id, ends);
        if (read.length < whole.length) cuts++;
        const places = read.map(({ id: segment }) => whole.findIndex((one) => one.id === segment));
        t.same(
          places,
          [...places].sort((one, other) => one - other),
          'in order, each once',
        );
        t.equal(transcriptText(read, 'Ann', most), transcriptText(whole, 'Ann', most));
      }),
      { numRuns: 60 },
    );
    t.ok(cuts > 10, `${cuts} transcripts were shortened`);
  },
);
