/** With MIN_DURABILITY=stream, an engine that reaches neither the database nor the bus sends its streams to other engines. */
import t from 'tap';
import { startProxy } from '../../journal/proxy.js';
import { testDatabaseUrl } from '../../support/database/database.js';
import { withoutNats } from '../../support/servers/find-nats.js';
import { startNats } from '../../support/servers/nats.js';
import { metric, startService } from '../../support/service.js';
import { until } from '../../support/until.js';

t.test('words on the disk alone are not acknowledged', { skip: withoutNats, timeout: 240_000 }, async (t) => {
  const proxy = await startProxy(await testDatabaseUrl(t));
  t.teardown(() => proxy.close());
  const nats = await startNats(t);
  const env = {
    COCHLEA_STT: 'discard',
    DATABASE_URL: proxy.url,
    DATABASE_TIMEOUT: '1000',
    NATS_URL: nats.url,
    SPILL_KEY: 'k'.repeat(32),
    MIN_DURABILITY: 'stream',
  };
  const service = await startService(t, env, async () => undefined);
  const user = await service.user('ann');
  const seen = new Set<string>();
  const options = {
    codec: 'pcm8',
    rate: 8000,
    source: 'phone',
    conversationTimeout: 3600,
    query: { custom_stt: 'enabled' },
  } as const;
  const open = async () => {
    const stream = await service.wearable(user, options, {
      segments: (segments) => {
        for (const { text } of segments) for (const word of text.split(' ')) seen.add(word);
      },
    });
    await stream.waitFor((event) => event.status === 'ready', 60_000);
    return stream;
  };
  const stream = await open();
  await until(async () => (await metric(service, 'spill_copies_ready')) === 1);
  const say = (text: string, start: number) => {
    const segments = [{ text, start, end: start + 0.5, speaker: 'SPEAKER_00' }];
    stream.sendText(JSON.stringify({ type: 'suggested_transcript', stt_provider: 'own', segments }));
  };
  const health = async () => (await fetch(`${service.base}/engine/health/ready`)).status;
  say('one', 1);
  await until(() => seen.has('one'));
  proxy.mode = 'refused';
  say('two', 2);
  await until(() => seen.has('two'), 'the stream is enough');
  t.equal(await health(), 200);

  await nats.kill();
  await until(async () => (await metric(service, 'spill_copies_ready')) === 0);
  say('three', 3);
  const { code, reason } = await stream.closed;
  t.equal(code, 1012);
  t.match(reason, /MIN_DURABILITY/);
  t.notOk(seen.has('three'), 'the words were not acknowledged');
  await until(async () => (await health()) === 503, 'the engine is not ready');
  t.equal(await metric(service, 'spill_refusing'), 1);

  await nats.start();
  await until(async () => (await health()) === 200, 'the bus is enough');
  proxy.mode = 'open';
  await until(async () => (await metric(service, 'journal_spill_depth')) === 0);
  t.equal(await metric(service, 'acknowledged_total{durability="disk"}'), 0);
});
