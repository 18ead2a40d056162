/**
 * Tests how speech is handled when an audio provider misbehaves, over real sockets to a stub in its own process. Streams with faults and
 * normal streams share a shard. All accepted speech becomes words or is retained, nothing is duplicated, and no fault affects another
 * stream.
 */
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { createStubProvider } from '../../support/stub-provider/provider.js';
import { startStub } from '../../support/stub-provider/start.js';
import { until } from '../../support/until.js';
import { frameSamples } from '../support/fake-core.js';
import { Harness, silence, speech } from '../support/harness.js';

/** Number of speech samples in one call of `Harness.say`. */
const utterance = speech(1).length * frameSamples;
const answerTimeout = 120_000;

interface Row {
  readonly user: string;
  /** Number of utterances that become words. The audio of all other utterances is retained. */
  readonly words: number;
  readonly retained: number;
  /** Message to the client before its socket is closed with 1011. Absent: the stream ends normally. */
  readonly failure?: { readonly outcome: string; readonly reason: string };
}

const lost = { outcome: 'upstream_error', reason: 'connection_lost' };
const notBegun = { outcome: 'upstream_error', reason: 'initialization_failed' };

const rows: readonly Row[] = [
  { user: 'well', words: 4, retained: 0 },
  { user: 'fault-refuse', words: 0, retained: 3, failure: notBegun },
  { user: 'fault-stall-connect', words: 0, retained: 3, failure: { ...notBegun, outcome: 'timeout' } },
  { user: 'fault-quota-at-once', words: 0, retained: 3, failure: notBegun },
  { user: 'fault-quota', words: 0, retained: 3, failure: lost },
  { user: 'fault-garbage', words: 0, retained: 3, failure: lost },
  { user: 'fault-half-close', words: 0, retained: 3, failure: lost },
  { user: 'fault-stall', words: 0, retained: 3, failure: { ...lost, outcome: 'timeout' } },
  { user: 'fault-slow-reader', words: 0, retained: 3, failure: { ...lost, outcome: 'timeout' } },
  { user: 'fault-no-done', words: 3, retained: 1 },
  { user: 'fault-duplicate-finals', words: 4, retained: 0 },
  { user: 'fault-late-finals', words: 5, retained: 0 },
  { user: 'well-too', words: 4, retained: 0 },
];

/**
 * Returns the number of utterances before the last one. For `fault-late-finals`, the provider holds back the words of
 * each utterance with an odd number, and sends them after the words of the next utterance.
 */
const saidAtOnce = (user: string): number => (user === 'fault-late-finals' ? 4 : 3);

/** Returns the utterances with words in a user's conversations. */
const wordsOf = (h: Harness, user: string): string[] =>
  [...h.journal.conversations.values()]
    .filter(({ request }) => request.uid === user)
    .flatMap(({ segments }) => [...segments.values()])
    .filter(({ deleted }) => !deleted)
    .flatMap(({ segment }) => segment.text.match(/Voice \d+ says word \d+\./g) ?? []);

