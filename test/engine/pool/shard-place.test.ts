/**
 * Tests how a shard that hangs or dies affects clients and the database. Pool, journal, sockets and database are real.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BroadcastChannel, type MessagePort } from 'node:worker_threads';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { fixedLimits } from '../../../src/config/limits/limits.js';
import { loadSettings } from '../../../src/config/load-settings.js';
import { packageDirectory } from '../../../src/config/process/data-dir.js';
import { type EnginePool, startEnginePool } from '../../../src/engine/pool/pool.js';
import { type Front, startFront } from '../../../src/front/front.js';
import { createLogger } from '../../../src/log/logger.js';
import { MetricsTable } from '../../../src/metrics/metrics.js';
import { serveRetainer } from '../../../src/stt/retained/retain.js';
import type { UtteranceRequest } from '../../../src/stt/shared/provider.js';
import { Client, fakeVerifier } from '../../front/support.js';
import { startProxy } from '../../journal/proxy.js';
import { testDatabase } from '../../support/database/database.js';
import { openFolder } from '../../support/folder.js';
import { until } from '../../support/until.js';
import { type Fault, faultsOf } from '../support/faulty-shard.js';

const log = createLogger('test', process.env.TEST_LOG ?? 'silent');
const module = fileURLToPath(new URL('../support/faulty-shard.js', import.meta.url));
const recording = 'fixtures/speech/sense_and_sensibility_01_austen_64kb-0870.wav';
let engines = 0;

interface Engine {
  readonly pool: EnginePool;
  readonly front: Front;
  readonly metrics: MetricsTable;
  readonly engineId: string;
  readonly spillDir: string;
  readonly closed: number;
  /** Utterances that were retained as audio. */
  readonly kept: readonly (UtteranceRequest & { readonly reason: string })[];
  /** Makes the shard misbehave. */
  order(fault: Fault): void;
  connect(uid: string, query?: string): Client;
}

const startEngine = async (
  t: Test,
  databaseUrl: string,
  changes: Record<string, string> = {},
): Promise<Engine> => {
  const settings = loadSettings({
    SHARDS: '1',
    MAX_STREAMS: '16',
    TICK: '50',
    // Timeout in ms. It is longer than the pauses of a healthy shard on a busy machine. A commit of the spill waits for the disk on the
    // shard's thread.
    SHARD_TIMEOUT: '1500',
    LOG_LEVEL: process.env.TEST_LOG ?? 'silent',
    COCHLEA_STT: 'discard',
    PORT: '0',
    ...changes,
  }).values;
  const dataDir = openFolder(t);
  const engineId = `engine-${++engines}`;
  const metrics = new MetricsTable(1 + settings.shards);
  const counted = { closed: 0 };
  const transcriber = {
    attach: (port: { on(event: 'close', listener: () => void): unknown }) =>
      void port.on('close', () => counted.closed++),
  };
  const kept: (UtteranceRequest & { readonly reason: string })[] = [];
  const retained = {
    attach: (port: MessagePort) =>
      serveRetainer(port, async (request, reason) => {
        kept.push({ ...request, reason });
        return 'key';
      }),
  };
  const options = { settings, databaseUrl, dataDir, engineId, metrics, transcriber, retained, log, module };
  const pool = await startEnginePool(options);
  const front = await startFront({
    settings,
    shards: pool.links,
    slotsPerShard: pool.slotsPerShard,
    verifier: fakeVerifier,
    metrics: metrics.row(0),
    lag: () => metrics.largest('shard_lag_milliseconds'),
    sidecar: { host: '127.0.0.1', port: 1 },
    log,
    ready: () => true,
  });
  pool.onReplaced(front.replaceShard);
  const faults = new BroadcastChannel(faultsOf(engineId));
  const sockets: WebSocket[] = [];
  t.teardown(async () => {
    for (const socket of sockets) socket.terminate();
    faults.close();
    await front.closeStreams();
    await pool.stop();
    await front.close();
  });
  return {
    pool,
    front,
    metrics,
    engineId,
    spillDir: join(dataDir, 'spill'),
    kept,
    get closed() {
      return counted.closed;
    },
    order: (fault) => faults.postMessage(fault),
    connect(uid, query = 'custom_stt=enabled') {
      const address = `ws://127.0.0.1:${front.port}/v4/listen?uid=${uid}&${query}`;
      const socket = new WebSocket(address, { headers: { Authorization: `Bearer token-${uid}` } });
      sockets.push(socket);
      return new Client(socket);
    },
  };
};

