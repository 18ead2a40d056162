/** Tests over real sockets that the first working provider of the policy transcribes recorded speech. */
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { loadSettings } from '../../../src/config/load-settings.js';
import { createLogger } from '../../../src/log/logger.js';
import { PolicyTranscription } from '../../../src/stt/providers/policy-transcription.js';
import type { AudioStream, Provider, StreamRequest } from '../../../src/stt/shared/provider.js';
import type {
  TranscriptionClient,
  TranscriptionRequest,
} from '../../../src/stt/shared/transcription-request.js';
import { createStubProvider } from '../../support/stub-provider/provider.js';
import { startStub } from '../../support/stub-provider/start.js';
import { until } from '../../support/until.js';

const log = createLogger('test', 'silent');
const rate = 16_000;
const voice = 7;
/** One second of sound, one second of silence that ends the sound, and a second of sound again. */
const twoRuns = new Int16Array(3 * rate).fill(voice, 0, rate).fill(voice, 2 * rate);
const oneRun = new Int16Array(rate).fill(voice);
const said = (...numbers: number[]): string =>
  numbers.map((number) => `Voice ${voice} says word ${number}.`).join(' ');

const requestOf = (more: Partial<TranscriptionRequest> = {}): TranscriptionRequest => ({
  user: 'well',
  stream: 'retained/1',
  language: 'en',
  pcm: oneRun,
  priority: 'retained',
  ...more,
});

const local = (asked: { count: number } = { count: 0 }) => ({
  supports: (language: string) => language === 'en',
  client: {
    transcribe: async () => {
      asked.count++;
      return { outcome: 'success', text: 'Local words.', provider: 'local', waited: 0, decoded: 0 };
    },
    close: async () => undefined,
  } satisfies TranscriptionClient,
});

const policy = (
  providers: readonly Provider[],
  here: ReturnType<typeof local> | null,
  environment: Readonly<Record<string, string>> = {},
): PolicyTranscription => {
  const settings = loadSettings({
    STT_CONNECT_TIMEOUT: '2000',
    STT_ANSWER_TIMEOUT: '2000',
    STT_BREAKER_FAILURES: '1000',
    STT_RETAINED_PACE: '20',
    ...environment,
  }).values;
  const order = ['provider_b', 'provider_a', 'deepgram', 'local'];
  const byName = new Map(providers.map((provider) => [provider.name, provider]));
  return new PolicyTranscription({ order, providers: byName, local: here, settings, log });
};

/** Makes a provider in this process. The test controls its streams. */
const provider = (connect: (request: StreamRequest) => Promise<AudioStream>): Provider => ({
  name: 'provider_b',
  capabilities: {
    audio: 'gated',
    supports: (language) => language === 'en',
    diarizes: false,
    interim: true,
    wordTimes: false,
  },
  connect,
});

t.test("transcribes recorded speech over a provider's socket, or asks the next provider", async (t) => {
  const stub = await startStub();
  t.teardown(() => stub.stop());
  const hosted = createStubProvider({ name: 'provider_b', socket: stub.socket });
  // Expected outcomes. `away`: the audio waits, and the attempt does not count. `failed`: the attempt counts.
  const cases = [
    { user: 'well', text: said(1) },
    { user: 'fault-duplicate-finals', text: said(1) },
    { user: 'fault-late-finals', pcm: twoRuns, text: said(1, 2) },
    { user: 'fault-refuse', outcome: 'config_error' },
    { user: 'fault-stall-connect', outcome: 'config_error' },
    { user: 'fault-quota-at-once', outcome: 'config_error' },
    { user: 'fault-quota', outcome: 'config_error' },
    { user: 'fault-garbage', outcome: 'upstream_error' },
    { user: 'fault-half-close', outcome: 'upstream_error' },
    { user: 'fault-stall', outcome: 'timeout' },
  ];
  for (const { user, pcm = oneRun, text = '', outcome = 'success' } of cases) {
    const alone = policy([hosted], null);
    const result = await alone.transcribe(requestOf({ user, pcm }));
    t.match(result, { outcome, text, provider: 'provider_b' }, user);
    const asked = { count: 0 };
    const withLocal = policy([hosted], local(asked));
    const other = await withLocal.transcribe(requestOf({ user, pcm }));
    t.equal(other.text, text === '' ? 'Local words.' : text, `${user}: the next one of the policy`);
    t.equal(asked.count, text === '' ? 1 : 0, user);
    await Promise.all([alone.close(), withLocal.close()]);
  }
  const records = await stub.journal();
  const well = records.filter(({ user }) => user === 'well');
  t.ok(
    well.every(({ finished, samples }) => finished && samples === oneRun.length),
    'the provider received all audio and the end',
  );

  await t.test('skips a provider after repeated failures', async (t) => {
    const client = policy([hosted], null, { STT_BREAKER_FAILURES: '2' });
    for (let number = 0; number < 4; number++) {
      const { outcome } = await client.transcribe(requestOf({ user: 'fault-refuse' }));
      t.equal(outcome, 'config_error');
    }
    const asked = (await stub.journal()).filter(({ user }) => user === 'fault-refuse').length;
    const before = records.filter(({ user }) => user === 'fault-refuse').length;
    t.equal(asked - before, 2);
  });
});

