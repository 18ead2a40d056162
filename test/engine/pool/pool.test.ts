import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import t from 'tap';
import { loadSettings } from '../../../src/config/load-settings.js';
import { packageDirectory } from '../../../src/config/process/data-dir.js';
import { type EnginePool, startEnginePool } from '../../../src/engine/pool/pool.js';
import { createLogger } from '../../../src/log/logger.js';
import { MetricsTable } from '../../../src/metrics/metrics.js';
import { ringClock } from '../../../src/ring/clock.js';
import { RecordKind } from '../../../src/ring/layout.js';
import { RingProducer } from '../../../src/ring/ring.js';
import type { UtteranceRequest } from '../../../src/stt/shared/provider.js';
import type { OpenRequest, ShardMessage } from '../../../src/wire/stream.js';
import { testDatabase } from '../../support/database/database.js';
import { until } from '../../support/until.js';
import { openRequest } from '../support/harness.js';

const recording = 'fixtures/speech/sense_and_sensibility_01_austen_64kb-0870.wav';
const log = createLogger('test', 'silent');

/** A transcriber whose answer to an utterance is the utterance's length. */
class EchoTranscriber {
  readonly heard: UtteranceRequest[] = [];
  readonly ports: MessagePort[] = [];

  attach(port: MessagePort): void {
    this.ports.push(port);
    port.on('message', ({ request }: { request: UtteranceRequest }) => {
      this.heard.push(request);
      const seconds = (request.pcm.length / 16_000).toFixed(1);
      const result = { id: request.id, outcome: 'success', text: `Heard ${seconds} seconds.` };
      port.postMessage({ kind: 'result', result: { ...result, provider: 'local', waited: 0, decoded: 0 } });
    });
  }
}

const requestOf = (stream: string, uid: string): OpenRequest =>
  openRequest({
    stream,
    uid,
    format: { codec: 'pcm16', sampleRate: 16_000, channels: 1 },
    acceptedAt: Date.now(),
  });

/** Takes the place of the front for one shard. It records the shard's messages and can wait for them. */
class Front {
  readonly told: ShardMessage[] = [];
  readonly #producer: RingProducer;
  readonly #port: MessagePort;

  constructor({ ring, port }: EnginePool['links'][number]) {
    this.#producer = new RingProducer(ring);
    this.#port = port;
    port.on('message', (messages: ShardMessage[]) => this.told.push(...messages));
  }

