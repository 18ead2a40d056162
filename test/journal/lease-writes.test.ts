/**
 * Tests what conversations in progress cost PostgreSQL: the number of writes in silence, and the share of HOT updates
 * while people speak.
 */
import t, { type Test } from 'tap';
import { Conversations } from '../../src/engine/conversation/conversations.js';
import type { Member } from '../../src/engine/conversation/member.js';
import { VoiceMemory } from '../../src/engine/voices/memory.js';
import { createLogger } from '../../src/log/logger.js';
import { type MetricsRow, MetricsTable } from '../../src/metrics/metrics.js';
import { speakerModel } from '../../src/models/speaker-model.js';
import type { Sql } from '../../src/store/client/database.js';
import { scaled } from '../../src/transcript/voice-vectors.js';
import type { OpenRequest } from '../../src/wire/stream.js';
import { testDatabase } from '../support/database/database.js';
import { until } from '../support/until.js';
import { startOfTime, testJournal } from './support.js';

const tick = 600;
const leaseDuration = 30_000;

const requestOf = (number: number): OpenRequest =>
  ({
    stream: `stream-${number}`,
    generation: 0,
    uid: `wearer-${number}`,
    language: 'en',
    format: { codec: 'pcm16', sampleRate: 16_000, channels: 1 },
    conversationTimeout: 3600,
    source: 'omi',
    customStt: false,
    includeSpeechProfile: false,
    sttService: null,
    deviceId: `device-${number}`,
    clientPlatform: null,
    acceptedAt: startOfTime,
  }) as OpenRequest;

/** Returns the live conversations of one shard with a real journal, and a clock that the test moves. */
const shardOf = async (t: Test, url: string, streams: number, voices: VoiceMemory | null = null) => {
  const { journal } = await testJournal(url, t.testdir(), { databaseTimeout: 10_000, leaseDuration });
  let now = startOfTime;
  const conversations = new Conversations({
    journal,
    clock: { wall: () => now, ring: () => now, monotonic: () => now, sleep: async () => undefined },
    metrics: new MetricsTable(1).row(0),
    log: createLogger('test', 'silent'),
    leaseDuration,
    voices,
    photoBounds: { conversation: 10, user: 1000, total: 1000 },
    translations: null,
    translationEvent: 'translation',
  });
  const live = Array.from({ length: streams }, (_, number) => {
    const request = requestOf(number);
    const conversation = conversations.of(request);
    const member: Member = {
      stream: request.stream,
      speaking: false,
      queued: 0,
      conversationOptions: {
        language: 'en',
        timeout: request.conversationTimeout,
        clientPlatform: null,
        usesCustomStt: false,
        recognisesVoices: voices !== null,
        assignsVoices: false,
        narrowband: false,
      },
      proposedConversation: null,
      positions: null,
      fault: (thrown) => t.fail(String(thrown)),
      send: () => undefined,
    };
    return { conversation, member };
  });
  await Promise.all(live.map(({ conversation, member }) => conversation.join(member)));
  return {
    /** Gives a piece of audio to the conversation of every stream. */
    hear: async () => {
      for (const { conversation } of live)
        conversation.listen({ pcm: new Int16Array(16_000), from: now, fresh: { from: 0, to: 16_000 } });
      await new Promise((resolve) => setImmediate(resolve));
    },
    /** Advances the clock and runs ticks. @param speaks whether a stream says something in a tick. */
    run: async (ticks: number, speaks: (stream: number, tick: number) => boolean) => {
      for (let number = 0; number < ticks; number++) {
        now += tick;
        for (const [stream, { conversation }] of live.entries()) {
          if (!speaks(stream, number)) continue;
          conversation.spoke(0.9);
          conversation.add([
            {
              id: `${'0'.repeat(8)}-0000-4000-8000-${String(stream * 100_000 + number).padStart(12, '0')}`,
              text: `Sentence ${number} has about as many words as people say in one breath.`,
              speaker: 'SPEAKER_00',
              speakerId: 0,
              isUser: false,
              personId: null,
              provider: 'local',
              from: now - tick,
              to: now,
            },
          ]);
        }
        await conversations.tick();
      }
    },
    leave: (how: 'release' | 'finish') =>
      Promise.all(live.map(({ conversation, member }) => conversation.leave(member, how))),
    close: () => journal.close(0),
  };
};

interface Written {
  readonly inserted: number;
  readonly updated: number;
  readonly hot: number;
}

/** Returns the rows that were written to a table. The journal must be closed: a connection reports its writes at its end. */
const writtenTo = async (sql: Sql, table: string): Promise<Written> => {
  await until(async () => {
    const [row] = await sql`
      select count(*)::integer as open from pg_stat_activity
      where datname = current_database() and application_name like '%journal%'`;
    return row!.open === 0;
  }, 'the connections of the journal have ended');
  const [row] = await sql<Written[]>`
    select n_tup_ins::integer as inserted, n_tup_upd::integer as updated, n_tup_hot_upd::integer as hot
    from pg_stat_user_tables where relname = ${table}`;
  return row!;
};

