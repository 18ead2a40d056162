/**
 * Tests promises to clients and providers that no other test of the complete product covers. Both sides use real sockets. Stubs with the
 * wire formats of provider_b and provider_a replace the services.
 */
import t from 'tap';
import type { Frame } from '../../src/app/wearable/encode.js';
import type { WearableOptions } from '../../src/app/wearable/options.js';
import type { Wearable } from '../../src/app/wearable/wearable.js';
import type { LiveSegment } from '../../src/wire/segment.js';
import { encodeOpus, stretch } from '../audio/support.js';
import { startHostedStub } from '../support/hosted-stub/server.js';
import { readBack, serviceOnTestDatabase, type User } from '../support/service.js';
import { scene } from '../support/texts/speech.js';
import { until } from '../support/until.js';

const rate = 16_000;
/** Seconds of audio between two results of the provider_b stub. */
const wordsEvery = 1;

const cut = (bytes: Uint8Array, size: number, duration: number): Frame[] => {
  const frames: Frame[] = [];
  for (let at = 0; at < bytes.length; at += size)
    frames.push({ bytes: bytes.slice(at, at + size), duration });
  return frames;
};
const lasting = (packets: readonly Uint8Array[], duration: number): Frame[] =>
  packets.map((bytes) => ({ bytes, duration }));