t.test('chooses the first provider that supports the language', async (t) => {
  const stub = await startStub();
  t.teardown(() => stub.stop());
  const german = createStubProvider({
    name: 'provider_a',
    socket: stub.socket,
    capabilities: { supports: (language) => language === 'de' },
  });
  const client = policy([german], local());
  t.equal(
    (await client.transcribe(requestOf())).provider,
    'local',
    'the provider that supports the language',
  );
  t.equal((await client.transcribe(requestOf({ language: 'de-DE' }))).provider, 'provider_a');
  t.match(await client.transcribe(requestOf({ language: 'fr' })), {
    outcome: 'config_error',
    reason: 'language',
  });
  const none = policy([], null);
  t.match(await none.transcribe(requestOf()), { reason: 'language' });
});

t.test('counts a failed attempt although another provider is unreachable', async (t) => {
  const stub = await startStub();
  t.teardown(() => stub.stop());
  const named = (name: string, socket: string) => createStubProvider({ name, socket });
  const nowhere = `${stub.socket}.none`;
  for (const sockets of [
    [stub.socket, nowhere],
    [nowhere, stub.socket],
  ] as const) {
    const client = policy([named('provider_b', sockets[0]), named('provider_a', sockets[1])], null);
    const { outcome } = await client.transcribe(requestOf({ user: 'fault-garbage' }));
    t.equal(outcome, 'upstream_error');
  }
});

t.test('limits concurrent streams and sends audio no faster than it was spoken', async (t) => {
  let open = 0;
  let most = 0;
  let closed = 0;
  const counting = provider(async () => {
    most = Math.max(most, ++open);
    return {
      send: () => true,
      finish: async () => true,
      close: () => {
        open--;
        closed++;
      },
    };
  });
  const client = policy([counting], null, { STT_RETAINED_STREAMS: '2', STT_RETAINED_PACE: '1' });
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, number) => client.transcribe(requestOf({ stream: `retained/${number}` }))),
  );
  t.ok(
    answers.every(({ outcome }) => outcome === 'empty_unexpected'),
    'a provider that found no words has answered',
  );
  t.equal(most, 2, 'streams at once');
  t.equal(closed, 5, 'every stream is closed');
  const spoken = (oneRun.length / rate) * 1000;
  t.ok(
    answers.every(({ decoded }) => decoded > 0.8 * spoken),
    'not faster than it was spoken',
  );
});

t.test('limits hostile providers', async (t) => {
  let closed = 0;
  const close = (): void => void closed++;
  await t.test('ends a stream with endless words', async (t) => {
    const endless = provider(async ({ emit }) => ({
      send: () => {
        for (let start = 0; start < 100; start++)
          emit({ kind: 'final', text: `${start} ${'word '.repeat(1000)}`, start, end: start + 1 });
        return true;
      },
      finish: async () => true,
      close,
    }));
    t.equal((await policy([endless], null).transcribe(requestOf())).outcome, 'upstream_error');
    t.equal(closed, 1);
  });
  await t.test('ends a stream that accepts no audio', async (t) => {
    const stuck = provider(async () => ({ send: () => false, finish: async () => true, close }));
    const client = policy([stuck], null, { STT_ANSWER_TIMEOUT: '1000' });
    t.equal((await client.transcribe(requestOf())).outcome, 'upstream_error');
    t.equal(closed, 2);
  });
  await t.test('closes the stream of a cancelled request', async (t) => {
    const stuck = provider(async () => ({ send: () => false, finish: async () => true, close }));
    const client = policy([stuck], null, { STT_ANSWER_TIMEOUT: '600000' });
    const giveUp = new AbortController();
    const given = client.transcribe(requestOf({ signal: giveUp.signal }));
    const other = client.transcribe(requestOf());
    await pause(400);
    giveUp.abort();
    t.equal((await given).outcome, 'upstream_error');
    t.equal(closed, 3);
    await client.close();
    t.equal((await other).outcome, 'upstream_error');
    await until(() => closed === 4);
  });
  await t.test('closes a stream that connects after the client was closed', async (t) => {
    let connect: (stream: AudioStream) => void = () => undefined;
    const late = provider(
      () =>
        new Promise((resolve) => {
          connect = resolve;
        }),
    );
    const client = policy([late], null, { STT_CONNECT_TIMEOUT: '60000' });
    const answer = client.transcribe(requestOf());
    await pause(50);
    await client.close();
    t.equal((await answer).outcome, 'upstream_error', 'the request fails at once');
    connect({ send: () => true, finish: async () => true, close });
    await until(() => closed === 5, 'a late connection is closed');
  });
});
