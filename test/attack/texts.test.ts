/** One user's texts slow down neither the audio nor the words of another user. */
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { wordError } from '../../src/app/sample/word-error.js';
import { encodeFrames } from '../../src/app/wearable/encode.js';
import type { Wearable } from '../../src/app/wearable/wearable.js';
import { metric, type Service, serviceOnTestDatabase, type User } from '../support/service.js';
import { scene } from '../support/texts/speech.js';
import { until } from '../support/until.js';

const base64 = 'iVBORw0KGgo/A+b='.repeat(6000);
const suggestion = JSON.stringify({
  type: 'suggested_transcript',
  stt_provider: 'mine',
  segments: new Array(500).fill({ text: 'One two three four five six seven eight.', start: 0, end: 1 }),
});

/** Texts that an attacker sends repeatedly, as fast as its socket accepts them. */
const floods: readonly { readonly name: string; readonly text: string }[] = [
  { name: 'open brackets', text: '['.repeat(65_000) },
  { name: 'a megabyte of brackets', text: '['.repeat(1_000_000) },
  {
    name: 'brackets that call themselves an image',
    text: `{"type":"image_chunk","data":${'['.repeat(900_000)}`,
  },
  { name: 'flat arrays', text: `[${'[],'.repeat(20_000)}1]` },
  { name: 'not JSON', text: '{'.repeat(2000) },
  { name: 'empty texts', text: '' },
  { name: 'suggestions', text: suggestion },
  {
    name: 'images without end',
    text: JSON.stringify({ type: 'image_chunk', id: 'photo', index: 0, total: 2, data: base64 }),
  },
];

/** Sends floods of texts until it is stopped, and reconnects after each close. @returns the close codes. */
const flood = async (
  service: Service,
  user: User,
  text: string,
  stopped: () => boolean,
): Promise<Set<number>> => {
  const codes = new Set<number>();
  while (!stopped()) {
    let socket: Wearable;
    try {
      socket = await service.wearable(user, { query: { custom_stt: 'enabled' } });
    } catch {
      // The engine refuses a user who reconnects too often.
      await pause(200);
      continue;
    }
    while (!socket.isClosed && !stopped()) {
      for (let count = 0; count < 16; count++) socket.sendText(text);
      await pause(5);
    }
    if (socket.isClosed) codes.add((await socket.closed).code);
    else socket.cut();
    await pause(100);
  }
  return codes;
};

t.test('floods of texts do not disturb another user', { timeout: 120_000 }, async (t) => {
  const service = await serviceOnTestDatabase(t, { SHARDS: '1', INTERIM_WORDS: 'false' });
  const engines = service.processes(' engine');
  t.equal(engines.length, 1);
  const victim = await service.user('victim');
  const attackers = await Promise.all(floods.map((_, number) => service.user(`attacker-${number}`)));

  const { pcm, rate, text } = await scene([0, 3], 1000);
  const frames = encodeFrames({ rate, pcm }, 'opus', 16_000);
  const wearable = await service.wearable(victim);
  t.ok(await wearable.waitFor((event) => event.status === 'ready', 60_000));

  let over = false;
  const flooding = floods.map(({ text: words }, number) =>
    flood(service, attackers[number]!, words, () => over),
  );
  await wearable.send(frames, 1);
  over = true;
  const codes = await Promise.all(flooding);

  t.notOk(wearable.isClosed, "the victim's stream is open");
  // Possibly the last texts have not arrived yet.
  await until(
    async () => (await metric(service, 'frames_received_total')) >= frames.length,
    'every frame is received',
  );
  t.equal(await metric(service, 'frames_received_total'), frames.length);
  t.equal(
    await metric(service, 'ring_frames_dropped_total'),
    0,
    'no frame was dropped because the ring was full',
  );
  t.equal(
    await metric(service, 'frames_queue_dropped_total'),
    0,
    'no frame was dropped because a shard was late',
  );
  await until(() => wordError(text, wearable.transcript.text).rate <= 0.3, "the victim's words arrive").catch(
    () => undefined,
  );
  t.ok(wordError(text, wearable.transcript.text).rate <= 0.3, wearable.transcript.text);

  // The close makes the engine decode the frames of an incomplete window, too.
  await wearable.close();
  await until(
    async () => (await metric(service, 'frames_decoded_total')) >= frames.length,
    'every frame of the victim is decoded',
  );
  const closed = new Map(floods.map(({ name }, number) => [name, [...codes[number]!]]));
  t.comment(JSON.stringify([...closed]));
  for (const name of ['a megabyte of brackets', 'brackets that call themselves an image']) {
    t.ok((closed.get(name)?.length ?? 0) > 0, `${name}: its stream is closed`);
    // With a single message, the client reliably receives the close code, because no later data resets the connection.
    const single = await service.wearable(await service.user(`single-${name.length}`));
    single.sendText(floods.find((flood) => flood.name === name)!.text);
    t.match(await single.closed, { code: 1009, reason: /^text_too_large/ }, name);
  }
  for (const [name, list] of closed) {
    t.ok(
      // 1006 is also allowed: the attacker was still sending at the close, so its own system reset the connection.
      list.every((code) => [1006, 1008, 1009].includes(code)),
      `${name}: ${list}`,
    );
  }
  t.ok((await metric(service, 'texts_invalid_total')) > 0);
  t.same(service.processes(' engine'), engines, 'the same engine process');
});