const conversationOf = async (client: Client): Promise<string> => {
  const text = await client.message((message) => message.includes('"conversation_session"'));
  return (JSON.parse(text) as { conversation_id: string }).conversation_id;
};

/** Sends a text. Resolves when the text was acknowledged, which happens after it is durable. */
const say = async (client: Client, text: string, start: number): Promise<void> => {
  const segments = [{ text, speaker: 'SPEAKER_00', start, end: start + 1 }];
  client.socket.send(JSON.stringify({ type: 'suggested_transcript', segments, stt_provider: 'own' }));
  await client.message((message) => message.startsWith('[') && message.includes(text));
};

const faults: readonly { readonly name: string; readonly fault: Fault; readonly exits: boolean }[] = [
  { name: 'hangs in JavaScript', fault: { shard: 0, kind: 'spin' }, exits: true },
  { name: 'hangs in native code', fault: { shard: 0, kind: 'block' }, exits: false },
  { name: 'fails in its loop', fault: { shard: 0, kind: 'throw' }, exits: true },
  { name: 'dies outside its task', fault: { shard: 0, kind: 'crash' }, exits: true },
];

t.test('replays the spill of a shard that is lost during a database outage', async (t) => {
  const { url, sql } = await testDatabase(t);
  for (const { name, fault, exits } of faults) {
    await t.test(name, async (t) => {
      const proxy = await startProxy(url);
      t.teardown(() => proxy.close());
      const engine = await startEngine(t, proxy.url);
      const { metrics } = engine;
      const uid = `wearer-${engine.engineId}`;
      const before = await engine.connect(uid).open();
      const conversation = await conversationOf(before);
      await say(before, 'Stored while the database was there.', 1);
      proxy.mode = 'refused';
      await say(before, 'Acknowledged from the spill.', 10);
      t.equal(metrics.total('sessions_active'), 1);

      const file = join(openFolder(t), 'go-on');
      t.teardown(() => writeFileSync(file, ''));
      engine.order({ ...fault, file });
      t.match(await before.outcome, { code: 1012, reason: 'shard_lost' });
      t.equal(metrics.total('shards_lost_total'), 1);
      t.equal(metrics.total('shards_abandoned'), exits ? 0 : 1);
      t.equal(metrics.total('sessions_active'), 0, 'the gauges of a lost shard are cleared');
      t.equal(engine.closed, 1, 'its port to the transcriber is closed');
      proxy.mode = 'open';

      await until(() => metrics.total('shards_replaced_total') === 1);
      t.equal(metrics.total('shards_serving'), 1);
      const after = await engine.connect(uid).open();
      t.equal(await conversationOf(after), conversation, 'the reconnected client gets the same conversation');
      await say(after, 'Said to the new shard.', 20);
      const rows = await sql<{ text: string }[]>`
        select text from segments where conversation_id = ${conversation} and not deleted order by position`;
      const words = rows.map(({ text }) => text).join(' ');
      for (const sentence of ['Stored while', 'Acknowledged from the spill.', 'Said to the new shard.'])
        t.equal(words.split(sentence).length, 2, `"${sentence}" is stored once`);
      const folders = async (): Promise<string[]> => readdir(engine.spillDir);
      await until(async () => (await folders()).every((folder) => folder.includes('~held~')));
      t.equal(
        (await folders()).length,
        exits ? 0 : 1,
        'a copy was replayed of what a hung thread still holds',
      );
      writeFileSync(file, '');
      await until(() => metrics.total('shards_abandoned') === 0);
      t.equal(metrics.total('shards_lost_total'), 1, 'what was lost does not come back to be lost again');
    });
  }
});

