/** Tests that streams which open together get the same conversations as streams that open one after the other. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { type Deferred, deferred } from '../../../src/common/deferred.js';
import { createUser } from '../../../src/identity/users.js';
import { beginDeletion } from '../../../src/store/accounts/account-deletions.js';
import type { Sql } from '../../../src/store/client/database.js';
import { commitChanges } from '../../../src/store/live/fenced-writes.js';
import { Gathered } from '../../../src/store/live/gathered.js';
import { type ConversationRequest, takeConversations } from '../../../src/store/live/take-conversations.js';
import type { TakenConversation } from '../../../src/store/live/taken-conversation.js';
import type { BegunConversation } from '../../../src/wire/spill/spill.js';
import { testDatabase, untilBlocked } from '../../support/database/database.js';
import { saidSegment } from '../../support/texts/said-segment.js';

const startOfTime = Date.UTC(2026, 0, 5, 9, 0, 0);
const minute = 60_000;

const begunBy = (uid: string, changes: Partial<BegunConversation> = {}): BegunConversation => ({
  id: randomUUID(),
  uid,
  source: 'omi',
  deviceId: null,
  clientPlatform: 'ios',
  language: 'en',
  timeout: 600,
  usesCustomStt: false,
  createdAt: startOfTime,
  ...changes,
});

const asking = (begun: BegunConversation, proposed: string | null = null): ConversationRequest => ({
  begun,
  proposed,
  readsVoices: true,
});

/** What a user has stored before the stream opens, and how the stream opens. */
interface Case {
  readonly conversations: readonly { readonly silent: number; readonly words: number }[];
  readonly custom: boolean;
  readonly proposes: 'nothing' | 'the first' | 'a free id';
  readonly deleted: boolean;
}

const cases = fc.array(
  fc.record<Case>({
    conversations: fc.array(
      fc.record({ silent: fc.integer({ min: 0, max: 20 }), words: fc.integer({ min: 0, max: 3 }) }),
      { maxLength: 3 },
    ),
    custom: fc.boolean(),
    proposes: fc.constantFrom('nothing', 'nothing', 'nothing', 'the first', 'a free id'),
    deleted: fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 0),
  }),
  { minLength: 1, maxLength: 12 },
);

/** Stores the conversations of each case's user. @returns the requests of the users' streams. */
const prepared = async (sql: Sql, all: readonly Case[]): Promise<ConversationRequest[]> => {
  const requests: ConversationRequest[] = [];
  for (const [place, one] of all.entries()) {
    const uid = randomUUID();
    await createUser(sql, { uid });
    const ids: string[] = [];
    for (const [number, { silent, words }] of one.conversations.entries()) {
      const createdAt = startOfTime - (60 - number) * minute;
      const conversation = begunBy(uid, { createdAt, deviceId: `made ${number}`, usesCustomStt: one.custom });
      const [made] = await takeConversations(sql, [asking(conversation)], 'engine before');
      ids.push(conversation.id);
      const rows = Array.from({ length: words }, (_, word) => ({
        id: `word ${word}`,
        position: word,
        revision: 1,
        segment: saidSegment(`word ${word}`, { id: `word ${word}`, start: word, end: word + 1 }),
      }));
      const lastSpeechAt = startOfTime - silent * minute;
      const rest = { startedAt: createdAt, lastSpeechAt, speechProbability: null, spoken: null };
      await commitChanges(sql, [{ conversation, epoch: made!.epoch, rows, ...rest }], 'engine before');
    }
    await sql`update conversations set client_device_id = null where uid = ${uid}`;
    if (one.deleted) await beginDeletion(sql, uid);
    const proposals = { nothing: null, 'the first': ids[0] ?? null, 'a free id': randomUUID() };
    requests.push(asking(begunBy(uid, { clientPlatform: `stream ${place}` }), proposals[one.proposes]));
  }
  return requests;
};

