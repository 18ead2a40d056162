/** Tests translations that arrive after their conversation has left its shard. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { storeTranslations } from '../../../src/store/conversations/late-translations.js';
import {
  insertSegments,
  transcriptOf,
  upsertSegments,
  writtenRow,
} from '../../../src/store/segments/segments.js';
import type { LiveSegment } from '../../../src/wire/segment.js';
import { testDatabase } from '../../support/database/database.js';
import { saidSegment } from '../../support/texts/said-segment.js';

const said = (id: string, text: string): LiveSegment => saidSegment(text, { id, end: 1 });
const into = (lang: string, id: string, source: string, text: string) => ({
  id,
  source,
  translation: { lang, text },
});

t.test('stores translations of stored segments', async (t) => {
  const { sql } = await testDatabase(t);
  const id = randomUUID();
  await sql`
    insert into conversations (id, uid, status, source, created_at, last_speech_at, timeout_seconds)
    values (${id}, 'ann', 'completed', 'phone', now(), now(), 120)`;
  await insertSegments(sql, id, [said('1', 'Hola.'), said('2', 'Adiós.'), said('3', 'a\0b')]);
  const translations = async () => (await transcriptOf(sql, id)).map((one) => one.translations);

  const english = into('en', '1', 'Hola.', 'Hello.');
  t.equal(await storeTranslations(sql, 'ann', id, [english, into('en', '2', 'Adiós, amigo.', 'Bye.')]), 1);
  t.same(
    await translations(),
    [[english.translation], [], []],
    'a translation of another text is not stored',
  );
  await storeTranslations(sql, 'ann', id, [into('de', '1', 'Hola.', 'Hallo.')]);
  await storeTranslations(sql, 'ann', id, [into('en', '1', 'Hola.', 'Hi.')]);
  const both = [
    { lang: 'de', text: 'Hallo.' },
    { lang: 'en', text: 'Hi.' },
  ];
  t.same(await translations(), [both, [], []], 'one translation for each language');
  t.equal(
    await storeTranslations(sql, 'ann', id, [into('en', '3', 'a\0b', 'c\0d')]),
    1,
    'the text is compared in its stored form',
  );
  t.equal(
    await storeTranslations(sql, 'bob', id, [into('en', '2', 'Adiós.', 'Bye.')]),
    0,
    'a segment of another user',
  );
  t.equal(await storeTranslations(sql, 'ann', 'no id', [english]), 0);

  const write = (revision: number, text: string) =>
    upsertSegments(
      sql,
      [writtenRow(id, 0, { id: '1', position: 0, revision, segment: said('1', text) })],
      'conversations',
    );
  await write(2, 'Hola.');
  t.same((await translations())[0], both, 'a write of the same text without translations keeps them');
  await write(3, 'Hola a todos.');
  t.same((await translations())[0], [], 'a write of another text removes them');

  await sql`update conversations set deleted_at = now() where id = ${id}`;
  t.equal(
    await storeTranslations(sql, 'ann', id, [into('en', '2', 'Adiós.', 'Bye.')]),
    0,
    'a deleted conversation',
  );
});
