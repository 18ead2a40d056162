/**
 * Sends random bytes to the HTTP port over 2500 connections: noise, broken requests, broken handshakes, and broken frames on open streams.
 * Both processes must survive, a streaming wearable must keep its stream, and REST must work afterwards. The test prints its seed;
 * `ATTACK_SEED` replays it.
 */
import { randomInt } from 'node:crypto';
import t from 'tap';
import { encodeFrames } from '../../src/app/wearable/encode.js';
import { metric } from '../support/service.js';
import { scene } from '../support/texts/speech.js';
import { until } from '../support/until.js';
import { Mutator } from './support/mutate.js';
import { type AttackTarget, segmentsBody, startTarget } from './support/target.js';

/** Number of connections. With a fixed duration, a busy machine would get fewer connections than an idle one. */
const attempts = 2500;
/** Number of concurrent connections. Each has its own loopback address. */
const abreast = 12;

const requestsOf = ({ attacker }: AttackTarget): Buffer[] => {
  const auth = `Host: cochlea\r\nAuthorization: Bearer ${attacker.key}\r\n`;
  const body = segmentsBody('Nothing is said here.');
  const post = 'POST /v1/dev/user/conversations/from-segments HTTP/1.1\r\n';
  const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  return [
    `GET /v1/dev/user/conversations?limit=2 HTTP/1.1\r\n${auth}\r\n`,
    `GET /v1/dev/user/conversations/${attacker.conversation} HTTP/1.1\r\n${auth}Accept: */*\r\n\r\n`,
    `${post}${auth}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    `${post}${auth}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`,
    `OPTIONS * HTTP/1.1\r\n${auth}\r\nGET /engine/health/live HTTP/1.1\r\n${auth}\r\n`,
    `DELETE /v1/dev/keys/x HTTP/1.1\r\n${auth}\r\n`,
  ].map((text) => Buffer.from(text, 'latin1'));
};

const handshakesOf = ({ attacker }: AttackTarget): Buffer[] => {
  const lines =
    'Host: cochlea\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
  const query = `uid=${attacker.uid}&language=en&sample_rate=16000`;
  return ['opus', 'pcm16', 'pcm8', 'lc3']
    .map(
      (codec) =>
        `GET /v4/listen?${query}&codec=${codec} HTTP/1.1\r\n${lines}Authorization: Bearer ${attacker.token}\r\n\r\n`,
    )
    .concat(`GET /v4/web/listen?${query}&codec=opus HTTP/1.1\r\n${lines}\r\n`)
    .map((text) => Buffer.from(text, 'latin1'));
};

const texts = (attacker: AttackTarget['attacker']): string[] => [
  JSON.stringify({ type: 'auth', token: attacker.token }),
  JSON.stringify({ type: 'speaker_assigned', speaker_id: 0, person_id: 'p', segment_ids: ['a', 'b'] }),
  JSON.stringify({ type: 'image_chunk', id: 'i', index: 0, total: 2, data: 'aGVsbG8=' }),
  JSON.stringify({ type: 'suggested_transcript', segments: [{ text: 'x', start: 0, end: 1 }] }),
  '['.repeat(5000),
];

/** Opens attacking connections while `more` returns true. @returns all answers that contain the victim's data. */
const attack = async (
  target: AttackTarget,
  seed: number,
  from: string,
  more: () => boolean,
): Promise<string[]> => {
  const mutator = new Mutator(seed);
  const requests = requestsOf(target);
  const handshakes = handshakesOf(target);
  const said = texts(target.attacker).map((text) => Buffer.from(text));
  const leaks: string[] = [];
  const kinds: readonly (() => Buffer[])[] = [
    () => [mutator.noise(1 + mutator.below(4000))],
    () => mutator.pieces(mutator.mutate(mutator.pick(requests))),
    () => mutator.pieces(mutator.mutate(mutator.pick(handshakes))),
    () => [mutator.pick(requests), mutator.mutate(mutator.pick(requests))],
    () => [
      mutator.pick(handshakes),
      ...Array.from({ length: 1 + mutator.below(30) }, () => {
        const payload = mutator.below(2) ? mutator.noise(mutator.below(300)) : mutator.pick(said);
        return mutator.frame(mutator.below(3) === 0 ? mutator.mutate(payload) : payload);
      }),
    ],
  ];
  while (more()) {
    const connection = await target.connect({ from });
    await connection.sendPieces(mutator.pick(kinds)(), mutator.below(3));
    await connection.settled(20 + mutator.below(60), 300);
    const { victim } = target;
    for (const secret of [victim.marker, victim.key, victim.token, victim.conversation]) {
      if (connection.received.includes(secret)) leaks.push(JSON.stringify(connection.text.slice(0, 300)));
    }
    connection.destroy();
  }
  return leaks;
};

t.test("random bytes do not disturb or reveal another user's data", async (t) => {
  const seed = Number(process.env.ATTACK_SEED ?? randomInt(2 ** 31));
  t.comment(`ATTACK_SEED=${seed}`);
  // The settings raise the limits on opened streams, so that every attack on open streams runs.
  const target = await startTarget(t, {
    MAX_OPENS_PER_USER: '100000',
    MAX_OPENS_PER_ADDRESS: '100000',
    MAX_STREAMS_PER_USER: '100',
    INTERIM_WORDS: 'false',
  });
  const { service, victim } = target;
  const before = target.processIds();
  // Silence around the speech keeps the stream open and leaves the CPU to the attack.
  const { pcm, rate } = await scene([3], 4000);
  const frames = encodeFrames({ pcm, rate }, 'opus', 16_000);

  const wearable = await service.wearable(victim);
  t.ok(await wearable.waitFor((event) => event.status === 'ready', 60_000), 'a wearable streams');
  let attacking = true;
  const streaming = (async () => {
    while (attacking && !wearable.isClosed) await wearable.send(frames);
  })();

  let connections = 0;
  const leaks = await Promise.all(
    Array.from({ length: abreast }, (_, index) =>
      attack(target, seed + index, `127.0.2.${index + 1}`, () => connections++ < attempts),
    ),
  );
  attacking = false;
  await streaming;

  t.same(leaks.flat(), [], 'no data of the victim reached an attacker');
  t.same(target.processIds(), before, 'the processes did not restart');
  t.notOk(wearable.isClosed, "the wearable's stream is still open");
  await until(() => /amiable/i.test(wearable.transcript.text), 'its speech was transcribed', 60_000);
  t.equal((await wearable.close()).code, 1000, 'the stream closes normally');

  t.match(await target.conversationsOf(victim), victim.marker, 'REST still works');
  // A busy machine can fall behind for a moment and then refuses new streams, so the test retries.
  let again: typeof wearable | undefined;
  await until(
    async () => {
      again = await service.wearable(victim).catch((error: Error) => {
        if (error.message.includes('at capacity')) return undefined;
        throw error;
      });
      return again !== undefined;
    },
    'a new stream is accepted',
    60_000,
  );
  t.ok(await again!.waitFor((event) => event.status === 'ready', 60_000), 'a new stream opens');
  await again!.close();
  await until(
    async () => (await metric(service, 'connections_active')) === 0,
    'every connection of the attack is gone',
    20_000,
  );
});
