/** One user floods the transcriber with speech. Another user is still transcribed, a third is admitted, and every loss is reported. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import t from 'tap';
import { wordError } from '../../src/app/sample/word-error.js';
import { encodeFrames } from '../../src/app/wearable/encode.js';
import { utteranceLags } from '../../src/app/wearable/lag.js';
import type { Wearable } from '../../src/app/wearable/wearable.js';
import { decodeRetained } from '../../src/stt/retained/codec.js';
import { metric, type Service, serviceOnTestDatabase, type User } from '../support/service.js';
import { type Scene, scene } from '../support/texts/speech.js';
import { until } from '../support/until.js';

const floodStreams = 6;
/** Maximum queued speech of one user, in ms. */
const userQueue = 40_000;
/** Maximum disk space for one user's audio, in bytes. */
const userShare = 2 * 1024 * 1024;

const ready = (wearable: Wearable): Promise<unknown> =>
  wearable.waitFor((event) => event.status === 'ready', 60_000);

/**
 * Opens a stream for a user, with retries. On a busy machine, the engine can fall behind for a moment and then refuses
 * new streams.
 */
const admit = (service: Service, user: User): Promise<Wearable> =>
  until(
    () =>
      service.wearable(user).catch((error: Error) => {
        if (error.message.includes('at capacity')) return undefined;
        throw error;
      }),
    'a new stream is accepted',
  );

/** Sends one scene in real time. @returns the words, and ms from the end of the speech until its last words arrive. */
const speak = async (service: Service, user: User, spoken: Scene, silence: Scene) => {
  const wearable = await service.wearable(user);
  await ready(wearable);
  const sentAt = await wearable.send(encodeFrames(spoken, 'opus', 16_000), 1);
  await wearable.send(encodeFrames(silence, 'opus', 16_000), 1);
  await until(() => /prudent/i.test(wearable.transcript.text), 'the words arrive', 20_000);
  const [lag] = utteranceLags(spoken.labels, wearable.arrivals, sentAt);
  await wearable.close();
  return { text: wearable.transcript.text, lag };
};

t.test('a flood of speech does not disturb other users', { timeout: 120_000 }, async (t) => {
  const service = await serviceOnTestDatabase(t, {
    TRANSCRIBER_CONCURRENCY: '1',
    TRANSCRIBER_QUEUE: '60000',
    TRANSCRIBER_USER_QUEUE: String(userQueue),
    TRANSCRIBER_STREAM_QUEUE: '20000',
    RETAINED_AUDIO_USER_SIZE: String(userShare),
  });
  const [calm, victim, flooder, third] = await Promise.all(
    ['calm', 'victim', 'flooder', 'third'].map((uid) => service.user(uid)),
  );
  const spoken = await scene([0]);
  const silence = await scene([], 1000);
  const flood = encodeFrames(await scene([1, 2, 3, 4], 700), 'opus', 16_000);
  const pids = (): number[] => [
    ...service.processes('cochlea.js engine'),
    ...service.processes('decoder-process'),
  ];
  const before = pids();
  const undisturbed = await speak(service, calm!, spoken, silence);

  // These threads use most of the CPU. Otherwise the decoder of an idle fast machine would keep up with the flood.
  const others = Array.from(
    { length: availableParallelism() * 2 },
    () => new Worker('for (;;);', { eval: true }),
  );
  const endOthers = () => Promise.all(others.map((worker) => worker.terminate()));
  t.teardown(endOthers);
  const open = Array.from({ length: floodStreams }, () => service.wearable(flooder!));
  const streams = await Promise.all(open);
  await Promise.all(streams.map(ready));
  let pace = 4;
  const flooding = streams.map(async (stream) => {
    for (; !stream.isClosed; await turn()) await stream.send(flood, pace);
  });
  await until(
    async () => (await metric(service, 'utterances_retained_total')) > 0,
    "the flood exceeds the transcriber's capacity",
  );

  const disturbed = await speak(service, victim!, spoken, silence);
  const left = await metric(service, 'transcriber_queue_milliseconds');
  await endOthers();
  t.ok(wordError(spoken.text, disturbed.text).rate <= 0.3, 'the victim is transcribed');
  const share = left / userQueue;
  t.ok(share > 0.25, `during the flood: ${share.toFixed(2)} of the user's queue still waits`);
  t.comment(
    `words after ${Math.round(undisturbed.lag ?? -1)} ms alone, ${Math.round(disturbed.lag ?? -1)} ms beside the flood`,
  );

  const admitted = await admit(service, third!);
  t.ok(await ready(admitted), 'a new stream of a third user is admitted');
  await admitted.close();
  // On a slow machine, the flood may already have used up the disk space of the user `flooder`.
  const isFull = (await metric(service, 'retained_audio_bytes')) > userShare / 2;
  t.ok(isFull || (await metric(service, 'utterances_lost_total')) === 0, 'all audio has been retained');

  pace = 16;
  const ended = await Promise.race(streams.map(async (stream) => ({ stream, ...(await stream.closed) })));
  t.match(
    ended,
    { code: 1011, reason: 'transcription_service_unavailable' },
    "the user's disk space is used up",
  );
  t.ok(
    ended.stream.events.some(({ status }) => status === 'stt_failed'),
    'the stream gets "stt_failed"',
  );
  for (const stream of streams) stream.cut();
  await Promise.all(flooding);

  const folder = join(service.dataDir, 'audio');
  const described = readdirSync(folder)
    .filter((name) => name.endsWith('.opus'))
    .map((name) => decodeRetained(readFileSync(join(folder, name)), name).record);
  t.ok(
    described.length > 0 && described.every(({ user }) => user === 'flooder'),
    'only audio of the flood is retained',
  );
  t.ok(described.every(({ reason }) => reason === 'queue_full'));
  t.equal(statSync(folder).mode & 0o777, 0o700);
  t.ok((await metric(service, 'retained_audio_bytes')) <= userShare, 'the limit of the user is kept');
  const after = await admit(service, third!);
  t.ok(await ready(after), 'new streams are still admitted');
  await after.close();
  t.strictSame(pids(), before, 'engine and transcriber did not restart');
});