t.test(
  'providers, codecs and languages of streams, through the whole product',
  { timeout: 240_000 },
  async (t) => {
    // The provider_b stub returns words for every second of audio. The provider_a stub returns words for everything except silence.
    const [velma, parakeet] = [
      await startHostedStub('provider_b', wordsEvery),
      await startHostedStub('provider_a'),
    ];
    t.teardown(() => Promise.all([velma.stop(), parakeet.stop()]));
    const service = await serviceOnTestDatabase(t, {
      STT_SERVICE_MODELS: 'provider_b,provider_a',
      MODULATE_API_KEY: 'secret-key',
      MODULATE_API_URL: `${velma.url}/api/velma-2-stt-streaming`,
      HOSTED_PARAKEET_API_URL: parakeet.url,
      // After a provider failed in one test, the next test must still try it.
      STT_BREAKER_FAILURES: '1000',
    });
    const { pcm } = await scene([0]);
    const speech = pcm.subarray(0, 3 * rate);
    const open = async (user: User, options: Partial<WearableOptions>): Promise<Wearable> => {
      const wearable = await service.wearable(user, { rate, ...options });
      await wearable.waitFor(({ status }) => status === 'ready', 60_000);
      return wearable;
    };
    const words = (wearable: Wearable): Promise<unknown> =>
      until(() => wearable.transcript.segments.length > 0, 'words');
    const sessionOf = (wearable: Wearable): unknown =>
      wearable.events.find(({ type }) => type === 'conversation_session')?.conversation_id;

    await t.test(
      'frames of every length reach a provider as whole samples of the same duration',
      async (t) => {
        const bytes = new Uint8Array(speech.buffer, speech.byteOffset, speech.byteLength);
        const odd = cut(bytes, 641, 20);
        const rows: readonly [title: string, options: Partial<WearableOptions>, frames: readonly Frame[]][] =
          [
            ['opus of 10 ms', { codec: 'opus' }, lasting(encodeOpus(speech, rate, 1, 10), 10)],
            ['opus of 40 ms', { codec: 'opus' }, lasting(encodeOpus(speech, rate, 1, 40), 40)],
            ['opus of 60 ms', { codec: 'opus' }, lasting(encodeOpus(speech, rate, 1, 60), 60)],
            ['opus of 120 ms', { codec: 'opus' }, lasting(encodeOpus(speech, rate, 1, 120), 120)],
            ['opus_fs320 of 60 ms', { codec: 'opus_fs320' }, lasting(encodeOpus(speech, rate, 1, 60), 60)],
            [
              'opus of two channels at 48000 Hz',
              { codec: 'opus', rate: 48_000, channels: 2 },
              lasting(encodeOpus(stretch(speech, 48_000, 2), 48_000, 2, 20), 20),
            ],
            ['pcm16 in odd lengths', { codec: 'pcm16' }, odd],
            ['pcm16 of 2 s', { codec: 'pcm16' }, cut(bytes, 4 * rate, 2000)],
          ];
        await Promise.all(
          rows.map(async ([title, options, frames], index) => {
            const wearable = await open(await service.user(`frames-${index}`), {
              ...options,
              query: { ...options.query, language: 'en' },
            });
            await wearable.send(frames, 4);
            await words(wearable);
            t.match(
              wearable.transcript.segments[0],
              { text: /^word 1\./, stt_provider: 'provider_b' },
              title,
            );
            await wearable.close();
          }),
        );
        await until(() => velma.records.every(({ finished }) => finished), 'the end at the provider');
        t.equal(velma.records.length, rows.length, 'each on one connection, drained once');
        for (const { samples, texts } of velma.records) {
          t.ok(Math.abs(samples - speech.length) <= 0.1 * speech.length, `${samples} samples`);
          t.same(texts, [''], 'the end of the audio is said once');
        }
      },
    );

    await t.test('pcm8 is unsigned, and 0x80 is silence', async (t) => {
      const user = await service.user('eight-bits');
      const wearable = await open(user, { codec: 'pcm8', rate: 8000, query: { stt_service: 'parakeet' } });
      const tone = (level: number, ms: number) => cut(new Uint8Array(8 * ms).fill(level), 320, 40);
      await wearable.send(tone(0x80, 1000), 4);
      await until(() => (parakeet.records[0]?.samples ?? 0) >= 14_000, 'the silence at the provider');
      t.equal(parakeet.records[0]?.spoken, 0, 'no sample of it is anything else than 0');
      await wearable.send([...tone(0xc0, 600), ...tone(0x80, 1000)], 4);
      await words(wearable);
      t.match(wearable.transcript.segments[0], { text: /says word 1\./, stt_provider: 'provider_a' });
      await wearable.close();
    });

    await t.test('a provider that the client names serves if it knows the language', async (t) => {
      const [before, others] = [velma.records.length, parakeet.records.length];
      const user = await service.user('spanish');
      const wearable = await open(user, {
        codec: 'opus',
        language: 'es',
        query: { stt_service: 'parakeet' },
      });
      await wearable.send(lasting(encodeOpus(speech, rate, 1, 20), 20), 4);
      await words(wearable);
      t.match(wearable.transcript.segments[0], { speaker: 'SPEAKER_00', stt_provider: 'provider_b' });
      t.match(velma.records.slice(before), [{ query: { sample_rate: '16000', language: 'es' } }]);
      t.equal(parakeet.records.length, others, 'the other one is not even connected to');

      const { id } = wearable.transcript.segments[0]!;
      wearable.sendText(
        JSON.stringify({
          type: 'speaker_assigned',
          speaker_id: 0,
          person_id: 'user',
          person_name: 'Ann',
          segment_ids: [id],
        }),
      );
      await until(() => wearable.transcript.segments[0]?.is_user === true, 'the segment again');
      t.match(wearable.transcript.segments[0], { id, is_user: true, person_id: null }, 'speaker_assigned');
      await wearable.close();
    });

    await t.test(
      'a reconnect continues the conversation over a new connection to the provider',
      async (t) => {
        const before = velma.records.length;
        const user = await service.user('back-again');
        const frames = lasting(encodeOpus(speech, rate, 1, 20), 20);
        const first = await open(user, { codec: 'opus' });
        await first.send(frames, 4);
        await words(first);
        // The connection breaks without a close frame, while segments are still unsent.
        first.cut();
        const second = await open(user, { codec: 'opus' });
        await second.send(frames, 4);
        await words(second);
        t.equal(sessionOf(second), sessionOf(first), 'the same conversation');
        t.equal(velma.records.length, before + 2, 'two connections to the provider');
        await second.close();
      },
    );

    await t.test('custom transcription calls no provider, and is stored as it was sent', async (t) => {
      const connections = velma.records.length + parakeet.records.length;
      const user = await service.user('custom');
      const key = await service.developerKey('custom');
      const options = { codec: 'pcm8', rate: 8000, source: 'phone', query: { custom_stt: 'enabled' } };
      const wearable = await open(user, options);
      const arrays: (readonly LiveSegment[])[] = [];
      const silence = new Uint8Array(320).fill(0x80);
      wearable.sendBinary(silence);
      wearable.sendText(
        JSON.stringify({
          type: 'suggested_transcript',
          stt_provider: 'on-device',
          segments: [{ text: 'Hello there.', speaker: 'SPEAKER_00', start: 0, end: 1.25 }],
        }),
      );
      await words(wearable);
      arrays.push(wearable.transcript.segments);
      const [[segment]] = arrays as [[LiveSegment]];
      t.match(segment, {
        id: /^[0-9a-f-]{36}$/,
        text: 'Hello there.',
        speaker: 'SPEAKER_00',
        speaker_id: 0,
        is_user: false,
        person_id: null,
        translations: [],
        stt_provider: 'on-device',
      });
      t.type(segment.speech_profile_processed, 'boolean');
      t.ok(Math.abs(segment.start) <= 0.01, `begins at ${segment.start}`);
      t.ok(Math.abs(segment.end - segment.start - 1.25) < 1e-6, 'lasts as long');
      const sessions = wearable.events.filter(({ type }) => type === 'conversation_session');
      t.equal(sessions.length, 1, 'one conversation');
      const stored = await readBack(service, key, String(sessionOf(wearable)));
      t.match(stored, { id: sessionOf(wearable), status: 'in_progress', source: 'phone' });
      t.match(stored.transcript_segments, [
        { id: segment.id, text: segment.text, start: segment.start, end: segment.end },
      ]);
      await wearable.close();
      const call = await open(await service.user('custom-call'), {
        ...options,
        source: 'phone_call',
        channels: 2,
      });
      for (const tag of [1, 2]) call.sendBinary(Uint8Array.of(tag, ...silence));
      await call.close();
      t.equal(velma.records.length + parakeet.records.length, connections, 'also with two channels');
    });

    await t.test(
      'usage counts transcribed speech, but neither time without words nor custom transcription',
      async (t) => {
        const usageOf = async (user: User): Promise<{ speech: object[]; conversations: number }[]> => {
          const headers = { authorization: `Bearer ${user.token}` };
          const answer = await fetch(`${service.base}/v1/users/usage`, { headers });
          t.equal(answer.status, 200);
          return (await answer.json()) as { speech: object[]; conversations: number }[];
        };
        const ended = (wearable: Wearable) =>
          wearable.waitFor(({ type }) => type === 'memory_created' || type === 'processing_failed', 60_000);
        const user = await service.user('idle');
        const wearable = await open(user, { codec: 'opus', conversationTimeout: 4 });
        await wearable.send(lasting(encodeOpus(speech, rate, 1, 20), 20), 4);
        await words(wearable);
        // Sends empty audio, so that the socket stays open until the conversation ends.
        const keeping = setInterval(() => wearable.sendBinary(new Uint8Array(2)), 100);
        t.match(await ended(wearable), { type: 'memory_created' });
        clearInterval(keeping);
        const said = wearable.transcript.segments.reduce((sum, { start, end }) => sum + end - start, 0);
        const [day, ...others] = await usageOf(user);
        t.match(day, { conversations: 1, speech: [{ provider: 'provider_b' }] });
        const [{ seconds }] = day!.speech as [{ seconds: number }];
        t.ok(Math.abs(seconds - said) < 1e-6 && said <= 3.1, `${seconds} s used, ${said} s said of 3 s sent`);
        t.same(others, []);
        await wearable.close();

        const custom = await service.user('custom-unbilled');
        const query = { custom_stt: 'enabled' };
        const relayed = await open(custom, { codec: 'pcm16', conversationTimeout: 2, query });
        relayed.sendBinary(new Uint8Array(640));
        const segments = [{ text: 'We talked about the plan of the garden.', start: 0, end: 3 }];
        relayed.sendText(
          JSON.stringify({ type: 'suggested_transcript', stt_provider: 'provider_b', segments }),
        );
        t.match(await ended(relayed), { type: 'memory_created' });
        t.match(await usageOf(custom), [{ conversations: 1, speech: [] }], 'whatever it calls its provider');
        await relayed.close();
      },
    );

    await t.test('an unusable provider is reported once, before the close', async (t) => {
      const failures = (wearable: Wearable) =>
        wearable.events.filter(({ status }) => status === 'stt_failed');
      const failure = { outcome: 'upstream_error', provider: 'provider_b', retryable: true };
      const spanish = { codec: 'opus', language: 'es' };
      velma.fault = 'refuse';
      const refused = await service.wearable(await service.user('refused'), { rate, ...spanish });
      t.match(await refused.closed, { code: 1011, reason: 'transcription_service_unavailable' });
      t.match(failures(refused), [{ ...failure, reason: 'initialization_failed' }]);
      t.equal(failures(refused).length, 1);
      velma.refusal = 401;
      const unusable = await service.wearable(await service.user('unusable'), { rate, ...spanish });
      t.match(await unusable.closed, { code: 1011 });
      t.match(failures(unusable), [{ outcome: 'config_error', reason: 'initialization_failed' }], 'its key');

      velma.fault = 'half-close';
      const ended = await open(await service.user('ended'), spanish);
      // The stub disconnects after this audio. Then the client is silent, so that only the disconnect itself reveals the failure.
      await ended.send(lasting(encodeOpus(speech.subarray(0, rate), rate, 1, 20), 20), 4);
      t.match(await ended.closed, { code: 1011, reason: 'transcription_service_unavailable' });
      t.match(failures(ended), [{ ...failure, reason: 'connection_lost' }]);
      t.equal(failures(ended).length, 1);
      t.notMatch(
        JSON.stringify([...refused.events, ...unusable.events, ...ended.events]),
        /secret-key|velma/i,
      );
      velma.fault = undefined;
      const next = await open(await service.user('next'), spanish);
      t.ok(
        next.events.some(({ status }) => status === 'ready'),
        'and the next stream is served',
      );
      await next.close();
    });
  },
);
