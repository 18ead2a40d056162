/** Tests the stored voices of conversations in progress: who may write and read them, and when they are removed. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { createUser } from '../../../src/identity/users.js';
import { removeConversation } from '../../../src/store/conversations/conversations.js';
import { sweepOrphans } from '../../../src/store/jobs/sweep.js';
import { releaseLeases } from '../../../src/store/live/conversation-voices.js';
import { commitChanges } from '../../../src/store/live/fenced-writes.js';
import { endConversation, releaseLease } from '../../../src/store/live/leases.js';
import type { BegunConversation, SpilledChange } from '../../../src/wire/spill/spill.js';
import { testDatabase, untilBlocked } from '../../support/database/database.js';
import { takeConversation } from '../../support/database/take-conversation.js';
import { saidSegment } from '../../support/texts/said-segment.js';

const bytes = (value: number): Uint8Array => Uint8Array.of(value, 255, 0, 10);

t.test('voices of conversations', async (t) => {
  const { sql } = await testDatabase(t);
  const begin = async (uid: string = randomUUID()) => {
    await createUser(sql, { uid });
    const conversation: BegunConversation = {
      id: randomUUID(),
      uid,
      source: 'omi',
      deviceId: null,
      clientPlatform: null,
      language: 'en',
      timeout: 600,
      usesCustomStt: false,
      createdAt: Date.now(),
    };
    const taken = await takeConversation(sql, conversation, 'engine');
    return { conversation, id: conversation.id, uid, epoch: taken!.epoch };
  };
  type Begun = Awaited<ReturnType<typeof begin>>;
  const take = async ({ conversation }: Begun, reads = true) =>
    (await takeConversation(sql, conversation, 'other engine', reads))!;
  const stored = async ({ id }: Begun) => {
    const rows = await sql<{ epoch: number; voices: Uint8Array }[]>`
      select epoch, voices from conversation_voices where conversation_id = ${id}`;
    return rows.map(({ epoch, voices }) => [epoch, voices[0]]);
  };
  const words = ({ conversation, epoch }: Begun): SpilledChange => ({
    conversation,
    epoch,
    startedAt: conversation.createdAt,
    lastSpeechAt: conversation.createdAt,
    speechProbability: null,
    spoken: null,
    rows: [{ id: 'one', position: 0, revision: 1, segment: saidSegment('words', { id: 'one', end: 1 }) }],
  });
  const release = (begun: Begun, value: number, epoch = begun.epoch) =>
    releaseLeases(sql, [{ id: begun.id, uid: begun.uid, epoch, voices: bytes(value) }]);
  const commit = (begun: Begun, value: number) =>
    commitChanges(sql, [words(begun)], 'engine', [
      { id: begun.id, epoch: begun.epoch, voices: bytes(value) },
    ]);

  await t.test('are written with words and with a release, and read by the next holder', async (t) => {
    const begun = await begin();
    t.equal((await commit(begun, 1)).size, 1);
    t.same(await stored(begun), [[begun.epoch, 1]]);
    await release(begun, 2);
    t.same(await stored(begun), [[begun.epoch, 2]]);
    const [row] = await sql`select engine from conversations where id = ${begun.id}`;
    t.equal(row!.engine, null, 'released');
    t.equal((await take(begun, false)).voices, null, 'only if they are asked for');
    const taken = await take(begun);
    t.equal(taken.voices!.epoch, begun.epoch);
    t.same([...taken.voices!.voices], [...bytes(2)]);
  });

  await t.test('of a later lease are not replaced', async (t) => {
    const begun = await begin();
    await commit(begun, 1);
    const { epoch } = await take(begun);
    t.equal((await commit(begun, 2)).size, 0, 'fenced');
    t.same(await stored(begun), [[begun.epoch, 1]]);
    await release(begun, 3);
    t.same(await stored(begun), [[begun.epoch, 3]], 'a replaced engine stores its last voices');
    const [row] = await sql`select engine from conversations where id = ${begun.id}`;
    t.equal(row!.engine, 'other engine', 'and releases nothing');
    await release(begun, 4, epoch);
    await release(begun, 5);
    t.same(await stored(begun), [[epoch, 4]]);
  });

  await t.test('are neither written nor read for a user who turned recognition off', async (t) => {
    const begun = await begin();
    await release(begun, 1);
    await sql`update users set voice_recognition = false where uid = ${begun.uid}`;
    const { epoch, voices } = await take(begun);
    t.equal(voices, null);
    await release({ ...begun, epoch }, 2);
    t.equal((await commit({ ...begun, epoch }, 3)).size, 1, 'words are stored');
    t.same(await stored(begun), [[begun.epoch, 1]]);
  });

  await t.test('are not written for another user, or an unknown one', async (t) => {
    const begun = await begin();
    await release({ ...begun, uid: (await begin()).uid }, 1);
    t.same(await stored(begun), []);
  });

  await t.test('of several conversations are written with one release of all', async (t) => {
    const [first, lost, silent] = [await begin(), await begin(), await begin()];
    await take(lost);
    await releaseLeases(sql, [
      { ...first, voices: bytes(1) },
      { ...lost, voices: bytes(2) },
      { ...silent, voices: undefined },
    ]);
    t.same(await Promise.all([first, lost, silent].map(stored)), [[[1, 1]], [[1, 2]], []]);
    const rows = await sql`
      select engine from conversations where id in ${sql([first, lost, silent].map(({ id }) => id))} order by engine`;
    t.same(
      rows.map(({ engine }) => engine),
      ['other engine', null, null],
    );
  });

  await t.test('are removed with the conversation', async (t) => {
    const ends: Readonly<Record<string, (begun: Begun) => Promise<unknown>>> = {
      'at its end': ({ id, epoch }) =>
        sql.begin((transaction) => endConversation(transaction, id, epoch, Date.now())),
      'by the sweep': async ({ id, epoch }) => {
        await releaseLease(sql, id, epoch);
        await sql`update conversations set last_speech_at = now() - interval '1 day' where id = ${id}`;
        await sweepOrphans(sql, 0);
      },
      'by the next stream': async ({ conversation }) =>
        takeConversation(
          sql,
          { ...conversation, id: randomUUID(), createdAt: Date.now() + 3_600_000 },
          'engine',
        ),
      'by the user': ({ id }) => sql.begin((transaction) => removeConversation(transaction, id)),
      'with the row': ({ id }) => sql`delete from conversations where id = ${id}`,
    };
    for (const [how, end] of Object.entries(ends)) {
      for (const isEmpty of [false, true]) {
        const begun = await begin();
        if (!isEmpty) await commitChanges(sql, [words(begun)], 'engine');
        await release(begun, 1);
        t.equal((await stored(begun)).length, 1);
        await end(begun);
        t.same(await stored(begun), [], `${how}${isEmpty ? ', without words' : ''}`);
        await release(begun, 2);
        t.same(await stored(begun), [], 'and not written afterwards');
      }
    }
  });

  await t.test('are not written while their conversation ends', async (t) => {
    for (const replaced of [false, true]) {
      const begun = await begin();
      await commit(begun, 1);
      const epoch = replaced ? (await take(begun)).epoch : begun.epoch;
      let written: Promise<unknown> | undefined;
      await sql.begin(async (transaction) => {
        await endConversation(transaction, begun.id, epoch, Date.now());
        written = release(begun, 2);
        await untilBlocked(sql);
      });
      await written;
      t.same(await stored(begun), [], replaced ? 'by a replaced engine' : 'by its holder');
    }
  });
});
