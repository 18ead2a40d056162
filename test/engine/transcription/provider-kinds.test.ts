/**
 * Tests kinds of audio providers on one shard: with gated audio, with their own diarization, and with a queue that is full for a while.
 * Also tests a local provider that becomes unusable or away while there is no speech.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import t from 'tap';
import { createLocalProvider } from '../../../src/stt/providers/local-provider.js';
import type { PortAnswer } from '../../../src/stt/shared/decoder-messages.js';
import type { AudioStream, Provider } from '../../../src/stt/shared/provider.js';
import { createStubProvider } from '../../support/stub-provider/provider.js';
import { startStub } from '../../support/stub-provider/start.js';
import { until } from '../../support/until.js';
import { frameSamples } from '../support/fake-core.js';
import { Harness, silence, speech } from '../support/harness.js';

const utterance = speech(1).length * frameSamples;
const pause = silence(250);

/** Returns a provider that accepts no audio while `state.isFull` is true. */
const withFullQueue = (provider: Provider, state: { isFull: boolean }): Provider => ({
  ...provider,
  connect: async (request) => {
    const stream = (await provider.connect(request)) as AudioStream;
    return {
      send: (pcm) => !state.isFull && stream.send(pcm),
      finish: (timeout) => stream.finish(timeout),
      close: () => stream.close(),
    };
  },
});

t.test('serves providers of every kind at the same time', async (t) => {
  const stub = await startStub();
  t.teardown(() => stub.stop());
  const { socket } = stub;
  const queue = { isFull: false };
  const h = new Harness({
    audioProviders: [
      createStubProvider({ name: 'deepgram', socket }),
      createStubProvider({ name: 'provider_b', socket, capabilities: { audio: 'gated' } }),
      createStubProvider({ name: 'provider_a', socket, capabilities: { diarizes: true } }),
      withFullQueue(createStubProvider({ name: 'local', socket }), queue),
    ],
    providers: [],
    sleep: delay,
    transcriberTimeout: 2000,
  });
  const names = ['deepgram', 'provider_b', 'provider_a', 'local'];
  for (const [slot, name] of names.entries()) {
    await h.open(slot, { uid: name, sttService: name, conversationTimeout: 14_400 });
  }
  const segmentsOf = (user: string) =>
    [...h.journal.conversations.values()]
      .filter(({ request }) => request.uid === user)
      .flatMap(({ segments }) => [...segments.values()])
      .filter(({ deleted }) => !deleted)
      .map(({ segment }) => segment);
  const voicesOf = (user: string): string[] =>
    segmentsOf(user).flatMap(({ text }) => text.match(/Voice \d+/g) ?? []);
  /** Sends frames on all streams at the same time, in real time. A pause of a single stream would reset its clock. */
  const stream = (frames: readonly number[]): void => {
    for (const frame of frames) {
      for (const slot of names.keys()) h.frames(slot, [frame]);
      h.clock.now += 20;
      while (h.shard.pass() > 0);
    }
  };
  const say = (voice: number): void => stream([...speech(voice), ...pause]);
  const told = async (slots: readonly number[], count: number): Promise<void> => {
    await until(async () => {
      await h.tick(0);
      return slots.every((slot) => voicesOf(names[slot]!).length === count);
    }, `${count} utterances`);
  };
  await until(async () => {
    await h.settle();
    return names.every((_, slot) => h.story(slot).includes('ready'));
  });
  say(1);
  await told([0, 1, 2, 3], 1);
  queue.isFull = true;
  say(2);
  await told([0, 1, 2], 2);
  queue.isFull = false;
  say(3);
  await told([0, 1, 2], 3);
  await told([3], 2);
  stream(speech(4));
  for (const slot of names.keys()) h.close(slot);
  await until(async () => {
    await h.tick();
    return h.shard.sessions === 0;
  }, 'the end of every session');

  const all = ['Voice 1', 'Voice 2', 'Voice 3', 'Voice 4'];
  const rows: readonly { name: string; voices: string[]; speakers: string[]; retained: number }[] = [
    { name: 'deepgram', voices: all, speakers: ['SPEAKER_00'], retained: 0 },
    { name: 'provider_b', voices: all, speakers: ['SPEAKER_00'], retained: 0 },
    { name: 'provider_a', voices: all, speakers: ['SPEAKER_01', 'SPEAKER_00'], retained: 0 },
    { name: 'local', voices: ['Voice 1', 'Voice 3', 'Voice 4'], speakers: ['SPEAKER_00'], retained: 1 },
  ];
  const journal = await stub.journal();
  for (const { name, voices, speakers, retained } of rows) {
    t.same(voicesOf(name), voices, `${name}: each word once, in order`);
    t.same(
      [...new Set(segmentsOf(name).map(({ speaker }) => speaker))],
      speakers,
      `${name}: speakers where it tells them apart`,
    );
    const kept = h.retained.filter(({ user }) => user === name);
    const samples = kept.reduce((sum, { pcm }) => sum + pcm.filter((sample) => sample !== 0).length, 0);
    t.equal(samples, retained * utterance, `${name}: what it did not take is retained`);
    t.ok(kept.every(({ reason }) => reason === 'queue_full'));
    const record = journal.find(({ user }) => user === name);
    t.equal(record?.spoken, (4 - retained) * utterance, `${name}: all other speech was sent`);
    t.notOk(h.story(names.indexOf(name)).includes('stt_failed'));
  }
  t.equal(h.journal.conversations.size, rows.length, 'one conversation a stream');
  const sent = (user: string): number => journal.find((record) => record.user === user)!.samples;
  t.ok(sent('provider_b') < sent('deepgram') / 2, 'gated: silence is not sent');
  const timesOf = (user: string): string[] =>
    segmentsOf(user).map(({ start, end }) => `${start.toFixed(1)} to ${end.toFixed(1)}`);
  t.same(timesOf('provider_b'), timesOf('deepgram'), 'and its words have the same times');
});

