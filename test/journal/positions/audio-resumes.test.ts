/** Tests that late words of an earlier stream are not stored if the device has sent their audio again. */
import t from 'tap';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { applyEntry } from '../../../src/journal/replay.js';
import { uidHash } from '../../../src/store/accounts/account-deletions.js';
import {
  type AudioResume,
  noteAudioResumes,
  numberAudioStreams,
  removeOldResumes,
} from '../../../src/store/live/audio-resumes.js';
import { decodeSpillEntry, encodeSpillEntry } from '../../../src/wire/spill/spill.js';
import { testDatabase } from '../../support/database/database.js';
import { spilledChange, spilledConversation } from '../copies/support.js';
import { change, opening, proxiedJournal, stored, storedTexts } from '../support.js';

const at = (stream: number, since: number, confirmed: number, after = since) => ({
  audio: { clock: 'clock', confirmed: [confirmed], newest: { stream, since: [since], after: [after] } },
});

t.test('audio that is sent again', async (t) => {
  const { url, sql } = await testDatabase(t);
  const keyOf = (uid: string) => ({ uid, source: 'omi', deviceId: null });
  const number = async (uid: string) =>
    (await numberAudioStreams(sql, [{ ...keyOf(uid), clock: 'clock' }]))[0]?.stream;
  const note = async (uid: string, resume: AudioResume) =>
    (await noteAudioResumes(sql, [{ ...keyOf(uid), ...resume }]))[0];

  /** Opens a conversation on an engine that is cut off, and on a second engine that takes it over. */
  const twoEngines = async (t: Parameters<typeof proxiedJournal>[0], uid: string) => {
    const cut = await proxiedJournal(t, url, { bus: true });
    const other = await proxiedJournal(t, url, { bus: true });
    const key = keyOf(uid);
    const { lease } = await cut.journal.open(opening({ uid }));
    t.equal(await cut.journal.numberStream(key, 'clock'), 1);
    t.same(await cut.journal.noteResume(key, { clock: 'clock', stream: 1, positions: [0] }), []);
    await cut.journal.commit([change(lease, [stored('a', 'one')], at(1, 0, 1000))]);
    cut.proxy.mode = 'refused';
    await cut.journal.commit([change(lease, [stored('b', 'two', 1)], at(1, 1000, 2000))]);
    await cut.journal.commit([change(lease, [stored('c', 'three', 2)], at(1, 2000, 3000))]);
    await other.journal.open(opening({ uid }));
    const heal = async () => {
      cut.proxy.mode = 'open';
      await cut.level();
    };
    return {
      key,
      lease,
      cut: cut.journal,
      other: other.journal,
      otherProxy: other.proxy,
      heal,
      texts: () => storedTexts(sql, lease.conversationId),
    };
  };

  await t.test('is not stored late from an earlier stream', async (t) => {
    const { key, other, heal, texts } = await twoEngines(t, 'again');
    t.equal(await other.numberStream(key, 'clock'), 2);
    t.same(await other.noteResume(key, { clock: 'clock', stream: 2, positions: [1000] }), [1000]);
    await heal();
    t.same(await texts(), ['one']);
    t.same((await other.audioConfirmed(key, 'clock'))?.confirmed, [1000]);
  });

  await t.test('words before the position of the newer stream are stored', async (t) => {
    const { key, other, heal, texts } = await twoEngines(t, 'before');
    await other.numberStream(key, 'clock');
    // The engine has confirmed 1,920 ms to the device, so the device does not send the words up to 2,000 ms again.
    await other.noteResume(key, { clock: 'clock', stream: 2, positions: [1920] });
    await heal();
    t.same(await texts(), ['one', 'two']);
    t.same((await other.audioConfirmed(key, 'clock'))?.confirmed, [2000]);
  });

  await t.test('words are stored if no audio came on the newer stream, which then skips them', async (t) => {
    const { key, other, heal, texts } = await twoEngines(t, 'silent');
    await other.numberStream(key, 'clock');
    await heal();
    t.same(await texts(), ['one', 'two', 'three']);
    t.same(await other.noteResume(key, { clock: 'clock', stream: 2, positions: [1000] }), [3000]);
  });

  await t.test('silence between two words that are stored late does not hide the second one', async (t) => {
    const { key, lease, cut, other, heal } = await twoEngines(t, 'silence');
    // The engine has confirmed the silence from 3,000 to 3,600 ms to the device. No write contains this silence.
    await cut.commit([change(lease, [stored('d', 'four', 3)], at(1, 3600, 4000, 3000))]);
    await other.numberStream(key, 'clock');
    await heal();
    t.same(await other.noteResume(key, { clock: 'clock', stream: 2, positions: [3600] }), [4000]);
  });

  await t.test('the stored position does not pass words that are missing', async (t) => {
    const { key, lease, cut, other, heal } = await twoEngines(t, 'missing');
    await cut.commit([change(lease, [stored('e', 'five', 4)], at(1, 4000, 5000))]);
    await other.numberStream(key, 'clock');
    await heal();
    t.same(await other.noteResume(key, { clock: 'clock', stream: 2, positions: [1000] }), [3000]);
  });

  await t.test('other clocks, devices and users have no influence', async (t) => {
    const { key, other, heal, texts } = await twoEngines(t, 'others');
    const resume = { clock: 'clock', stream: 9, positions: [0] };
    await other.noteResume(key, { ...resume, clock: 'other' });
    await other.noteResume({ ...key, deviceId: 'device' }, resume);
    await other.noteResume({ ...key, source: 'phone' }, resume);
    await other.noteResume(keyOf('none'), resume);
    await heal();
    t.same(await texts(), ['one', 'two', 'three']);
  });

  await t.test('a stream waits for the database, so that it has a number and a note', async (t) => {
    const { key, other, otherProxy, heal, texts } = await twoEngines(t, 'waits for the database');
    otherProxy.mode = 'refused';
    const number = other.numberStream(key, 'clock');
    t.equal(await other.audioConfirmed(key, 'clock'), null, 'the database is away');
    otherProxy.mode = 'open';
    t.equal(await number, 2);
    otherProxy.mode = 'refused';
    const noted = other.noteResume(key, { clock: 'clock', stream: 2, positions: [1000] });
    t.equal(await other.audioConfirmed(key, 'clock'), null, 'the database is away');
    otherProxy.mode = 'open';
    t.same(await noted, [1000]);
    await heal();
    t.same(await texts(), ['one']);
  });

  await t.test('after a limit, a stream goes on without the database', async (t) => {
    t.ok(fixedLimits.clockWait.value > 0);
    const { journal, proxy } = await proxiedJournal(t, url, { bus: true, clockWait: 200 });
    proxy.mode = 'refused';
    t.equal(await journal.numberStream(keyOf('limit'), 'clock'), undefined);
    t.equal(await journal.noteResume(keyOf('limit'), { clock: 'clock', stream: 1, positions: [0] }), null);
    // The result is the same while the journal writes to its spill: the stream gets no number.
    const { lease } = await journal.open(opening({ uid: 'limit' }));
    await journal.commit([change(lease, [stored('a', 'one')])]);
    t.equal(await journal.numberStream(keyOf('limit'), 'clock'), undefined);
  });

  await t.test('a stream waits for the database only once for the whole limit', async (t) => {
    const clockWait = 3000;
    const { journal, proxy } = await proxiedJournal(t, url, { bus: true, clockWait });
    proxy.mode = 'refused';
    const began = performance.now();
    const { lease } = await journal.open(opening({ uid: 'once', resends: true }));
    const opened = performance.now() - began;
    t.ok(opened >= clockWait, 'the conversation waits');
    // After this commit, the journal knows that the database is away.
    await journal.commit([change(lease, [stored('a', 'one')])]);
    const asked = performance.now();
    t.equal(await journal.numberStream(keyOf('once'), 'clock'), undefined);
    t.equal(await journal.noteResume(keyOf('once'), { clock: 'clock', stream: 1, positions: [0] }), null);
    // Without this limit, each of the two calls would wait as long as the opening of the conversation.
    t.ok(performance.now() - asked < opened, 'the number and the note do not');
  });

  await t.test('a stream whose device keeps its audio does not divide a conversation', async (t) => {
    const uid = 'divided';
    const { journal: first } = await proxiedJournal(t, url, { bus: true });
    const { lease } = await first.open(opening({ uid }));
    const { journal, proxy } = await proxiedJournal(t, url, { bus: true });
    proxy.mode = 'refused';
    const continued = journal.open(opening({ uid, resends: true }));
    t.equal(await journal.audioConfirmed(keyOf(uid), 'clock'), null, 'the database is away');
    proxy.mode = 'open';
    t.equal((await continued).lease.conversationId, lease.conversationId);
    for (const [clockWait, resends] of [
      [200, true],
      [20_000, false],
    ] as const) {
      const engine = await proxiedJournal(t, url, { bus: true, clockWait });
      engine.proxy.mode = 'refused';
      const began = performance.now();
      const { lease: begun } = await engine.journal.open(opening({ uid, resends }));
      t.not(begun.conversationId, lease.conversationId, resends ? 'after the limit' : 'without a wait');
      t.ok(performance.now() - began < 10_000);
    }
  });

  await t.test('a stream that waits for the database gives up when the journal closes', async (t) => {
    const clockWait = 20_000;
    const { journal, proxy } = await proxiedJournal(t, url, { bus: true, clockWait });
    const { lease } = await journal.open(opening({ uid: 'closing' }));
    proxy.mode = 'refused';
    await journal.commit([change(lease, [stored('a', 'one')])]);
    const began = performance.now();
    const waiting = journal.numberStream(keyOf('closing'), 'clock');
    await journal.close(0);
    t.equal(await waiting, undefined);
    t.ok(performance.now() - began < clockWait / 2, 'the wait did not last until its limit');
  });

  await t.test('without a bus, streams have no numbers, and nothing is written', async (t) => {
    const { journal } = await proxiedJournal(t, url);
    t.equal(await journal.numberStream(keyOf('alone'), 'clock'), undefined);
    t.same(await sql`select 1 as row from audio_clocks where uid = 'alone'`, []);
  });

  await t.test('each track has its position, and all of them decide', async (t) => {
    const conversation = spilledConversation({ uid: 'tracks', id: '00000000-0000-4000-8000-00000000000c' });
    await note('tracks', { clock: 'clock', stream: 2, positions: [1000, 500] });
    const cases = [
      { since: [1000, 500], isStored: false },
      { since: [2000, 900], isStored: false },
      { since: [999, 900], isStored: true },
      { since: [2000, 499], isStored: true },
      { since: [2000], isStored: true },
      { since: [2000, 900, 0], isStored: true },
    ];
    for (const [place, { since, isStored }] of cases.entries()) {
      const text = `word ${place}`;
      const audio = { clock: 'clock', confirmed: [9000, 9000], newest: { stream: 1, since, after: since } };
      const made = spilledChange(conversation, { id: text, position: place }, { audio });
      const entry = decodeSpillEntry(encodeSpillEntry({ kind: 'commit', changes: [made] }));
      t.same(entry, { kind: 'commit', changes: [made] });
      await sql.begin((transaction) => applyEntry(transaction, entry, 'ended'));
      t.equal((await storedTexts(sql, conversation.id)).includes(text), isStored, `${since}`);
    }
  });

  await t.test(
    'a note is left out while words are just being stored late, and then learns of them',
    async (t) => {
      const conversation = spilledConversation({ uid: 'late', id: '00000000-0000-4000-8000-00000000000d' });
      const made = spilledChange(conversation, { id: 'a', text: 'one', position: 0 }, at(1, 0, 1000));
      const resumes = ['late', 'not late'].map((uid) => ({
        ...keyOf(uid),
        clock: 'clock',
        stream: 2,
        positions: [0],
      }));
      await sql.begin(async (transaction) => {
        await applyEntry(transaction, { kind: 'commit', changes: [made] }, 'ended');
        t.same(await noteAudioResumes(sql, resumes), [undefined, []]);
      });
      t.same(await noteAudioResumes(sql, resumes), [[1000], []]);
      const locks = await sql`
      select 1 as row from pg_locks join pg_database d on d.oid = database
      where locktype = 'advisory' and datname = current_database()`;
      t.same(locks, [], 'no lock remains');
    },
  );

  await t.test('a stream waits for its note until the words are stored', async (t) => {
    const { journal } = await proxiedJournal(t, url, { bus: true });
    const key = keyOf('patient');
    const lock = JSON.stringify(['audio resumed', 'patient', 'omi', null, 'clock']);
    let noted: Promise<readonly number[] | null> | undefined;
    await sql.begin(async (transaction) => {
      await transaction`select pg_advisory_xact_lock_shared(hashtextextended(${lock}, 0))`;
      noted = journal.noteResume(key, { clock: 'clock', stream: 1, positions: [0] });
      // The other streams of the shard do not wait.
      t.equal(await journal.numberStream(keyOf('impatient'), 'clock'), 1);
    });
    t.same(await noted, []);
  });

  await t.test('streams that open at once share statements, and each has its own number', async (t) => {
    const { journal } = await proxiedJournal(t, url, { bus: true });
    const uids = [...Array.from({ length: 300 }, (_, place) => `together-${place}`), 'one', 'one', 'one'];
    const numbers = await Promise.all(uids.map((uid) => journal.numberStream(keyOf(uid), 'clock')));
    t.same(numbers.slice(0, 300), new Array(300).fill(1));
    t.same(numbers.slice(300).sort(), [1, 2, 3]);
    const moments = await sql`select distinct opened_at from audio_clocks where uid like 'together-%'`;
    t.ok(moments.length < 10, 'one statement gives numbers to many streams');
  });

  await t.test('a value that the database refuses does not stop the other streams of a group', async (t) => {
    const { journal } = await proxiedJournal(t, url, { bus: true, clockWait: 200 });
    const clocks = ['refused \0', 'clock'];
    const numbers = await Promise.all(clocks.map((clock) => journal.numberStream(keyOf('group'), clock)));
    t.same(numbers, [undefined, 1]);
  });

  await t.test('a deleted account gets no rows', async (t) => {
    await sql`insert into account_deletions (uid_hash) values (${uidHash('deleted')})`;
    t.equal(await number('deleted'), null);
    t.same(await note('deleted', { clock: 'clock', stream: 1, positions: [0] }), []);
    for (const table of ['audio_clocks', 'audio_resumes'])
      t.same(await sql`select 1 as row from ${sql(table)} where uid = 'deleted'`, [], table);
  });

  await t.test('a clock keeps the positions of its newest streams, for longer than copies', async (t) => {
    const { value: kept } = fixedLimits.clockStreams;
    const streams = async () =>
      (await sql`select stream from audio_resumes where uid = 'kept' order by stream`).map(
        (row) => row.stream,
      );
    for (let stream = 1; stream <= kept + 2; stream++)
      await note('kept', { clock: 'clock', stream, positions: [stream] });
    t.equal((await streams()).length, kept);
    t.equal((await streams())[0], 3);
    const last = { clock: 'clock', positions: [kept + 2] };
    await note('kept', { ...last, stream: kept + 3 });
    t.notOk(
      (await streams()).includes(kept + 2),
      'a newer stream at the same position replaces the older one',
    );
    t.equal(await number('kept'), kept + 4, 'a clock without a row continues behind its positions');
    t.equal(await number('kept'), kept + 5);

    const age = `${(2 * fixedLimits.spillCopiesAge.value) / 1000} seconds`;
    await sql`update audio_resumes set noted_at = now() - ${age}::interval + interval '1 minute' where uid = 'kept'`;
    await removeOldResumes(sql);
    t.equal((await streams()).length, kept - 1);
    await sql`update audio_resumes set noted_at = now() - ${age}::interval - interval '1 minute' where uid = 'kept'`;
    await sql`update audio_clocks set opened_at = now() - ${age}::interval - interval '1 minute' where uid = 'kept'`;
    await removeOldResumes(sql);
    t.same(await streams(), []);
    t.same(await sql`select 1 as row from audio_clocks where uid = 'kept'`, []);
  });
});
