/**
 * Tests two engines that write one conversation. If the spill of one engine is stored late, no word is lost or doubled.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { AssignedSpeakers } from '../../src/engine/conversation/assigned-speakers.js';
import { Transcript } from '../../src/engine/conversation/transcript.js';
import { gatherChanges } from '../../src/journal/changes.js';
import type { ConversationChange, Journal, Lease, ResumedConversation } from '../../src/journal/journal.js';
import { applyEntry } from '../../src/journal/replay.js';
import type { Sql } from '../../src/store/client/database.js';
import { mergeLateWords } from '../../src/store/conversations/late-words.js';
import { endedHolder } from '../../src/store/live/engine-leases.js';
import { endConversation } from '../../src/store/live/leases.js';
import type { SpokenSegment } from '../../src/transcript/spoken.js';
import type { BegunConversation, SpillEntry } from '../../src/wire/spill/spill.js';
import { testDatabase } from '../support/database/database.js';
import { takeConversation } from '../support/database/take-conversation.js';
import { opening, proxiedJournal, startOfTime, storedTexts, testJournal } from './support.js';

type Opened = Pick<
  ResumedConversation,
  'startedAt' | 'segmentCount' | 'characters' | 'tail' | 'isTailClosed'
>;

/** Turns the words of one engine into changes of a conversation, as a shard does. */
class Writer {
  readonly #transcript: Transcript;
  readonly #speakers = new AssignedSpeakers();

  constructor(
    readonly lease: Lease,
    opened: Opened,
  ) {
    this.#transcript = new Transcript(opened);
  }

  /** @param second time of the words in the conversation. */
  say(text: string, second: number, speaker = 0): ConversationChange {
    const from = startOfTime + 1000 * second;
    const words: SpokenSegment = {
      id: randomUUID(),
      text,
      speaker: `SPEAKER_0${speaker}`,
      speakerId: speaker,
      isUser: false,
      personId: null,
      provider: 'local',
      from,
      to: from + 900,
    };
    const draft = this.#transcript.draft([words], this.#speakers);
    this.#transcript.accept(draft);
    const { startedAt, upserts, deletions } = draft;
    return { lease: this.lease, startedAt, lastSpeechAt: from + 900, upserts, deletions };
  }
}

const writerOn = async (journal: Journal, uid: string): Promise<Writer> => {
  const { lease, ...opened } = await journal.open(opening({ uid }));
  return new Writer(lease, opened);
};

const wordsOf = async (sql: Sql, id: string): Promise<string[]> =>
  (await storedTexts(sql, id)).flatMap((text) => text.split(' '));

t.test('the spill of an engine comes while another engine continues the conversation', async (t) => {
  const { url, sql } = await testDatabase(t);
  for (const order of ['before', 'after'] as const) {
    await t.test(`${order} the words of the other engine`, async (t) => {
      const older = await proxiedJournal(t, url);
      const { journal: newer } = await testJournal(url, t.testdir(), { databaseTimeout: 10_000 });
      t.teardown(() => newer.close(0));
      const one = await writerOn(older.journal, order);
      const id = one.lease.conversationId;
      t.equal((await older.journal.commit([one.say('this is', 1)])).get(id), 'database');
      older.proxy.mode = 'refused';
      t.equal((await older.journal.commit([one.say('what was', 2)])).get(id), 'spill');
      const two = await writerOn(newer, order);
      t.equal(two.lease.conversationId, id);
      const speak = async () => t.equal((await newer.commit([two.say('and then', 3)])).get(id), 'database');
      const replay = () => {
        older.proxy.mode = 'open';
        return older.level();
      };
      for (const step of order === 'before' ? [replay, speak] : [speak, replay]) await step();
      t.equal((await newer.commit([two.say('it ended', 4)])).get(id), 'database');
      t.strictSame((await wordsOf(sql, id)).join(' '), 'this is what was and then it ended');
    });
  }
});

t.test('the spill of an engine comes after late words moved the start of the conversation', async (t) => {
  const { url, sql } = await testDatabase(t);
  const { journal, proxy, level } = await proxiedJournal(t, url);
  const one = await writerOn(journal, 'late');
  const id = one.lease.conversationId;
  await journal.commit([one.say('this is', 1)]);
  proxy.mode = 'refused';
  t.equal((await journal.commit([one.say('what was', 2)])).get(id), 'spill');
  await sql.begin((transaction) => endConversation(transaction, id, null, startOfTime));
  await sql`update conversations set status = 'completed' where id = ${id}`;
  const from = startOfTime - 5000;
  const place = {
    uid: 'late',
    conversation: id,
    source: 'omi',
    device: null,
    platform: null,
    language: 'en',
  };
  const words = {
    from,
    to: from + 900,
    change: async () => ({ upserts: [], deletions: [] }),
    usage: async () => [],
  };
  t.equal(
    await sql.begin((transaction) => mergeLateWords(transaction, { ...place, ...words }, randomUUID())),
    id,
  );
  proxy.mode = 'open';
  await level();
  t.equal((await wordsOf(sql, id)).join(' '), 'this is what was');
});

/** A step of a random history. `who` selects one of the engines. The last engine holds the conversation. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('say' as const),
      who: fc.nat(),
      speaker: fc.nat(1),
      words: fc.integer({ min: 1, max: 5 }),
      ends: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cut' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('take' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('release' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('replay' as const), who: fc.nat(), again: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('replayCopy' as const), who: fc.nat(), again: fc.boolean() }),
  },
);

/** An engine that writes a conversation. While it is cut off from the database, its entries wait in its spill. */
interface Engine {
  readonly name: string;
  readonly writer: Writer;
  readonly spill: SpillEntry[];
  /** Copies of the spill on the bus. A sidecar stores them, before or after the spill itself. */
  readonly copies: SpillEntry[];
  cut: boolean;
  /**
   * Whether this engine no longer writes: it has released the conversation, or another engine took the conversation
   * over while this engine was connected to the database.
   */
  ended: boolean;
}