t.test('survives each fault of a provider of audio', async (t) => {
  const stub = await startStub();
  t.teardown(() => stub.stop());
  const h = new Harness({
    slots: rows.length,
    audioProviders: [createStubProvider({ name: 'provider_b', socket: stub.socket })],
    providers: [],
    sleep: delay,
    transcriberTimeout: 2000,
    settings: { sttBreakerFailures: 1000, sttAnswerTimeout: answerTimeout },
  });
  for (const [slot, { user }] of rows.entries()) {
    await h.open(slot, { uid: user, conversationTimeout: 14_400 });
    const voice = slot + 1;
    for (let said = 0; said < saidAtOnce(user); said++) h.say(slot, voice);
    // Sends more audio than the buffers between the processes can hold.
    if (user === 'fault-slow-reader') for (let second = 0; second < 25; second++) h.stream(slot, silence(50));
    await h.settle();
  }
  const isTold = (slot: number, words: number): boolean => wordsOf(h, rows[slot]!.user).length >= words;
  const isClosed = (slot: number): boolean => h.story(slot).some((entry) => entry.startsWith('close 1011'));
  const isMute = ({ user }: Row): boolean => ['fault-stall', 'fault-slow-reader'].includes(user);
  await until(async () => {
    await h.tick();
    return rows.every(
      (row, slot) =>
        isMute(row) || (row.failure === undefined ? isTold(slot, saidAtOnce(row.user)) : isClosed(slot)),
    );
  }, 'words or a failure of every stream that its provider does not leave waiting');
  h.clock.now += answerTimeout;
  await until(async () => {
    await h.tick();
    return rows.every((row, slot) => row.failure === undefined || isClosed(slot));
  }, 'the failure of the streams whose provider tells nothing');
  // The last utterance is still open when the socket closes.
  for (const [slot, { failure }] of rows.entries()) {
    if (failure === undefined) h.stream(slot, speech(slot + 1));
    h.close(slot, failure === undefined ? 1001 : 1011);
  }
  await until(async () => {
    await h.tick();
    return h.shard.sessions === 0;
  }, 'the end of every session');

  const journal = await stub.journal();
  for (const [slot, row] of rows.entries()) {
    const { user, words, retained, failure } = row;
    const told = wordsOf(h, user);
    t.equal(new Set(told).size, told.length, `${user}: no words twice`);
    t.ok(
      told.every((text) => text.startsWith(`Voice ${slot + 1} `)),
      `${user}: no other stream's words`,
    );
    t.equal(told.length, words, `${user}: words`);
    const kept = h.retained.filter(({ user: of }) => of === user);
    const samples = kept.reduce((sum, { pcm }) => sum + pcm.filter((sample) => sample !== 0).length, 0);
    t.equal(samples, retained * utterance, `${user}: every other sample of speech is retained, once`);
    t.ok(
      kept.every(({ origin, pcm }) => origin?.conversation && pcm.every((s) => s === 0 || s === slot + 1)),
      `${user}: with its conversation`,
    );
    const failures = h.story(slot).filter((entry) => entry === 'stt_failed').length;
    t.equal(failures, failure === undefined ? 0 : 1, `${user}: told once`);
    if (failure !== undefined) {
      t.match(h.events(slot, 'service_status').at(-1), { ...failure, provider: 'provider_b' }, user);
      t.equal(h.story(slot).filter((entry) => entry.startsWith('close')).length, 1);
    }
    const conversations = [...h.journal.conversations.values()].filter(({ request }) => request.uid === user);
    t.equal(conversations.length, 1, `${user}: one conversation`);
  }
  for (const user of ['well', 'well-too']) {
    const record = journal.find((entry) => entry.user === user);
    t.equal(record?.spoken, 4 * utterance, `${user}: the provider got every sample of speech`);
    t.ok(record?.finished);
  }
});

t.test('another provider takes over during a stream without lost or doubled words', async (t) => {
  for (const [second, name] of [
    ['everything', 'a provider of audio'],
    ['utterances', 'the local one'],
  ] as const) {
    t.test(name, async (t) => {
      const [stub, other] = await Promise.all([startStub(), startStub()]);
      t.teardown(() => Promise.all([stub.stop(), other.stop()]));
      const takesOver = createStubProvider({ name: 'provider_a', socket: other.socket });
      const h = new Harness({
        audioProviders: [
          createStubProvider({ name: 'provider_b', socket: stub.socket }),
          ...(second === 'everything' ? [takesOver] : []),
        ],
        ...(second === 'everything' ? { providers: [] } : {}),
        sleep: delay,
        transcriberTimeout: 2000,
        settings: { sttFailovers: 1 },
      });
      await h.open(0);
      await until(async () => {
        await h.settle();
        return h.story(0).includes('ready');
      });
      h.say(0, 1);
      const told = async (words: number): Promise<void> => {
        await until(async () => {
          await h.tick();
          return wordsOf(h, 'user').length >= words;
        }, `${words} utterances`);
      };
      await told(1);
      // The second utterance is open when the first provider dies.
      h.stream(0, speech(2, 10));
      await h.settle();
      await stub.kill();
      await until(async () => {
        await h.tick(20);
        return h.metric('provider_failovers_total') === 1;
      });
      h.stream(0, [...speech(2, 15), ...silence()]);
      await told(2);
      h.say(0, 3);
      await told(3);
      h.close(0);
      await until(async () => {
        await h.tick();
        return h.shard.sessions === 0;
      });
      const voices = wordsOf(h, 'user').map((text) => /Voice (\d+)/.exec(text)![1]);
      t.equal(voices[0], '1');
      t.equal(voices.at(-1), '3');
      t.same(new Set(voices), new Set(['1', '2', '3']));
      t.notOk(h.story(0).includes('stt_failed'));
      t.same(h.retained, []);
      t.equal(h.journal.conversations.size, 1);
      if (second === 'everything') {
        t.equal(voices.length, 3, 'what the first had of the second utterance was sent again');
        const [record] = await other.journal();
        t.equal(record?.spoken, 2 * utterance);
      }
    });
  }
});