t.test('reports the end of the local provider at once, even without speech', async (t) => {
  const rows = [
    { state: 'unusable', outcome: 'config_error', reason: 'connection_lost', retryable: false },
    { state: 'away', outcome: 'upstream_error', reason: 'socket_unavailable', retryable: true },
  ] as const;
  const ending = ['stt_failed', 'close 1011 transcription_service_unavailable'];
  for (const { state, ...failure } of rows) {
    const { port1, port2 } = new MessageChannel();
    t.teardown(() => port1.close());
    const local = createLocalProvider(port2, { languages: () => ['en'] });
    const h = new Harness({ audioProviders: [local], providers: [] });
    const opened = async (slot: number, word: string): Promise<void> => {
      await h.open(slot);
      await until(async () => {
        await h.settle();
        return h.story(slot).includes(word);
      });
    };
    port1.postMessage({ kind: 'state', state: 'ready' } satisfies PortAnswer);
    await opened(0, 'ready');
    port1.postMessage({ kind: 'state', state } satisfies PortAnswer);
    // The streams must fail although no clock moves, and neither frames nor ticks arrive.
    await until(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return h.story(0).includes('stt_failed');
    });
    t.same(h.story(0).slice(-2), ending, state);
    t.match(h.events(0, 'service_status').at(-1), { ...failure, provider: 'local' }, state);
    // Failed streams of a provider that is away do not open its breaker, although the same number of other failures
    // would.
    for (let slot = 1; slot <= (state === 'away' ? 4 : 1); slot++) {
      await opened(slot, 'stt_failed');
      const { outcome, retryable } = failure;
      const event = h.events(slot, 'service_status').at(-1);
      t.match(event, { outcome, retryable, reason: 'initialization_failed' }, `${state}: a new stream`);
    }
    if (state === 'unusable') continue;
    port1.postMessage({ kind: 'state', state: 'ready' } satisfies PortAnswer);
    // The message arrives only in a later turn of the event loop.
    const { signal } = new AbortController();
    const request = { id: 'probe', user: 'probe', language: 'en', signal, emit: () => undefined };
    await until(() =>
      local.connect(request).then(
        () => true,
        () => false,
      ),
    );
    await opened(5, 'ready');
  }
});
