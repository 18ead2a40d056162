/** Tests conversations that the database returns as JSON text. Times and summaries must have the API's format. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { createUser } from '../../../src/identity/users.js';
import { useCountedKey } from '../../../src/store/accounts/key-statements.js';
import { countedTogether } from '../../../src/store/accounts/rate-windows.js';
import {
  type ConversationFilter,
  conversationListing,
  listConversationDocuments,
  listedConversations,
  readConversationDocument,
} from '../../../src/store/conversations/documents.js';
import { emptyStructured } from '../../../src/store/record/conversation-record.js';
import { testDatabase } from '../../support/database/database.js';

/** Times: as SQL text, in the API's format, and in a cursor with all microseconds. */
const moments = [
  ['2026-03-02 09:30:00Z', '2026-03-02T09:30:00Z', '2026-03-02T09:30:00.000000Z'],
  ['2026-03-02 09:30:00.5Z', '2026-03-02T09:30:00.500000Z', '2026-03-02T09:30:00.500000Z'],
  ['2026-03-02 09:30:00.123456Z', '2026-03-02T09:30:00.123000Z', '2026-03-02T09:30:00.123456Z'],
  ['2026-03-02 09:30:00.000999Z', '2026-03-02T09:30:00Z', '2026-03-02T09:30:00.000999Z'],
  ['2026-03-02 09:30:00+02', '2026-03-02T07:30:00Z', '2026-03-02T07:30:00.000000Z'],
  ['0001-01-01 00:00:00Z', '0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000000Z'],
  ['9999-12-31 23:59:59.999Z', '9999-12-31T23:59:59.999000Z', '9999-12-31T23:59:59.999000Z'],
] as const;

/** Stored summaries, and the summaries that the API shows. */
const summaries = [
  [null, emptyStructured],
  [{}, emptyStructured],
  [
    { title: 'A "quoted" title\n', emoji: '🌱' },
    { ...emptyStructured, title: 'A "quoted" title\n', emoji: '🌱' },
  ],
  [
    { ...emptyStructured, title: 'All', category: 'work' },
    { ...emptyStructured, title: 'All', category: 'work' },
  ],
] as const;

t.test('conversations as JSON text', async (t) => {
  const { sql } = await testDatabase(t);
  const user = async (): Promise<string> => (await createUser(sql)).uid;
  const insert = async (uid: string, created: string, structured: object | null = null): Promise<string> => {
    const id = randomUUID();
    await sql`
      insert into conversations (id, uid, status, source, created_at, started_at, last_speech_at, structured)
      values (${id}, ${uid}, 'completed', 'phone', ${created}::text::timestamptz, ${created}::text::timestamptz, now(),
        ${structured === null ? null : sql.json(structured as never)})`;
    return id;
  };
  const page = { limit: 1, offset: 0, after: null, transcript: false, tasks: true };

  for (const [stored, shown, exact] of moments) {
    await t.test(stored, async (t) => {
      const uid = await user();
      const ids = [await insert(uid, stored), await insert(uid, stored)].toSorted().toReversed();
      const { document, count, next } = await listConversationDocuments(sql, uid, page);
      t.match(JSON.parse(document.toString()), [
        { id: ids[0], created_at: shown, started_at: shown, finished_at: null },
      ]);
      t.same([count, next], [1, [exact, ids[0]]]);
      const rest = await listConversationDocuments(sql, uid, { ...page, after: next });
      t.match(JSON.parse(rest.document.toString()), [{ id: ids[1] }]);
      t.same([rest.count, rest.next], [1, null]);
    });
  }

  await t.test('fills missing fields of a summary', async (t) => {
    const uid = await user();
    for (const [stored, shown] of summaries) {
      const id = await insert(uid, '2026-03-02 09:30:00Z', stored);
      const document = (await readConversationDocument(sql, uid, id, true, true))!;
      const {
        structured,
        transcript_segments: segments,
        folder_name: folder,
      } = JSON.parse(document.toString());
      t.same([structured, segments, folder], [shown, [], null]);
    }
  });

  await t.test('a list without conversations is an empty array', async (t) => {
    const { document, count, next } = await listConversationDocuments(sql, await user(), page);
    t.same([document.toString(), count, next], ['[]', 0, null]);
  });

  await t.test('the statement that also checks the key returns the same page', async (t) => {
    const uid = await user();
    const ids: string[] = [];
    for (const [index, [stored]] of moments.entries())
      ids.push(await insert(uid, stored, { title: `"${index}"\n\\n`, emoji: '🌱' }));
    await insert(await user(), '2026-03-02 09:30:00Z');
    const keyOf = async (scopes: string[]): Promise<string> => {
      const hashed = randomUUID();
      await sql`
        insert into api_keys (id, uid, family, name, hashed_key, key_prefix, scopes)
        values (${randomUUID()}, ${uid}, 'dev', 'test', ${hashed}, 'test', ${scopes})`;
      return hashed;
    };
    const hashed = await keyOf(['read']);
    const policies = (allowed: number) => countedTogether([{ policy: 'p', allowed, seconds: 3600 }]);
    const ask = (filter: ConversationFilter, key = hashed, allowed = 1000) =>
      useCountedKey(sql, 'dev', key, 'read', '{}', policies(allowed), conversationListing(filter)!);
    const first = await listConversationDocuments(sql, uid, { ...page, limit: 3 });
    const short: readonly Partial<ConversationFilter>[] = [
      { limit: 100 },
      { limit: moments.length },
      { limit: 3 },
      { limit: 3, offset: 2 },
      { limit: 3, offset: 1000 },
      { limit: 3, after: first.next },
      { limit: 100, from: new Date('2026-03-02T09:30:00.123Z') },
      { limit: 1, from: new Date('2026-03-02T07:30:00Z'), to: new Date('2026-03-02T09:30:00.123Z') },
      { limit: 2, to: new Date('2026-03-02T09:30:00.500Z'), after: first.next },
      { limit: 2, from: new Date('2200-01-01T00:00:00Z'), to: new Date('2100-01-01T00:00:00Z') },
    ];
    for (const more of short) {
      const filter = { ...page, ...more };
      const expected = await listConversationDocuments(sql, uid, filter);
      const { document, count, next } = listedConversations((await ask(filter))!.done!)!;
      t.same([count, next], [expected.count, expected.next], JSON.stringify(more));
      t.same(JSON.parse(document.toString()), JSON.parse(expected.document.toString()));
    }

    t.equal((await ask(page, await keyOf([])))!.done, null, 'no conversations without the scope');
    t.equal((await ask(page, hashed, 1))!.done, null, 'no conversations if the rate limit is reached');

    const long: readonly Partial<ConversationFilter>[] = [
      { transcript: true, tasks: true },
      { offset: 1001 },
      { categories: ['work'] },
      { folderId: ids[0] },
      { starred: false },
    ];
    for (const more of long) t.equal(conversationListing({ ...page, ...more }), null, JSON.stringify(more));
  });
});
