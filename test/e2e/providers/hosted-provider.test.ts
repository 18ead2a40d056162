/** A hosted provider with the whole product, over real sockets on both sides. */
import t from 'tap';
import { encodeFrames } from '../../../src/app/wearable/encode.js';
import { startHostedStub } from '../../support/hosted-stub/server.js';
import { startService } from '../../support/service.js';
import { scene } from '../../support/texts/speech.js';
import { until } from '../../support/until.js';

t.test(
  'a provider over the network serves a stream, and its failure is reported',
  { timeout: 240_000 },
  async (t) => {
    const stub = await startHostedStub('provider_a', 1);
    t.teardown(() => stub.stop());
    const service = await startService(t, {
      STT_SERVICE_MODELS: 'provider_a',
      HOSTED_PARAKEET_API_URL: stub.url,
    });
    const { pcm, rate } = await scene([0], 1500);
    const frames = encodeFrames({ pcm, rate }, 'opus', 16_000);
    const wearable = await service.wearable(await service.user('served'), { codec: 'opus', rate: 16_000 });
    const ready = await wearable.waitFor((event) => event.status === 'ready', 60_000);
    t.equal(ready?.provider, 'provider_a');
    await wearable.send(frames, 4);
    await until(() => wearable.transcript.segments.length > 0, 'words');
    t.match(wearable.transcript.segments[0], { text: /^word 1\./, stt_provider: 'provider_a' });
    await wearable.close();
    await until(() => stub.records[0]?.finished, 'the end of the audio at the provider');
    t.match(stub.records, [{ path: '/v3/stream', query: { sample_rate: '16000' }, texts: ['finalize'] }]);
    t.equal(stub.records.length, 1, 'one connection, finished once');

    stub.fault = 'half-close';
    const failing = await service.wearable(await service.user('failed'), { codec: 'opus', rate: 16_000 });
    await failing.waitFor((event) => event.status === 'ready', 60_000);
    await failing.send(frames, 4);
    const { code, reason } = await failing.closed;
    t.same([code, reason], [1011, 'transcription_service_unavailable']);
    t.match(
      failing.events.filter(({ status }) => status === 'stt_failed'),
      [{ outcome: 'upstream_error', provider: 'provider_a', retryable: true, reason: 'connection_lost' }],
      'told once, before the close',
    );
  },
);