/** A conversation that several engines write one after the other, or at the same time. */
class History {
  readonly #engines: Engine[] = [];
  readonly #said: string[][] = [];
  #second = 0;
  #id = '';

  constructor(
    private readonly sql: Sql,
    private readonly uid: string,
  ) {}

  async take(): Promise<void> {
    const begun: BegunConversation = {
      id: randomUUID(),
      uid: this.uid,
      source: 'omi',
      deviceId: null,
      clientPlatform: null,
      language: 'en',
      timeout: 14_400,
      usesCustomStt: false,
      createdAt: startOfTime,
    };
    const last = this.#engines.at(-1);
    if (last !== undefined && !last.cut) last.ended = true;
    const name = `engine-${this.#engines.length}`;
    const { id, epoch, ...opened } = (await takeConversation(this.sql, begun, name))!;
    this.#id = id;
    const writer = new Writer({ conversationId: id, uid: this.uid, epoch }, opened);
    this.#engines.push({ name, writer, spill: [], copies: [], cut: false, ended: false });
    this.#said.push([]);
  }

  async say(who: number, speaker: number, count: number, ends: boolean): Promise<void> {
    const index = who % this.#engines.length;
    const engine = this.#engines[index]!;
    if (engine.ended) return;
    this.#second += 1;
    const words = Array.from({ length: count }, (_, word) => `e${index}-${this.#second}-${word}`);
    this.#said[index]!.push(...words);
    const change = engine.writer.say(`${words.join(' ')}${ends ? '.' : ''}`, this.#second, speaker);
    const changes = gatherChanges([change], ({ conversationId: id, uid }) => ({
      id,
      uid,
      source: 'omi',
      deviceId: null,
      clientPlatform: null,
      language: 'en',
      timeout: 14_400,
      usesCustomStt: false,
      createdAt: startOfTime,
    }));
    await this.#write(engine, { kind: 'commit', changes });
  }

  cut(): void {
    this.#engines.at(-1)!.cut = true;
  }

  async release(): Promise<void> {
    const engine = this.#engines.at(-1)!;
    if (engine.ended) return;
    engine.ended = true;
    await this.#write(engine, { kind: 'release', id: this.#id, epoch: engine.writer.lease.epoch });
  }

  /**
   * Stores the oldest entry of a spill.
   * @param again whether the process dies before it removes the entry, which is then stored again later.
   */
  async replay(who: number, again: boolean): Promise<void> {
    const { name, spill } = this.#engines[who % this.#engines.length]!;
    const [entry] = spill;
    if (entry === undefined) return;
    await this.#store(entry, name);
    if (!again) spill.shift();
  }

  /** Stores the oldest copy of an engine's spill, as a sidecar does. @param again whether the sidecar dies before it removes the copy. */
  async replayCopy(who: number, again: boolean): Promise<void> {
    const { copies } = this.#engines[who % this.#engines.length]!;
    const [entry] = copies;
    if (entry === undefined) return;
    await this.#store(entry, endedHolder);
    if (!again) copies.shift();
  }

  /** Stores all spills and copies, in an order that `who` selects. */
  async settle(who: number): Promise<void> {
    for (; this.#engines.some(({ spill, copies }) => spill.length + copies.length > 0); who++) {
      // The bits of `who` decide whether the next entry comes from the copies or from the spill.
      if ((who >> 3) % 2 === 0) await this.replayCopy(who, false);
      else await this.replay(who, false);
    }
  }

  end(): Promise<unknown> {
    return this.sql.begin((transaction) => endConversation(transaction, this.#id, null, startOfTime));
  }

  async check(): Promise<void> {
    const stored = (await wordsOf(this.sql, this.#id)).map((word) => word.replace('.', ''));
    const said = this.#said.flat();
    if ([...stored].sort().join(' ') !== [...said].sort().join(' '))
      throw new Error(`said ${said.join(' ')}\nstored ${stored.join(' ')}`);
    for (const [index, own] of this.#said.entries()) {
      const order = stored.filter((word) => word.startsWith(`e${index}-`)).join(' ');
      if (order !== own.join(' ')) throw new Error(`said ${own.join(' ')}\nin another order ${order}`);
    }
  }

  async #write(engine: Engine, entry: SpillEntry): Promise<void> {
    if (engine.cut) {
      engine.spill.push(entry);
      engine.copies.push(entry);
    } else await this.#store(entry, engine.name);
  }

  async #store(entry: SpillEntry, holder: string): Promise<void> {
    await this.sql.begin((transaction) => applyEntry(transaction, entry, holder));
  }
}

t.test('no word of several engines is lost or doubled, whatever the order of their writes', async (t) => {
  const { sql } = await testDatabase(t);
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 24 }),
      fc.nat(),
      fc.boolean(),
      async (steps, who, endsFirst) => {
        const history = new History(sql, `user-${run++}`);
        await history.take();
        for (const one of steps) {
          if (one.kind === 'say') await history.say(one.who, one.speaker, one.words, one.ends);
          else if (one.kind === 'replay' || one.kind === 'replayCopy')
            await history[one.kind](one.who, one.again);
          else await history[one.kind]();
        }
        if (endsFirst) await history.end();
        await history.settle(who);
        await history.check();
      },
    ),
    { numRuns: 150 },
  );
  t.pass('every word is stored once, in the order of its engine');
});