/** Returns the parts of a result that depend neither on the time nor on the random ids. */
const comparable = (taken: TakenConversation | null, { begun, proposed }: ConversationRequest) => {
  if (taken === null) return null;
  const { epoch: _, takenAt: __, tail, conversation, finished, past, ...rest } = taken;
  const isOwn = taken.id === begun.id;
  return {
    ...rest,
    id: isOwn ? 'own' : taken.id === proposed ? 'proposed' : 'stored',
    conversation: { ...conversation, id: '', uid: '' },
    tail: tail && { ...tail, segment: { ...tail.segment } },
    finished: finished.length,
    past: past?.status,
  };
};

t.test('streams that open together', async (t) => {
  const { sql } = await testDatabase(t);

  await t.test('get what they get one after the other', async (t) => {
    let together = 0;
    await fc.assert(
      fc.asyncProperty(cases, async (all) => {
        const one = await prepared(sql, all);
        const expected: unknown[] = [];
        for (const request of one)
          expected.push(comparable((await takeConversations(sql, [request], 'engine'))[0]!, request));
        const same = await prepared(sql, all);
        const left = new Gathered<ConversationRequest, TakenConversation | null>(async (of, asked) => {
          const answers = await takeConversations(of, asked, 'engine');
          t.not(answers[0], undefined, 'the first is always answered');
          together += answers.filter((answer) => answer !== undefined).length - 1;
          return answers;
        });
        for (const request of same) left.add(request);
        const taken = await Promise.all(same.map((request) => left.run(sql, request)));
        t.same(
          taken.map((each, place) => comparable(each, same[place]!)),
          expected,
        );
        for (const [place, each] of taken.entries()) {
          if (each === null) continue;
          const [row] = await sql`select epoch, engine, uid from conversations where id = ${each.id}`;
          const { uid } = same[place]!.begun;
          t.same(row, { epoch: each.epoch, engine: 'engine', uid }, 'and have a valid lease');
        }
      }),
      { numRuns: 40 },
    );
    t.ok(together > 20, `${together} got theirs with the statement of another`);
  });

  await t.test('do not wait for a key that another stream holds', async (t) => {
    const [free, held, last] = [begunBy('ada'), begunBy('bob'), begunBy('eve')];
    const holding = deferred();
    const begun = deferred();
    const holder = sql.begin(async (transaction) => {
      await transaction`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify(['bob', 'omi', null])}, 0))`;
      begun.resolve();
      await holding.promise;
    });
    await begun.promise;
    const [first, second, third] = await takeConversations(
      sql,
      [asking(free), asking(held), asking(last)],
      'engine',
    );
    t.equal(first!.id, free.id);
    t.equal(second, undefined);
    t.equal(third!.id, last.id);
    const alone = takeConversations(sql, [asking(held)], 'engine');
    await untilBlocked(sql);
    holding.resolve();
    await holder;
    t.equal((await alone)[0]!.id, held.id);
  });

  await t.test('of one key are answered one after the other', async (t) => {
    const [one, other] = [begunBy('ida'), begunBy('ida')];
    const [first, second] = await takeConversations(sql, [asking(one), asking(other)], 'engine');
    t.equal(first!.id, one.id);
    t.equal(second, undefined);
    t.match((await takeConversations(sql, [asking(other)], 'engine'))[0], { id: one.id, resumed: true });
  });
});

t.test('no question is asked twice at the same time', async (t) => {
  const asked: number[][] = [];
  const turns: Deferred<void>[] = [];
  const gathered = new Gathered<number, string>(async (_, questions) => {
    asked.push([...questions]);
    const mine = deferred();
    turns.push(mine);
    await mine.promise;
    return questions.map((question) => (question === 3 ? undefined : `answer ${question}`));
  });
  const sql = {} as Sql;
  for (const question of [1, 2, 3]) gathered.add(question);
  const answers = [1, 2, 3].map((question) => gathered.run(sql, question));
  gathered.add(4);
  answers.push(gathered.run(sql, 4));
  t.same(asked, [[1, 2, 3], [4]]);
  turns[1]!.resolve();
  t.equal(await answers[3], 'answer 4');
  turns[0]!.resolve();
  t.equal(await answers[1], 'answer 2');
  await new Promise(setImmediate);
  t.same(asked[2], [3], 'the one without an answer asks again, alone');
  turns[2]!.resolve();
  t.equal(await answers[2], null);
});
