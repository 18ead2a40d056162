/**
 * Tests voice messages with network transcription services: outcomes over HTTP, and the next provider after a failure.
 */
import t from 'tap';
import { freePort } from '../../../bench/fleet/targets/free-port.js';
import { errorRegistry } from '../../../src/errors/registry.js';
import type { RecordingWork } from '../../../src/pipeline/words/recordings.js';
import { withoutNative } from '../../audio/support.js';
import { type BatchAnswer, says, startBatchStub } from '../../support/servers/batch-stub.js';
import { scene } from '../../support/texts/speech.js';
import { startAnother, startApi } from '../support.js';

const path = '/v2/voice-message/transcribe';
const failure = (code: keyof typeof errorRegistry, outcome: string, provider: string) => ({
  error: code,
  outcome,
  provider,
  retryable: errorRegistry[code].retryable ?? false,
  message: errorRegistry[code].message,
});

t.test('voice messages with network services', { skip: withoutNative }, async (t) => {
  const velma = await startBatchStub(says({ text: 'Good morning.' }));
  const parakeet = await startBatchStub(says({ text: 'Guten Morgen.' }));
  t.teardown(() => Promise.all([velma.stop(), parakeet.stop()]));
  let isLocalAsked = false;
  const local: RecordingWork['transcription'] = {
    transcribe: async () => {
      isLocalAsked = true;
      return { outcome: 'success', text: 'Locally.', provider: 'local', waited: 0, decoded: 0 };
    },
    close: async () => undefined,
  };
  const network = {
    MODULATE_API_KEY: 'secret-key',
    MODULATE_BATCH_URL: `${velma.url}/api/velma-2-stt-batch`,
    HOSTED_PARAKEET_API_URL: parakeet.url,
    // Effectively disables the circuit breaker, so that failures of one test do not affect the next.
    STT_BREAKER_FAILURES: '1000',
    STT_ANSWER_TIMEOUT: '1000',
    RATE_LIMIT_BOOST: '100',
  };
  const metricsPort = await freePort();
  const alone = { ...network, STT_SERVICE_MODELS: 'provider_b', SIDECAR_METRICS_PORT: String(metricsPort) };
  const api = await startApi(t, alone, undefined, local);
  const several = await startAnother(
    t,
    api,
    { ...network, STT_SERVICE_MODELS: 'provider_b,provider_a,local' },
    local,
  );
  const ann = await api.person();
  const { pcm } = await scene([0]);
  const speech = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  const send = (body: Uint8Array = speech, { on = api, query = '' } = {}) =>
    on.call(path + query, {
      credential: ann.token,
      body,
      headers: { 'content-type': 'application/octet-stream' },
    });

  await t.test('transcribes every language, and answers silence itself', async (t) => {
    const { status, body } = await send();
    const served = { outcome: 'success', stt_provider: 'provider_b', stt_model: 'velma-2' };
    t.equal(status, 200);
    t.match(body, { ...served, language: null }, 'without a language, because the service detects it');
    t.equal(body.transcript, velma.records.map(() => 'Good morning.').join(' '));
    t.ok(velma.records.length > 0);
    t.match((await send(speech, { query: '?language=de' })).body, { ...served, language: 'de' });
    const before = velma.records.length;
    const quiet = { transcript: '', outcome: 'expected_silence', stt_provider: 'provider_b' };
    t.match(await send(Buffer.alloc(64_000)), { status: 200, body: quiet });
    t.equal(velma.records.length, before, 'silence is not sent');
  });

  await t.test('each failure of a service has its status and code', async (t) => {
    const secret = { text: { account: 4711 }, error: 'account 4711' };
    for (const [title, answer, status, code, outcome] of [
      ['no words', says({ text: '' }), 502, 'stt_empty_unexpected', 'empty_unexpected'],
      ['garbage', says(secret), 502, 'stt_upstream_error', 'upstream_error'],
      ['an error', says(secret, 500), 502, 'stt_upstream_error', 'upstream_error'],
      ['no answer', () => undefined, 504, 'stt_timeout', 'timeout'],
      ['a wrong key', says(secret, 401), 503, 'stt_provider_configuration_error', 'config_error'],
    ] as const satisfies readonly (readonly [
      string,
      BatchAnswer,
      number,
      keyof typeof errorRegistry,
      string,
    ])[]) {
      velma.answer = answer;
      const given = await send();
      t.strictSame([given.status, given.body], [status, failure(code, outcome, 'provider_b')], title);
    }
    const unset = { ...network, MODULATE_API_KEY: '', STT_SERVICE_MODELS: 'provider_b,local' };
    velma.answer = says({ text: 'Not asked.' });
    const asked = velma.records.length;
    const only = await startAnother(t, api, unset, local);
    t.match(await send(speech, { on: only }), { status: 200, body: { stt_provider: 'local' } });
    t.equal(velma.records.length, asked, 'an unconfigured service is skipped');
    const unknown = failure('stt_provider_configuration_error', 'config_error', 'unknown');
    const german = await send(speech, { on: only, query: '?language=de' });
    t.strictSame([german.status, german.body], [503, unknown], 'its languages are unavailable');
  });

  await t.test('a temporary failure is tried again', async (t) => {
    let tries = 0;
    velma.answer = (response, record) =>
      (++tries === 1 ? says({}, 500) : says({ text: 'At last.' }))(response, record);
    const { status, body } = await send();
    t.equal(status, 200);
    t.match(body.transcript, /^At last\./);
  });

  await t.test('tries the providers of the policy in order', async (t) => {
    velma.answer = says({}, 500);
    t.match(await send(speech, { on: several }), {
      status: 200,
      body: { stt_provider: 'provider_a', stt_model: 'parakeet' },
    });
    t.notOk(
      isLocalAsked && parakeet.records.length === 0,
      'the second provider comes before the local model',
    );
    isLocalAsked = false;
    parakeet.answer = says({}, 500);
    const english = { on: several, query: '?language=en' };
    t.match(await send(speech, english), { status: 200, body: { stt_provider: 'local' } });
    t.ok(isLocalAsked);
    isLocalAsked = false;
    const german = await send(speech, { on: several, query: '?language=de' });
    const failed = failure('stt_upstream_error', 'upstream_error', 'provider_b');
    t.strictSame([german.status, german.body], [502, failed], 'providers without the language are skipped');
    t.notOk(isLocalAsked);
  });

  await t.test('counts attempts by provider and outcome', async (t) => {
    const page = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    for (const outcome of ['success', 'expected_silence', 'empty_unexpected', 'timeout', 'config_error'])
      t.match(
        page,
        new RegExp(
          `cochlea_voice_messages_total\\{route="voice_rest_pcm",outcome="${outcome}",provider="provider_b"\\} \\d`,
        ),
        outcome,
      );
  });
});
