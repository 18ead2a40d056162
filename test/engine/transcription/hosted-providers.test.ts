/**
 * Tests every fault of every hosted service, over real WebSockets to stubs with the services' protocols. Streams with
 * faults and normal streams share a shard. All accepted speech becomes words or is retained, nothing is duplicated, and
 * no fault affects another stream.
 */
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { loadSettings } from '../../../src/config/load-settings.js';
import { createLogger } from '../../../src/log/logger.js';
import { createProviders } from '../../../src/stt/providers/registry.js';
import type { HostedName } from '../../support/hosted-stub/protocols.js';
import { startHostedStub } from '../../support/hosted-stub/server.js';
import type { HostedFault } from '../../support/hosted-stub/stream.js';
import { until } from '../../support/until.js';
import { frameSamples } from '../support/fake-core.js';
import { Harness, speech } from '../support/harness.js';

/** Number of speech samples in one call of `Harness.say`. */
const utterance = speech(1).length * frameSamples;
const answerTimeout = 120_000;

const settingsOf = (name: HostedName, url: string): Record<string, string> =>
  ({
    provider_a: { HOSTED_PARAKEET_API_URL: url },
    provider_b: { MODULATE_API_URL: `${url}/api/velma-2-stt-streaming`, MODULATE_API_KEY: 'secret-key' },
    deepgram: {
      DEEPGRAM_SELF_HOSTED_ENABLED: 'true',
      DEEPGRAM_SELF_HOSTED_URL: url,
      DEEPGRAM_SELF_HOSTED_KEY: 'secret-key',
    },
  })[name];

interface Row {
  /** Fault of the service. Absent: a normal stream. */
  readonly fault?: HostedFault;
  /** Number of utterances that become words. The audio of all other utterances is retained. */
  readonly words: number;
  readonly retained: number;
  /** Message to the client before its socket is closed with 1011. Absent: the stream ends normally. */
  readonly failure?: { readonly outcome: string; readonly reason: string };
}

const lost = { outcome: 'upstream_error', reason: 'connection_lost' };
const notBegun = { outcome: 'upstream_error', reason: 'initialization_failed' };

const rows: readonly Row[] = [
  { words: 4, retained: 0 },
  { fault: 'refuse', words: 0, retained: 3, failure: notBegun },
  { fault: 'stall-connect', words: 0, retained: 3, failure: { ...notBegun, outcome: 'timeout' } },
  { fault: 'quota-at-once', words: 0, retained: 3, failure: notBegun },
  { fault: 'quota', words: 0, retained: 3, failure: lost },
  { fault: 'garbage', words: 0, retained: 3, failure: lost },
  { fault: 'hiccup', words: 4, retained: 0 },
  { fault: 'half-close', words: 0, retained: 3, failure: lost },
  { fault: 'stall', words: 0, retained: 3, failure: { ...lost, outcome: 'timeout' } },
  { fault: 'slow-reader', words: 0, retained: 3, failure: { ...lost, outcome: 'timeout' } },
  { fault: 'no-done', words: 3, retained: 1 },
  { fault: 'duplicate-finals', words: 4, retained: 0 },
  { fault: 'late-finals', words: 5, retained: 0 },
  { words: 4, retained: 0 },
];

/**
 * Returns the number of utterances before the last one. With the fault `late-finals`, the service holds back the words
 * of each utterance with an odd number, and sends them after the words of the next utterance.
 */
const saidAtOnce = ({ fault }: Row): number => (fault === 'late-finals' ? 4 : 3);
const userOf = (slot: number): string => `user-${slot}`;

/** Returns the utterances with words in a user's conversations. */
const wordsOf = (h: Harness, user: string): string[] =>
  [...h.journal.conversations.values()]
    .filter(({ request }) => request.uid === user)
    .flatMap(({ segments }) => [...segments.values()])
    .filter(({ deleted }) => !deleted)
    .flatMap(({ segment }) => segment.text.match(/Voice \d+ says word \d+\./g) ?? []);