  write(kind: number, slot: number, payload: object | Uint8Array): void {
    const bytes = payload instanceof Uint8Array ? payload : Buffer.from(JSON.stringify(payload));
    if (!this.#producer.write(kind, slot, bytes, ringClock())) throw new Error('ring is full');
  }

  async until<Found>(find: (told: readonly ShardMessage[]) => Found | undefined): Promise<Found> {
    for (;;) {
      const found = find(this.told);
      if (found !== undefined) return found;
      await once(this.#port, 'message');
    }
  }

  texts(slot: number): string[] {
    return this.told.flatMap((m) => (m.kind === 'send' && m.slot === slot ? [m.text] : []));
  }
}

const drained = (told: readonly ShardMessage[]): true | undefined =>
  told.some(({ kind }) => kind === 'drained') || undefined;

t.test('a pool of real shards', async (t) => {
  const { url, sql } = await testDatabase(t);
  const dataDir = await mkdtemp(join(tmpdir(), 'cochlea-pool-'));
  t.teardown(() => rm(dataDir, { recursive: true, force: true }));
  // The tests compare transcribed utterances with stored ones, so no utterance may be transcribed twice.
  const environment = {
    SHARDS: '2',
    MAX_STREAMS: '8',
    TICK: '50',
    LOG_LEVEL: 'silent',
    INTERIM_WORDS: 'false',
  };
  const settings = loadSettings(environment).values;
  const retained = { attach: () => undefined };
  const options = { settings, databaseUrl: url, dataDir, engineId: 'test', retained, log };
  const wav = await readFile(join(packageDirectory(), recording));
  const speech = wav.subarray(44);

  await t.test('stores segments of speech, then ends in order', async (t) => {
    const metrics = new MetricsTable(3);
    const transcriber = new EchoTranscriber();
    const pool = await startEnginePool({ ...options, metrics, transcriber });
    t.equal(pool.links.length, 2);
    t.match(pool.core, /^(native|portable)$/);
    let died = false;
    for (const { dead } of pool.links) void dead.then(() => (died = true));
    const fronts = pool.links.map((link) => new Front(link));

    for (const [shard, front] of fronts.entries()) {
      front.write(RecordKind.open, 3, requestOf(`s${shard}`, `user-${shard}`));
      await front.until((told) =>
        told.some((m) => m.kind === 'send' && m.text.includes('"ready"')) ? true : undefined,
      );
      const before = metrics.total('samples_decoded_total');
      for (let at = 0; at < speech.length; at += 6400) {
        front.write(RecordKind.audio, 3, speech.subarray(at, at + 6400));
        // A session that falls two seconds behind drops frames, so the test waits for the shard.
        await until(() => metrics.total('samples_decoded_total') >= before + at / 2 - 16_000);
      }
      front.write(RecordKind.close, 3, { code: 1001 });
      await front.until((told) => told.find(({ kind }) => kind === 'released'));
    }
    for (const front of fronts) front.write(RecordKind.drain, 0, new Uint8Array(0));
    for (const front of fronts) await front.until(drained);

    t.ok(transcriber.heard.length >= 2);
    t.equal(new Set(transcriber.heard.map(({ id }) => id)).size, transcriber.heard.length);
    const rows = await sql<{ uid: string; text: string }[]>`
      select uid, text from segments join conversations on conversations.id = conversation_id where not deleted`;
    t.same(new Set(rows.map(({ uid }) => uid)), new Set(['user-0', 'user-1']));
    const words = (seconds: string): number => seconds.match(/Heard/g)?.length ?? 0;
    t.equal(words(rows.map(({ text }) => text).join(' ')), transcriber.heard.length);
    t.equal(metrics.total('sessions_active'), 0);
    t.equal(metrics.total('frames_queue_dropped_total'), 0);
    t.equal(metrics.total('samples_decoded_total'), 2 * Math.floor(speech.length / 2));

    await Promise.all([pool.stop(), pool.stop()]);
    t.equal(died, false, 'a shard that was stopped is not dead');
  });

  await t.test('sends segments to an open socket, also with the portable core', async (t) => {
    const transcriber = new EchoTranscriber();
    const metrics = new MetricsTable(2);
    const portable = { ...settings, shards: 1, core: 'portable' as const };
    const pool = await startEnginePool({ ...options, settings: portable, metrics, transcriber });
    t.equal(pool.core, 'portable');
    const front = new Front(pool.links[0]!);
    front.write(RecordKind.open, 0, requestOf('s', 'user-open'));
    for (let at = 0; at < speech.length; at += 6400)
      front.write(RecordKind.audio, 0, speech.subarray(at, at + 6400));
    front.write(RecordKind.audio, 0, new Uint8Array(32_000));
    const array = await front.until((told) => {
      const message = told.find((m) => m.kind === 'send' && m.text.startsWith('['));
      return message?.kind === 'send' ? message.text : undefined;
    });
    const [segment] = JSON.parse(array) as { id: string; start: number }[];
    const [row] = await sql`select id, start_seconds from segments where id = ${segment!.id}`;
    t.match(row, { id: segment!.id, start_seconds: segment!.start });
    await pool.stop();
    t.ok(await front.until(drained), 'a shard that was not drained drains first');
  });

  await t.test('reports a shard that ends, and the others continue', async (t) => {
    const transcriber = new EchoTranscriber();
    const pool = await startEnginePool({ ...options, metrics: new MetricsTable(3), transcriber });
    const [broken, healthy] = pool.links;
    // The message causes an error that the shard in this thread cannot catch.
    transcriber.ports[0]!.postMessage({ kind: 'result' });
    await broken!.dead;
    const front = new Front(healthy!);
    front.write(RecordKind.open, 0, requestOf('s', 'user-survivor'));
    await front.until((told) => told.find((m) => m.kind === 'send' && m.text.includes('"ready"')));
    await pool.stop();
    t.ok(await front.until(drained));
  });

  await t.test('throws the error of a shard that cannot start, and ends the others', async (t) => {
    const tooSmall = new MetricsTable(2);
    const transcriber = new EchoTranscriber();
    await t.rejects(startEnginePool({ ...options, metrics: tooSmall, transcriber }), { name: 'RangeError' });
  });
});