t.test('retains the speech of a lost shard if its thread still can, and counts it otherwise', async (t) => {
  const { url } = await testDatabase(t);
  const wav = readFileSync(join(packageDirectory(), recording)).subarray(44);
  for (const kind of ['throw', 'spin'] as const) {
    await t.test(kind, async (t) => {
      const engine = await startEngine(t, url, { COCHLEA_STT: 'provider', STT_SERVICE_MODELS: 'local' });
      const { kept, metrics } = engine;
      const client = await engine.connect(`speaker-${kind}`, 'codec=pcm16&sample_rate=16000').open();
      await client.message((message) => message.includes('"ready"'));
      for (let at = 0; metrics.total('speech_held_milliseconds') < 1000; at = (at + 6400) % wav.length) {
        client.socket.send(wav.subarray(at, at + 6400));
        await delay(50);
      }
      engine.order({ shard: 0, kind });
      // A shard that hangs reads none of these frames.
      const sending = setInterval(() => client.socket.send(wav.subarray(0, 6400)), 50);
      t.match(await client.outcome, { code: 1012, reason: 'shard_lost' });
      clearInterval(sending);
      const lost = metrics.total('speech_lost_milliseconds_total');
      if (kind === 'throw') {
        t.equal(lost, 0);
        const [open, ...more] = kept;
        t.same(more, []);
        t.match(open, { user: 'speaker-throw', reason: 'shard_lost', origin: { conversation: String } });
        t.ok(open!.pcm.length >= 16_000, `${open!.pcm.length} samples of the open utterance`);
      } else {
        t.same(kept, []);
        t.ok(lost >= 1000, `${lost} ms of the open utterance`);
        t.ok(metrics.total('ring_frames_lost_total') > 0);
      }
      await until(() => metrics.total('shards_replaced_total') === 1);
    });
  }
});

t.test('streams of the other shard continue when one of two is lost', async (t) => {
  const { url } = await testDatabase(t);
  const engine = await startEngine(t, url, { SHARDS: '2' });
  const clients: Client[] = [];
  for (let number = 0; number < 8; number++) {
    const client = await engine.connect(`wearer${number}`).open();
    await conversationOf(client);
    clients.push(client);
  }
  engine.order({ shard: 1, kind: 'spin' });
  await until(() => engine.metrics.total('shards_replaced_total') === 1);
  const open = clients.filter(({ socket }) => socket.readyState === WebSocket.OPEN);
  t.ok(open.length > 0 && open.length < clients.length);
  for (const [number, client] of open.entries()) await say(client, `Still here ${number}.`, 1);
  t.equal(engine.front.activeStreams(), open.length);
  for (let number = 0; number < 8; number++) await conversationOf(engine.connect(`wearer${number}`));
});

t.test('declares the process broken after a few hung threads', async (t) => {
  const { url } = await testDatabase(t);
  const engine = await startEngine(t, url);
  let broken = false;
  void engine.pool.broken.then(() => {
    broken = true;
  });
  const { value: limit } = fixedLimits.abandonedShards;
  const file = join(openFolder(t), 'go-on');
  t.teardown(() => writeFileSync(file, ''));
  for (let lost = 1; lost <= limit + 1; lost++) {
    t.equal(broken, false);
    engine.order({ shard: 0, kind: 'block', file });
    await until(() => engine.metrics.total('shards_lost_total') === lost);
    t.equal(engine.metrics.total('shards_abandoned'), lost);
    if (lost <= limit) await until(() => engine.metrics.total('shards_replaced_total') === lost);
  }
  await engine.pool.broken;
  await engine.pool.stop();
  t.ok(engine.pool.stuck, 'a process that has to be killed');
  writeFileSync(file, '');
  await until(() => !engine.pool.stuck);
});