// The tests mostly wait between attempts, so three run at once.
t.jobs = 3;
for (const name of ['provider_a', 'provider_b', 'deepgram'] as const) {
  t.test(name, { buffered: true }, async (t) => {
    const stub = await startHostedStub(name);
    t.teardown(() => stub.stop());
    const { values } = loadSettings({
      STT_SERVICE_MODELS: name,
      ...settingsOf(name, stub.url),
    });
    const providers = await createProviders(values, [], createLogger('test', 'silent'));
    const h = new Harness({
      slots: rows.length,
      audioProviders: [...providers.values()],
      providers: [],
      sleep: delay,
      transcriberTimeout: 2000,
      settings: { sttBreakerFailures: 1000, sttAnswerTimeout: answerTimeout, sttConnectTimeout: 500 },
    });
    const isTold = (slot: number, words: number): boolean => wordsOf(h, userOf(slot)).length >= words;
    const isClosed = (slot: number): boolean => h.story(slot).some((entry) => entry.startsWith('close 1011'));
    const isReady = (slot: number): boolean => h.story(slot).includes('ready');

    for (const [slot, row] of rows.entries()) {
      stub.fault = row.fault;
      const opened = h.open(slot, { uid: userOf(slot), conversationTimeout: 14_400 });
      // All utterances are sent before the provider can answer, so that all are accepted.
      for (let said = 0; said < saidAtOnce(row); said++) h.say(slot, slot + 1);
      await opened;
      // The stub sets the fault of a stream when its connection begins. The next stream has a different fault, so the
      // test first waits for the connection of this one.
      await until(async () => {
        await h.settle();
        return isReady(slot) || isClosed(slot);
      }, `the start of the stream with ${row.fault}`);
    }
    const isMute = ({ fault }: Row): boolean => fault === 'stall' || fault === 'slow-reader';
    await until(async () => {
      await h.tick();
      return rows.every(
        (row, slot) =>
          isMute(row) || (row.failure === undefined ? isTold(slot, saidAtOnce(row)) : isClosed(slot)),
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

    for (const [slot, row] of rows.entries()) {
      const { words, retained, failure, fault = 'well' } = row;
      const user = userOf(slot);
      const told = wordsOf(h, user);
      t.equal(new Set(told).size, told.length, `${fault}: no words twice`);
      t.ok(
        told.every((text) => text.startsWith(`Voice ${slot + 1} `)),
        `${fault}: no other stream's words`,
      );
      t.equal(told.length, words, `${fault}: words`);
      const kept = h.retained.filter(({ user: of }) => of === user);
      const samples = kept.reduce((sum, { pcm }) => sum + pcm.filter((sample) => sample !== 0).length, 0);
      t.equal(samples, retained * utterance, `${fault}: every other sample of speech is retained, once`);
      const failures = h.story(slot).filter((entry) => entry === 'stt_failed').length;
      t.equal(failures, failure === undefined ? 0 : 1, `${fault}: told once`);
      if (failure !== undefined)
        t.match(h.events(slot, 'service_status').at(-1), { ...failure, provider: name }, fault);
      const conversations = [...h.journal.conversations.values()].filter(
        ({ request }) => request.uid === user,
      );
      t.equal(conversations.length, 1, `${fault}: one conversation`);
    }
    t.equal(h.metric(`provider_malformed_total{provider="${name}"}`), 3, 'messages that were skipped');
    const well = stub.records.filter(({ spoken, finished }) => finished && spoken === 4 * utterance);
    t.ok(well.length >= 3, 'the provider got every sample of speech of the streams that it served well');
    const [first] = stub.records;
    t.match({ ...first, texts: first?.texts.slice(-1) }, expected[name]);
    const sent = h.sent.map((message) => JSON.stringify(message)).join();
    t.notMatch(sent, /secret-key|Monthly usage|127\.0\.0\.1/, 'nothing of the provider goes to a client');
  });
}

/** The expected request to each service. */
const expected = {
  provider_a: { path: '/v3/stream', query: { sample_rate: '16000' }, texts: ['finalize'] },
  provider_b: {
    query: {
      api_key: 'secret-key',
      speaker_diarization: 'true',
      partial_results: 'true',
      sample_rate: '16000',
      audio_format: 's16le',
      num_channels: '1',
      language: 'en',
    },
    texts: [''],
  },
  deepgram: {
    path: '/v1/listen',
    authorization: 'Token secret-key',
    query: { model: 'nova-3', language: 'en', encoding: 'linear16', sample_rate: '16000', diarize: 'true' },
    texts: ['{"type":"CloseStream"}'],
  },
};
