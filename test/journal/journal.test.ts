import { randomUUID } from 'node:crypto';
import t from 'tap';
import { CompletionWatch } from '../../src/journal/completion-watch.js';
import type { Journal, Lease } from '../../src/journal/journal.js';
import { testDatabase } from '../support/database/database.js';
import { until } from '../support/until.js';
import { change, opening, segment, startOfTime, stored, storedTexts, testJournal } from './support.js';

const second = 1000;

t.test('a journal with a working database', async (t) => {
  const { url, sql } = await testDatabase(t);
  const spillDir = t.testdir();
  const engine = async (engineId: string) => {
    const made = await testJournal(url, spillDir, { engineId, databaseTimeout: 10_000 });
    t.teardown(() => made.journal.close(0));
    return made;
  };
  const rowOf = async (id: string) => (await sql`select * from conversations where id = ${id}`)[0];
  const texts = (id: string) => storedTexts(sql, id);

  await t.test('begins, stores and finishes a conversation and sends notifications', async (t) => {
    const { journal, metrics } = await engine('one');
    const told: string[] = [];
    const { unlisten } = await sql.listen('conversation_finished', (id) => told.push(id));
    const { lease, resumed, tail, startedAt } = await journal.open(opening({ uid: 'begins' }));
    t.match({ resumed, tail, startedAt }, { resumed: false, tail: null, startedAt: null });
    t.match(await rowOf(lease.conversationId), {
      status: 'in_progress',
      uid: 'begins',
      timeout_seconds: 120,
    });

    const id = lease.conversationId;
    const outcome = await journal.commit([change(lease, [stored('a', 'one'), stored('b', 'two', 1)])]);
    t.equal(outcome.get(id), 'database');
    t.strictSame(await texts(id), ['one', 'two']);
    t.equal((await rowOf(id))?.started_at.getTime(), startOfTime);

    t.equal(await journal.finish(lease, startOfTime + 2 * second), 'processing');
    t.match(await rowOf(id), { status: 'processing', engine: null });
    await until(() => told.includes(id));
    t.equal(metrics.get('journal_commits_total'), 1);
    t.equal(metrics.get('journal_spilled_total'), 0);
    await unlisten();
  });

  await t.test('ends no conversation before it began', async (t) => {
    const { journal } = await engine('early');
    const { lease } = await journal.open(opening({ uid: 'early' }));
    await journal.commit([change(lease, [stored('a', 'one')])]);
    // Words that an application sends may begin later than they arrive. The time passed to `finish` then precedes the
    // beginning of the conversation.
    t.equal(await journal.finish(lease, startOfTime - second), 'processing');
    t.equal((await rowOf(lease.conversationId))?.finished_at.getTime(), startOfTime);
  });

  await t.test("ends a client's conversation at its last words, however fast they arrived", async (t) => {
    const { journal } = await engine('ahead');
    const { lease } = await journal.open(opening({ uid: 'ahead', usesCustomStt: true }));
    await journal.commit([change(lease, [stored('a', 'one'), stored('b', 'two', 60)])]);
    const earlier = startOfTime - 30 * second;
    await journal.commit([change(lease, [stored('c', 'three', 90)], { startedAt: earlier })]);
    await journal.commit([change(lease, [stored('d', 'four', 91)], { startedAt: startOfTime })]);
    t.equal(await journal.finish(lease, startOfTime + 2 * second), 'processing');
    const row = await rowOf(lease.conversationId);
    t.equal(row?.started_at.getTime(), earlier, 'the earliest start counts');
    t.equal(row?.finished_at.getTime(), earlier + 92 * second);
  });

  await t.test('stores the languages of a conversation, and returns them to the next stream', async (t) => {
    const { journal } = await engine('spoken');
    const resumed = async (uid: string) => {
      const { language, spoken } = await journal.open(opening({ uid, language: 'multi' }));
      return { language, spoken };
    };
    const begin = async (uid: string, language: string) => {
      const { lease, ...opened } = await journal.open(opening({ uid, language }));
      t.match(opened, { language, spoken: {} }, `${uid}: nothing at the start`);
      return lease;
    };

    const mixed = await begin('mixed', 'multi');
    await journal.commit([
      change(mixed, [stored('a', 'un')], { spoken: { language: 'fr', times: { fr: 1000 } } }),
      change(mixed, [stored('b', 'two', 1)], { spoken: { language: 'en', times: { fr: 1000, en: 3000 } } }),
    ]);
    t.match(await rowOf(mixed.conversationId), { language: 'en', spoken_ms: { fr: 1000, en: 3000 } });
    await journal.commit([change(mixed, [stored('c', 'three', 2)])]);
    t.match(await rowOf(mixed.conversationId), { language: 'en' }, 'a change without languages keeps them');
    t.same(await resumed('mixed'), { language: 'en', spoken: { fr: 1000, en: 3000 } });
    const late = change(mixed, [stored('d', 'no', 3)], { spoken: { language: 'fr', times: { fr: 9000 } } });
    t.same([...(await journal.commit([late])).values()], ['fenced']);
    t.match(await rowOf(mixed.conversationId), { language: 'en' }, 'nor does an earlier owner change them');

    const fixed = await begin('fixed', 'en-US');
    await journal.commit([change(fixed, [stored('a', 'one'), stored('b', 'two', 1)])]);
    t.match(await rowOf(fixed.conversationId), { language: 'en-US', spoken_ms: null });
    t.same(await resumed('fixed'), { language: 'en-US', spoken: { 'en-US': 2000 } }, 'all of its speech');
    const detected = await begin('detected', 'multi');
    const spoken = { language: 'fr', times: { fr: 1000 } };
    await journal.commit([change(detected, [stored('a', 'un')], { spoken })]);
    await journal.commit([change(detected, [stored('b', 'deux', 1), stored('c', 'trois', 2)])]);
    t.same(
      await resumed('detected'),
      { language: 'fr', spoken: { fr: 3000 } },
      'also speech after the change',
    );
    await begin('unknown', 'multi');
    t.same(await resumed('unknown'), { language: 'multi', spoken: {} }, 'no language is known');
  });

  await t.test('reads the languages in the settings of a user', async (t) => {
    const { journal } = await engine('languages');
    t.equal(await journal.languages('nobody'), null);
    await sql`insert into users (uid, language, languages) values ('polyglot', 'en', '{fr,en}')`;
    t.match(await journal.languages('polyglot'), { language: 'en', languages: ['fr', 'en'] });
  });

  await t.test('reads of settings leave connections for commits', async (t) => {
    const { journal } = await engine('readings');
    const { lease } = await journal.open(opening({ uid: 'readings' }));
    await sql`insert into users (uid, custom_words) values ('reader', '{Nadia}')`;
    let answers: Promise<unknown[]> | undefined;
    await sql.begin(async (transaction) => {
      await transaction`lock table users in access exclusive mode`;
      const asked = Array.from({ length: 10 }, () => [
        journal.keywords('reader'),
        journal.languages('reader'),
      ]);
      answers = Promise.all(asked.flat());
      const safe = await journal.commit([change(lease, [stored('a', 'one')])]);
      t.strictSame([...safe.values()], ['database']);
    });
    t.strictSame((await answers!)[0], ['Nadia']);
  });

  await t.test('reads of streams that open leave connections for other statements', async (t) => {
    const { journal } = await engine('openings');
    const { lease } = await journal.open(opening({ uid: 'openings' }));
    let answers: Promise<unknown[]> | undefined;
    await sql.begin(async (transaction) => {
      await transaction`lock table conversations in access exclusive mode`;
      const asked = Array.from({ length: 10 }, () => [
        journal.lastCompleted('openings'),
        journal.announced('openings', lease.conversationId),
      ]);
      answers = Promise.all(asked.flat());
      t.type(await journal.isFollowed(lease.conversationId), 'boolean', 'a read of another table');
    });
    t.match(await answers!, [null, { id: lease.conversationId }]);
  });

  await t.test("a stream that resumes a conversation knows the client's labels", async (t) => {
    const { journal } = await engine('labels');
    const words = (id: string, speaker: string, speaker_id: number, position: number) => ({
      ...stored(id, speaker, position),
      segment: { ...segment(id, speaker, position), speaker, speaker_id },
    });
    const key = { uid: 'labels', usesCustomStt: true };
    const { labels, lease } = await journal.open(opening(key));
    t.strictSame(labels, []);
    await journal.commit([
      change(lease, [words('a', 'Bob', 1, 0), words('b', 'Ann', 0, 1), words('c', 'Bob', 1, 2)]),
    ]);
    const resumed = await journal.open(opening(key));
    t.ok(resumed.resumed);
    t.strictSame(resumed.labels, [
      { label: 'Ann', number: 0 },
      { label: 'Bob', number: 1 },
    ]);
  });

  await t.test('stores voices of at most the permitted number of people', async (t) => {
    const voiceBounds = { samples: 1, people: 1 };
    const { journal } = await testJournal(url, spillDir, { engineId: 'voices', voiceBounds });
    t.teardown(() => journal.close(0));
    await sql`insert into users (uid) values ('knows')`;
    const model = { model: 'ge2e', dimensions: 2 };
    for (const [index, name] of ['Ada', 'Bob'].entries()) {
      const found = await journal.person('knows', { id: '', name });
      if (found?.kind !== 'person') throw new Error('no person');
      for (const value of [0, 1]) {
        const voice = { model: 'ge2e', speech: 10_000, embeddings: [Float32Array.of(1, value)] };
        const learned = { uid: 'knows', personId: found.id, conversationId: randomUUID() };
        t.equal(await journal.learnVoice(learned, voice), index === 0, name);
      }
    }
    const known = await journal.knownVoices('knows', model);
    t.same(
      known?.voices.map(({ name, embeddings }) => [name, [...embeddings[0]!]]),
      [['Ada', [1, 1]]],
    );
  });

  await t.test("reads a user's custom words, then the names of the newest people", async (t) => {
    const { journal } = await engine('keywords');
    await sql`insert into users (uid, custom_words) values ('spells', ${['Kubernetes', 'ben']})`;
    await sql`insert into users (uid, custom_words) values ('other', ${['Postgres']})`;
    const people = ['Ada', 'Ben', 'x'.repeat(51), 'Cem'];
    for (const [index, name] of people.entries()) {
      const at = new Date(startOfTime + index * second);
      await sql`
        insert into people (id, uid, name, created_at, updated_at) values (${randomUUID()}, 'spells', ${name}, ${at}, ${at})`;
    }
    t.strictSame(await journal.keywords('spells'), ['Kubernetes', 'ben', 'Cem', 'Ada']);
    t.strictSame(await journal.keywords('other'), ['Postgres']);
    t.strictSame(await journal.keywords('nobody'), []);
  });

  await t.test('reads who was named in a conversation, and its earlier segments', async (t) => {
    const { journal } = await engine('names');
    const { lease } = await journal.open(opening({ uid: 'names' }));
    await sql`insert into users (uid) values ('names'), ('resumes') on conflict do nothing`;
    const [ada] = await sql`insert into people (id, uid, name, created_at, updated_at)
      values (gen_random_uuid(), 'names', 'Ada', now(), now()) returning id`;
    const said = (id: string, position: number, speaker: number, person: string | null) => {
      const made = stored(id, id, position);
      return { ...made, segment: { ...made.segment, speaker_id: speaker, person_id: person } };
    };
    await journal.commit([
      change(lease, [
        said('a', 0, 0, 'old'),
        said('b', 1, 1, null),
        said('c', 2, 0, 'new'),
        said('d', 3, 2, null),
      ]),
    ]);
    const ask = async (segmentIds: string[], speakerIds: number[], after = -1, limit = 9) =>
      (await journal.earlierSegments(lease, { segmentIds, speakerIds, after, limit }))?.map(
        ({ segment }) => segment.id,
      );
    t.strictSame(await ask(['b'], [0]), ['a', 'b', 'c']);
    t.strictSame(await ask(['b'], [0], 0), ['b', 'c']);
    t.strictSame(await ask(['b'], [0], -1, 1), ['a']);
    await journal.release(lease);
    const { speakers } = await journal.open(opening({ uid: 'names', now: startOfTime + second }));
    t.strictSame(speakers, [{ speakerId: 0, isUser: false, personId: 'new' }]);

    const person = (id: string, name: string) => journal.person('names', { id, name });
    const known = { kind: 'person', id: ada!.id };
    t.strictSame(await person(ada!.id, 'Other'), known, 'by id, whatever the client calls her');
    t.strictSame(await person('client-1', 'ada'), known, 'by name');
    t.strictSame(await person(randomUUID(), ''), { kind: 'unknown' });
    const id = randomUUID();
    const made = { kind: 'person', id, isNew: true };
    t.strictSame(await person(id, 'Ben'), made, 'a new one has the id of the client');
    t.strictSame(await person(randomUUID(), 'Ben'), { kind: 'person', id }, 'and there is only one');
    const foreign = await journal.person('resumes', { id, name: 'Ben' });
    t.not((foreign as { id: string }).id, id, 'not that of another user');
    t.match(await journal.person('unknown-user', { id: '', name: 'Ben' }), { kind: 'unknown' });
  });

  await t.test(
    'resumes with the last segment and counts only segments that remain after merging',
    async (t) => {
      const { journal } = await engine('two');
      const first = await journal.open(opening({ uid: 'resumes', deviceId: 'ios_1' }));
      await journal.commit([change(first.lease, [stored('a', 'one'), stored('b', 'two', 1)])]);
      const merged = change(first.lease, [stored('b', 'one two', 1, 2)], {
        deletions: [{ id: 'a', revision: 2 }],
      });
      await journal.commit([merged]);
      await journal.release(first.lease);
      const again = await journal.open(
        opening({ uid: 'resumes', deviceId: 'ios_1', now: startOfTime + 100 * second, usesCustomStt: true }),
      );
      t.equal(again.lease.conversationId, first.lease.conversationId);
      t.ok(again.lease.epoch > first.lease.epoch);
      t.match(again, {
        resumed: true,
        startedAt: startOfTime,
        lastSpeechAt: startOfTime + second,
        segmentCount: 1,
        characters: 'one two'.length + 'SPEAKER_00'.length + 'local'.length,
        tail: stored('b', 'one two', 1, 2),
      });
      t.match(await rowOf(again.lease.conversationId), { uses_custom_stt: true });
      await journal.release(again.lease);
      const later = opening({ uid: 'resumes', deviceId: 'ios_1', now: startOfTime + 101 * second });
      const last = await journal.open(later);
      t.equal(last.lease.conversationId, first.lease.conversationId);
      t.match(
        await rowOf(last.lease.conversationId),
        { uses_custom_stt: true },
        'also once a client resumes it without custom transcription',
      );
    },
  );

  await t.test('keeps users, sources and devices apart', async (t) => {
    const { journal } = await engine('three');
    const keys = [
      { uid: 'apart' },
      { uid: 'apart', source: 'desktop' },
      { uid: 'apart', deviceId: 'ios_1' },
      { uid: 'apart2' },
    ];
    const ids = new Set<string>();
    for (const key of keys) ids.add((await journal.open(opening(key))).lease.conversationId);
    t.equal(ids.size, keys.length);
  });

  await t.test('ends a conversation that is too old, with or without words', async (t) => {
    for (const spoken of [true, false]) {
      const { journal } = await engine(`old-${spoken}`);
      const uid = `old-${spoken}`;
      const { lease } = await journal.open(opening({ uid }));
      if (spoken) await journal.commit([change(lease, [stored('a', 'one')])]);
      const next = await journal.open(opening({ uid, now: startOfTime + 121 * second }));
      t.not(next.lease.conversationId, lease.conversationId);
      t.equal((await rowOf(lease.conversationId))?.status, spoken ? 'processing' : undefined);
    }
  });

  await t.test('deletes a conversation without words at its end', async (t) => {
    const { journal } = await engine('empty');
    const { lease } = await journal.open(opening({ uid: 'empty' }));
    t.equal(await journal.finish(lease, startOfTime), 'deleted');
    t.equal(await rowOf(lease.conversationId), undefined);
  });

  await t.test('repeats a write without effect, and an older revision never wins', async (t) => {
    const { journal } = await engine('revisions');
    const { lease } = await journal.open(opening({ uid: 'revisions' }));
    const id = lease.conversationId;
    await journal.commit([change(lease, [stored('a', 'new', 0, 3)])]);
    await journal.commit([change(lease, [stored('a', 'new', 0, 3)])]);
    await journal.commit([change(lease, [stored('a', 'old', 0, 2)])]);
    t.strictSame(await texts(id), ['new']);
    await journal.commit([change(lease, [], { deletions: [{ id: 'a', revision: 4 }] })]);
    await journal.commit([change(lease, [stored('a', 'back', 0, 4)])]);
    t.strictSame(await texts(id), []);
  });

  await t.test('keeps the newest revision of each segment in one commit', async (t) => {
    const { journal } = await engine('several');
    const { lease } = await journal.open(opening({ uid: 'several' }));
    await journal.commit([
      change(lease, [stored('a', 'first'), stored('b', 'gone', 1)]),
      change(lease, [stored('a', 'second', 0, 2)], { deletions: [{ id: 'b', revision: 2 }] }),
    ]);
    t.strictSame(await texts(lease.conversationId), ['second']);
  });

  await t.test('the later of two engines owns a conversation, and the earlier one is fenced', async (t) => {
    const { journal: first, metrics } = await engine('race-1');
    const { journal: second_ } = await engine('race-2');
    const [one, two] = await Promise.all([
      first.open(opening({ uid: 'race' })),
      second_.open(opening({ uid: 'race' })),
    ]);
    t.equal(one.lease.conversationId, two.lease.conversationId);
    t.not(one.lease.epoch, two.lease.epoch);
    const [loser, loserJournal] = one.lease.epoch === 1 ? [one.lease, first] : [two.lease, second_];
    const [winner, winnerJournal] = one.lease.epoch === 1 ? [two.lease, second_] : [one.lease, first];
    const id = winner.conversationId;
    t.equal((await loserJournal.commit([change(loser, [stored('x', 'lost')])])).get(id), 'fenced');
    t.equal((await winnerJournal.commit([change(winner, [stored('y', 'kept')])])).get(id), 'database');
    t.strictSame(await texts(id), ['kept']);
    t.equal(await loserJournal.finish(loser, startOfTime), 'fenced');
    t.equal(await winnerJournal.finish(winner, startOfTime), 'processing');
    t.equal(await winnerJournal.finish(winner, startOfTime), 'fenced');
    if (loserJournal === first) t.ok(metrics.get('leases_lost_total') >= 2);
  });

  await t.test(
    'late words go to a conversation that another engine holds, and take nothing back',
    async (t) => {
      interface Case {
        readonly name: string;
        /** What the other engine does after it has taken over the conversation and has written its last segment. */
        readonly next?: (taken: Lease, journal: Journal) => Promise<unknown>;
        readonly isHeld: boolean;
        readonly status?: string;
      }
      const cases: readonly Case[] = [
        { name: 'holds', isHeld: true },
        {
          name: 'began another',
          next: (taken, journal) =>
            journal
              .finish(taken, startOfTime)
              .then(() => journal.open(opening({ uid: 'late-began another', now: startOfTime }))),
          isHeld: true,
          status: 'processing',
        },
        { name: 'released', next: (taken, journal) => journal.release(taken), isHeld: false },
        {
          name: 'finished',
          next: (taken, journal) => journal.finish(taken, startOfTime),
          isHeld: false,
          status: 'processing',
        },
        {
          name: 'expired',
          next: ({ conversationId: id }) => sql`
          update engine_leases set expires_at = now() - interval '1 s'
          where engine = (select engine from conversations where id = ${id})`,
          isHeld: false,
        },
      ];
      for (const { name, next, isHeld, status = 'in_progress' } of cases) {
        const { journal: older } = await engine(`late-${name}-1`);
        const { journal: newer } = await engine(`late-${name}-2`);
        const uid = `late-${name}`;
        const key = { uid, source: 'omi', deviceId: null };
        const { lease, takenAt: earlier } = await older.open(opening({ uid }));
        const id = lease.conversationId;
        t.equal(await older.replacement(lease, key, { held: true }), null, 'its own conversation');
        t.equal((await older.commit([change(lease, [stored('a', 'first')])])).get(id), 'database');
        t.equal(await older.replacement(lease, key), null, 'its own conversation');
        const { lease: taken, takenAt: later } = await newer.open(opening({ uid }));
        t.ok(later! > earlier!, 'the clock of the database orders the streams');
        t.equal(taken.conversationId, id);
        t.equal((await older.commit([change(lease, [stored('b', 'fenced', 1)])])).get(id), 'fenced');
        t.equal(
          (await newer.commit([change(taken, [stored('a', 'first longer', 0, 2)])])).get(id),
          'database',
        );
        await next?.(taken, newer);
        const expected = isHeld ? { startedAt: startOfTime, position: 0 } : null;
        t.strictSame(await older.replacement(lease, key), expected, name);
        t.equal(
          await older.replacement(lease, { ...key, deviceId: 'ios_1' }),
          null,
          'not for another device',
        );
        t.equal(
          await older.replacement({ ...lease, uid: 'another' }, { ...key, uid: 'another' }),
          null,
          'not for another user',
        );
        const before = await rowOf(id);
        for (const _twice of [1, 2])
          t.equal(await older.commitLate(change(lease, [stored('b', 'late', 0.5)])), 'database');
        t.strictSame(await texts(id), ['first longer', 'late']);
        const after = await rowOf(id);
        t.strictSame([after!.status, after!.epoch, after!.engine], [status, before!.epoch, before!.engine]);
        if (!isHeld || status !== 'in_progress') continue;
        t.equal((await newer.commit([change(taken, [stored('c', 'next', 1)])])).get(id), 'database');
        t.strictSame(await texts(id), ['first longer', 'late', 'next']);
      }
    },
  );

  await t.test('stores text with replaced characters if the database cannot store them', async (t) => {
    const { journal } = await engine('text');
    const { lease } = await journal.open(opening({ uid: 'text' }));
    const { segment, ...place } = stored('a', 'nul \0 half \ud800 whole \u{1f600} done');
    const named = { ...segment, person_id: 'a\0b', stt_provider: 'c\ud800d' };
    await journal.commit([change(lease, [{ ...place, segment: named }])]);
    t.strictSame(await texts(lease.conversationId), ['nul \ufffd half \ufffd whole \u{1f600} done']);
  });

  await t.test('a conversation that never completes does not hide others', async (t) => {
    const { journal } = await engine('hidden');
    const { lease } = await journal.open(opening({ uid: 'hidden' }));
    await sql`update conversations set status = 'failed' where id = ${lease.conversationId}`;
    const watch = new CompletionWatch(
      { read: (query) => query(sql) },
      { engineId: 'hidden', ownConnectionTo: undefined },
      50,
    );
    t.teardown(() => watch.close());
    const told: string[] = [];
    watch.onCompleted((id) => told.push(id));
    for (const status of ['in_progress', 'processing']) {
      const { lease: unsettled } = await journal.open(opening({ uid: `still ${status}` }));
      await sql`update conversations set status = ${status} where id = ${unsettled.conversationId}`;
      watch.expect(unsettled.conversationId);
    }
    for (let n = 0; n < 2500; n++) watch.expect(randomUUID());
    watch.expect(lease.conversationId);
    await until(() => told.length > 0);
    t.strictSame(told, [lease.conversationId], 'none that is spoken or processed');
  });

  await t.test('knows whether memories and tasks are still expected', async (t) => {
    const { journal } = await engine('followed');
    const { lease } = await journal.open(opening({ uid: 'followed' }));
    const id = lease.conversationId;
    await sql`insert into users (uid) values ('followed') on conflict do nothing`;
    const step = async (name: string, state: string): Promise<void> => {
      await sql`
        insert into steps (step, key, uid, conversation_id, state) values (${name}, ${id}, 'followed', ${id}, ${state})
        on conflict (step, key) do update set state = excluded.state`;
    };
    t.equal(await journal.isFollowed(id), true, 'none follows');
    await step('goal_progress', 'waiting');
    t.equal(await journal.isFollowed(id), true, 'goals have no part in it');
    await step('action_items', 'waiting');
    await step('memories', 'waiting');
    t.equal(await journal.isFollowed(id), false);
    await step('action_items', 'done');
    t.equal(await journal.isFollowed(id), false, 'memories are still to come');
    await step('memories', 'dead');
    t.equal(await journal.isFollowed(id), true, 'what was given up does not come');
  });

  await t.test('reports the end of processing once, even if the notification is lost', async (t) => {
    const { journal } = await engine('completed');
    const told: string[] = [];
    journal.onCompleted((id) => told.push(id));
    const notified = await journal.open(opening({ uid: 'completed' }));
    await journal.commit([change(notified.lease, [stored('a', 'one')])]);
    await journal.finish(notified.lease, startOfTime);
    const id = notified.lease.conversationId;
    await sql`update conversations set status = 'completed' where id = ${id}`;
    await sql`select pg_notify('conversation_completed', '00000000-0000-4000-8000-000000000000')`;
    await sql`select pg_notify('conversation_completed', ${id})`;
    await until(() => told.length > 0);
    const silent = await journal.open(opening({ uid: 'completed', now: startOfTime + second }));
    await journal.commit([change(silent.lease, [stored('a', 'one')])]);
    await journal.finish(silent.lease, startOfTime);
    await sql`update conversations set status = 'completed' where id = ${silent.lease.conversationId}`;
    await until(() => told.length > 1);
    t.strictSame(told, [id, silent.lease.conversationId]);
    const failed = await journal.open(opening({ uid: 'failed' }));
    await journal.commit([change(failed.lease, [stored('a', 'one')])]);
    await journal.finish(failed.lease, startOfTime);
    await sql`update conversations set status = 'failed' where id = ${failed.lease.conversationId}`;
    await until(() => told.length > 2);
    t.match(
      await journal.conversation('failed', failed.lease.conversationId),
      { status: 'failed' },
      'told apart by its record',
    );
    t.equal(await journal.lastCompleted('completed'), silent.lease.conversationId);
    t.equal(await journal.lastCompleted('nobody'), null);
    const { uid } = (await sql<{ uid: string }[]>`select uid from conversations where id = ${id}`)[0]!;
    t.equal(await journal.conversation('another', id), null, 'of no other user');
    const record = await journal.conversation(uid, id);
    t.match(record, { id, status: 'completed', transcript_segments: [{ text: 'one' }] });
  });
});