t.test('an idle conversation is not written', async (t) => {
  const { url, sql } = await testDatabase(t);
  const streams = 10;
  const shard = await shardOf(t, url, streams);
  await shard.run(60_000 / tick, () => false);
  await shard.close();
  const { updated } = await writtenTo(sql, 'conversations');
  t.comment(`writes of an idle conversation in a minute: ${updated / streams}`);
  t.equal(updated, 0);
});

/** Voices of a shard without a speaker model: each piece of audio adds windows of three voices. */
const threeVoices = (metrics: MetricsRow): VoiceMemory => {
  const { dimensions, rule, voices } = speakerModel('ge2e');
  let pieces = 0;
  return new VoiceMemory({
    tell: async ({ state }) => {
      pieces++;
      const heard = [0, 1, 2].map((number) => ({
        number,
        mean: scaled(Float32Array.from({ length: dimensions }, (_, index) => Math.sin(index * (number + 1)))),
        weight: 40,
        windows: 40 + pieces,
        last: 120,
      }));
      return {
        state: { ...state, voices: { voices: heard, windows: [], count: 120, next: 3 } },
        moves: [],
        windows: [],
      };
    },
    revise: async () => undefined,
    rule: voices,
    history: 1200,
    metrics,
    recognition: { model: 'ge2e', dimensions, rule },
  });
};

t.test('voices are written with words and with releases', async (t) => {
  const { url, sql } = await testDatabase(t);
  const streams = 10;
  await sql`insert into users (uid) select 'wearer-' || n from generate_series(0, ${streams - 1}) n`;
  const metrics = new MetricsTable(1).row(0);
  const shard = await shardOf(t, url, streams, threeVoices(metrics));
  await shard.hear();
  await shard.run(60_000 / tick, () => false);
  t.equal(metrics.get('voices_stored_total'), 0, 'an idle minute writes no voices');
  // Everybody speaks for five minutes.
  for (let second = 0; second < 300; second += 6) {
    await shard.hear();
    await shard.run(6000 / tick, (_, number) => number === 0);
  }
  const spoken = metrics.get('voices_stored_total') / streams;
  t.comment(`writes of the voices of a speaking conversation in five minutes: ${spoken}`);
  t.ok(spoken >= 4 && spoken <= 6, `${spoken}`);
  await shard.run(60_000 / tick, () => false);
  t.equal(metrics.get('voices_stored_total') / streams, spoken, 'an idle minute writes no voices');
  await shard.hear();
  await shard.leave('release');
  await shard.close();
  t.equal(metrics.get('voices_stored_total') / streams, spoken + 1);
  const { inserted, updated, hot } = await writtenTo(sql, 'conversation_voices');
  t.same([inserted, inserted + updated], [streams, streams * (spoken + 1)]);
  t.comment(`HOT share of ${updated} updates: ${((100 * hot) / updated).toFixed(0)} %`);
  const [size] = await sql`select max(octet_length(voices)) as bytes from conversation_voices`;
  t.comment(`bytes of three voices: ${size!.bytes}`);
});

t.test('updates of conversations are HOT while streams talk', async (t) => {
  const { url, sql } = await testDatabase(t);
  const streams = 50;
  const shard = await shardOf(t, url, streams);
  // A tenth of the streams speak at a time, and each says several sentences.
  await shard.run(80, (stream, tick) => (stream + Math.floor(tick / 5)) % 10 === 0);
  await shard.leave('finish');
  await shard.close();
  const { updated, hot } = await writtenTo(sql, 'conversations');
  const share = hot / updated;
  t.comment(`HOT share of ${updated} updates of conversations: ${(100 * share).toFixed(1)} %`);
  t.ok(updated > streams * 8, `${updated} updates`);
  t.ok(share >= 0.8, `${share}`);
});

t.test(
  'a drain of 1,000 conversations releases all of them, with their voices',
  { timeout: 300_000 },
  async (t) => {
    const streams = 1000;
    for (const hasVoices of [false, true]) {
      const { url, sql } = await testDatabase(t);
      await sql`insert into users (uid) select 'wearer-' || n from generate_series(0, ${streams - 1}) n`;
      const voices = hasVoices ? threeVoices(new MetricsTable(1).row(0)) : null;
      const shard = await shardOf(t, url, streams, voices);
      await shard.hear();
      const began = performance.now();
      await shard.leave('release');
      const took = performance.now() - began;
      t.comment(`drain of ${streams} conversations${hasVoices ? ' with voices' : ''}: ${took.toFixed(0)} ms`);
      await shard.close();
      const [row] = await sql`
      select (select count(*)::integer from conversations where status = 'in_progress' and engine is null) as released,
        (select count(*)::integer from conversation_voices) as voices`;
      t.same(row, { released: streams, voices: hasVoices ? streams : 0 });
    }
  },
);
