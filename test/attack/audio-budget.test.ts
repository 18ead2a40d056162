/** Tiny packets that decode to long audio do not affect other users. Their sender receives an error. */
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { wordError } from '../../src/app/sample/word-error.js';
import { encodeFrames } from '../../src/app/wearable/encode.js';
import type { Wearable } from '../../src/app/wearable/wearable.js';
import { metric, serviceOnTestDatabase } from '../support/service.js';
import { scene } from '../support/texts/speech.js';
import { until } from '../support/until.js';

/** An Opus packet with two empty frames of 60 ms. */
const tiny = Uint8Array.of(0x1b, 0x82, 0);
const backlog = 20;

t.test('streams of three-byte packets do not disturb another user', { timeout: 120_000 }, async (t) => {
  const service = await serviceOnTestDatabase(t, {
    SHARDS: '1',
    AUDIO_BACKLOG: String(backlog * 1000),
    INTERIM_WORDS: 'false',
  });
  const engines = service.processes(' engine');
  t.equal(engines.length, 1);
  const [victim, attacker] = await Promise.all([service.user('victim'), service.user('attacker')]);
  const { pcm, rate, text } = await scene([0, 3], 1000);
  const frames = encodeFrames({ rate, pcm }, 'opus', 16_000);
  const ready = async (socket: Wearable): Promise<Wearable> => {
    t.ok(await socket.waitFor((event) => event.status === 'ready', 60_000));
    return socket;
  };
  const wearable = await ready(await service.wearable(victim));
  const attackers = await Promise.all([1, 2, 3].map(async () => ready(await service.wearable(attacker))));

  let over = false;
  const began = Date.now();
  const flooding = attackers.map(async (socket) => {
    // The pause limits the flood to several hundred times real time.
    for (; !over && !socket.isClosed; await pause(5)) {
      for (let count = 0; count < 50; count++) socket.sendBinary(tiny);
    }
  });
  await wearable.send(frames, 1);
  over = true;
  await Promise.all(flooding);

  await until(() => wordError(text, wearable.transcript.text).rate <= 0.3, "the victim's words arrive").catch(
    () => undefined,
  );
  t.ok(wordError(text, wearable.transcript.text).rate <= 0.3, wearable.transcript.text);
  t.notOk(wearable.isClosed);
  t.equal(await metric(service, 'ring_frames_dropped_total'), 0);
  t.equal(await metric(service, 'frames_queue_dropped_total'), 0);
  await until(
    async () => (await metric(service, 'frames_over_budget_total')) > 0,
    'packets over the budget are counted',
  );
  const seconds = (Date.now() - began) / 1000;
  const most = frames.length + (attackers.length * (backlog + 4 * seconds + 10)) / 0.12;
  const decoded =
    (await metric(service, 'frames_decoded_total')) + (await metric(service, 'frames_invalid_total'));
  t.ok(decoded >= frames.length && decoded <= most, `${decoded} frames were decoded, at most ${most}`);
  for (const socket of attackers) {
    const told = socket.events.filter(({ status }) => status === 'audio_over_budget');
    t.match(
      told,
      [{ type: 'service_status', pace: 4, backlog_ms: backlog * 1000 }],
      'one event for one burst',
    );
  }
  t.notOk(wearable.events.some(({ status }) => status === 'audio_over_budget' || status === 'audio_dropped'));
  t.same(service.processes(' engine'), engines, 'the same engine process');
  await Promise.all([wearable, ...attackers].map((socket) => socket.close()));
});

t.test('a burst of stored audio is decoded for any packet size', async (t) => {
  const service = await serviceOnTestDatabase(t, { SHARDS: '1', COCHLEA_STT: 'discard' });
  const user = await service.user('ann');
  const decoded = async (): Promise<number> =>
    (await metric(service, 'frames_decoded_total')) + (await metric(service, 'frames_invalid_total'));
  /**
   * Number of packets of 2.5 ms in a window of 32 ms. Packets of an incomplete window wait until the next packets
   * complete it.
   */
  const inWindow = 13;
  // The first byte gives the duration of a packet (RFC 6716, 3.1).
  const bursts = [
    { name: '2.5 ms', toc: 0xe0, bytes: 300, packets: 2000 },
    { name: '2.5 ms, as large as a packet may be', toc: 0xe0, bytes: 1275, packets: 2000 },
    { name: '20 ms', toc: 0xf8, bytes: 1275, packets: 500 },
  ];
  for (const { name, toc, bytes, packets } of bursts) {
    const wearable = await service.wearable(user);
    t.ok(await wearable.waitFor((event) => event.status === 'ready', 60_000));
    const before = await decoded();
    const packet = new Uint8Array(bytes).fill(0x5a);
    packet[0] = toc;
    for (let count = 0; count < packets; count++) wearable.sendBinary(packet);
    const all = packets - inWindow;
    await until(async () => (await decoded()) - before > all, `${packets} packets of ${name}`, 30_000);
    t.equal(await metric(service, 'frames_queue_dropped_total'), 0, name);
    await wearable.close();
  }
});
