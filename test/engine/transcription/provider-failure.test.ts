import t from 'tap';
import type { AudioStream, Provider, StreamRequest } from '../../../src/stt/shared/provider.js';
import { until } from '../../support/until.js';
import { Harness, speech } from '../support/harness.js';

/** Returns a connection that accepts audio but returns nothing. @param sent collects the audio. */
const takesAudio = (sent: Int16Array[] = []): AudioStream => ({
  send: (pcm) => sent.push(pcm) > 0,
  finish: async () => true,
  close: () => undefined,
});

/** Returns a provider that accepts all audio. @param connect opens its connections. */
const audioProvider = (
  name: string,
  connect: (request: StreamRequest) => Promise<AudioStream>,
): Provider => ({
  name,
  capabilities: {
    audio: 'everything',
    supports: () => true,
    diarizes: false,
    interim: false,
    wordTimes: true,
  },
  connect,
});

t.test('reports a lost provider once, then closes the socket', async (t) => {
  const h = new Harness();
  await h.open(0);
  h.provider.manual = true;
  h.say(0, 1);
  h.say(0, 2);
  h.stream(0, speech(3));
  await h.settle();
  for (const held of h.provider.held) held.fail();
  await h.tick();
  t.same(h.story(0).slice(-2), ['stt_failed', 'close 1011 transcription_service_unavailable']);
  t.equal(h.story(0).filter((entry) => entry === 'stt_failed').length, 1);
  t.match(h.events(0, 'service_status').at(-1), {
    outcome: 'upstream_error',
    provider: 'local',
    retryable: true,
    reason: 'connection_lost',
  });
  t.equal(h.metric('provider_failures_total'), 1);
  h.say(0, 4);
  h.close(0, 1011);
  await h.settle();
  t.equal(h.shard.sessions, 0);
  const { retained } = h;
  t.same(
    retained.map(({ reason }) => reason),
    ['provider_failed', 'provider_failed', 'provider_failed'],
    'the utterance that was open, too; what came after the close was not accepted',
  );
  const [first] = retained;
  t.match(first, { user: 'user', language: 'en', start: Number, end: Number });
  t.match(first!.origin, {
    conversation: /^[\da-f-]{36}$/,
    source: 'phone',
    speaker: 'SPEAKER_00',
    isUser: false,
  });
  t.ok(first!.origin!.to > first!.origin!.from, 'wall clock');
});

t.test('retains speech while no provider connects', async (t) => {
  const h = new Harness();
  h.provider.refusals = 100;
  h.sleeps = true;
  await h.open(0);
  h.say(0, 1);
  await h.settle();
  t.same(h.retained, [], 'it may still connect');
  h.sleeps = false;
  for (const wake of h.sleepers.splice(0)) wake();
  await h.tick();
  t.same(
    h.retained.map(({ reason }) => reason),
    ['not_connected'],
  );
  t.ok(h.story(0).includes('stt_failed'));
});

t.test('retains unconfirmed audio when the next provider does not connect in time', async (t) => {
  let die = (): void => undefined;
  let connect: (stream: AudioStream) => void = () => undefined;
  const h = new Harness({
    audioProviders: [
      audioProvider('provider_a', async ({ emit }) => {
        die = () => emit({ kind: 'death', reason: 'connection_lost' });
        return takesAudio();
      }),
      audioProvider('provider_b', () => new Promise((resolve) => (connect = resolve))),
    ],
    providers: [],
    settings: { sttFailovers: 1, sttConnectTimeout: 600_000 },
  });
  await h.open(0);
  h.say(0, 1);
  await h.settle();
  die();
  await h.settle();
  t.same(h.retained, [], 'the next one may still connect');
  h.close(0);
  await until(async () => {
    await h.tick();
    return h.shard.sessions === 0;
  }, 'the end of the session');
  t.same(
    h.retained.map(({ reason }) => reason),
    ['stream_ended'],
  );
  t.ok(h.retained[0]?.pcm.includes(1), 'with what was said');
  connect(takesAudio());
});

t.test('retains audio for one kind of provider when the other kind connects', async (t) => {
  const sent: Int16Array[] = [];
  const h = new Harness({ audioProviders: [audioProvider('provider_a', async () => takesAudio(sent))] });
  h.provider.refusals = 100;
  h.sleeps = true;
  await h.open(0, { sttService: 'local' });
  h.say(0, 1);
  await until(async () => {
    await h.settle();
    for (const wake of h.sleepers.splice(0)) wake();
    return h.story(0).includes('ready');
  }, 'the other provider connects');
  await h.tick();
  t.same(
    h.retained.map(({ reason }) => reason),
    ['provider_changed'],
  );
  t.notOk(h.story(0).includes('stt_failed'));
  h.say(0, 2);
  t.ok(
    sent.some((pcm) => pcm.includes(2)),
    'what follows goes to the one that connected',
  );
});

const outcomes = [
  { outcome: 'expected_silence', closes: false, counter: undefined },
  { outcome: 'empty_unexpected', closes: false, counter: 'utterances_empty_total' },
  { outcome: 'invalid_input', closes: false, counter: 'utterances_failed_total' },
  { outcome: 'upstream_error', retained: 'a.ogg', closes: false, counter: 'utterances_failed_total' },
  { outcome: 'timeout', retained: 'a.ogg', closes: false, counter: 'utterances_failed_total' },
  { outcome: 'upstream_error', closes: true, counter: 'utterances_failed_total' },
  { outcome: 'timeout', closes: true, counter: 'utterances_failed_total' },
  { outcome: 'config_error', retained: 'a.ogg', closes: true, counter: 'utterances_failed_total' },
] as const;
for (const { closes, counter, ...result } of outcomes) {
  const kept = 'retained' in result ? 'with' : 'without';
  t.test(
    `the outcome ${result.outcome} ${kept} retained audio ${closes ? 'closes the stream' : 'does not close the stream'}`,
    async (t) => {
      const h = new Harness();
      await h.open(0);
      h.provider.manual = true;
      h.say(0, 1);
      await h.settle();
      h.provider.held[0]!.answer({ text: '', ...result });
      await h.tick();
      t.equal(h.story(0).includes('stt_failed'), closes);
      if (closes) t.equal(h.events(0, 'service_status').at(-1)?.outcome, result.outcome);
      if (counter !== undefined) t.equal(h.metric(counter), 1);
      t.same(h.segments(0), []);
    },
  );
}

t.test('a failure of one stream does not affect the others', async (t) => {
  const h = new Harness();
  await h.open(0, { uid: 'a' });
  await h.open(1, { uid: 'b' });
  h.provider.manual = true;
  h.say(0, 1);
  h.say(1, 2);
  await h.settle();
  h.provider.held[0]!.fail();
  h.provider.held[1]!.answer();
  await h.tick();
  t.notOk(h.story(1).includes('stt_failed'));
  t.equal(h.segments(1).length, 1);
});
