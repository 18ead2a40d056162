/** The servers that the engine is compared with must do the same work: same frames, windows and decisions. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { WebSocket } from 'ws';
import type { Target } from '../../bench/fleet/target.js';
import { loadPackets } from '../../bench/packets/packets.js';
import { type PeerName, peerNames, startPeer } from '../../bench/peers/index.js';
import { startProgram } from '../../bench/peers/program.js';
import { preparePython, pythonIsReady } from '../../bench/peers/python-environment.js';
import { Detector, DetectorState } from '../../src/audio/portable/detector.js';
import { OpusStream } from '../../src/audio/portable/opus.js';
import { usualGate } from '../../src/wire/gate.js';
import { Bench, coreKinds, native } from '../audio/support.js';
import { allProcesses } from '../support/service.js';
import { until } from '../support/until.js';

const windowSamples = 512;
const { onset } = usualGate;
/** Number of windows in the part that is sent in every format: 100 packets. */
const partWindows = 62;

const material = await (async () => {
  const { bytes, offsets, lengths } = await loadPackets('speech');
  const packets = Array.from(offsets, (at, i) => bytes.subarray(at, at + lengths[i]!)).slice(0, 500);
  const decoder = new OpusStream();
  const pcm = new Int16Array(packets.length * 320);
  for (const [i, packet] of packets.entries()) pcm.set(decoder.decode(packet)!, i * 320);
  decoder.drop();
  return { packets, pcm };
})();

/** The engine's results for the packets. */
const expected = await (async () => {
  const { packets, pcm } = material;
  const whole = pcm.subarray(0, pcm.length - (pcm.length % windowSamples));
  let probabilities: ArrayLike<number>;
  if ('addon' in native) {
    probabilities = native.addon.probeDetector(native.weights, whole, 1);
  } else {
    const detector = await Detector.create();
    const state = new DetectorState();
    const found: number[] = [];
    for (let at = 0; at < whole.length; at += windowSamples)
      found.push((await detector.run([state], [whole.subarray(at, at + windowSamples)]))[0]!);
    probabilities = found;
  }
  const bench = await Bench.open(coreKinds[0]!);
  bench.core.open(0, { codec: 'opus', sampleRate: 16_000, channels: 1 });
  await bench.play(0, packets);
  const starts = bench.events.filter(({ kind }) => kind === 1).length;
  bench.core.destroy();
  const speech = Array.from(probabilities).filter((p) => p >= onset).length;
  return { windows: probabilities.length, speech, starts };
})();

const names = [
  'frames_decoded_total',
  'frames_invalid_total',
  'frames_dropped_total',
  'vad_windows_total',
  'speech_windows_total',
  'speech_starts_total',
  'connections_active',
] as const;
type Page = Record<(typeof names)[number], number> & {
  readonly text: string;
  readonly buckets: readonly (readonly [le: string, count: number])[];
  readonly count: number;
};

const read = async (peer: Target): Promise<Page> => {
  const text = await (await fetch(peer.metricsUrl!)).text();
  const value = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    ...(Object.fromEntries(names.map((name) => [name, value(name)])) as Record<
      (typeof names)[number],
      number
    >),
    text,
    buckets: [...text.matchAll(/^frame_to_vad_seconds_bucket\{le="([^"]+)"\} (\d+)$/gm)].map(
      ([, le, count]) => [le!, Number(count)] as const,
    ),
    count: value('frame_to_vad_seconds_count'),
  };
};

const open = async (peer: Target, query: string): Promise<WebSocket> => {
  const socket = new WebSocket(`${peer.url}/v4/listen?${query}`, { perMessageDeflate: false });
  await once(socket, 'open');
  return socket;
};

/** Sends messages at full speed, each list on its own stream. @returns the server's counts after it has processed all messages. */
const feed = async (
  peer: Target,
  streams: readonly { query: string; messages: readonly (Uint8Array | string)[] }[],
  windows: number,
): Promise<Record<(typeof names)[number], number>> => {
  const before = await read(peer);
  const sockets = await Promise.all(
    streams.map(({ query }, i) => open(peer, `uid=u${i}&sample_rate=16000&${query}`)),
  );
  const most = Math.max(...streams.map(({ messages }) => messages.length));
  for (let k = 0; k < most; k++)
    for (const [i, socket] of sockets.entries()) {
      const message = streams[i]!.messages[k];
      if (message !== undefined) socket.send(message);
    }
  // The answer to a final ping shows that the server has read everything.
  await Promise.all(
    sockets.map((socket) => {
      socket.ping();
      return once(socket, 'pong');
    }),
  );
  const after = await until(async () => {
    const page = await read(peer);
    return page.vad_windows_total - before.vad_windows_total >= windows && page;
  }, 'all windows');
  for (const socket of sockets) socket.terminate();
  await until(async () => (await read(peer)).connections_active === 0, 'all streams closed');
  return Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as Record<
    (typeof names)[number],
    number
  >;
};

const bytesOf = (pcm: Int16Array): Uint8Array => new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength);

const chunks = (bytes: Uint8Array, size: number): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));

const pythonReady = await pythonIsReady();
const reason = 'its virtual environment is not made: npm run bench -- cost --peers python makes it';

for (const name of peerNames) {
  t.test(name, { skip: name === 'python' && !pythonReady ? reason : false }, async (t) => {
    const peer = await startPeer(name);
    if ('skipped' in peer) {
      t.fail(peer.skipped);
      return;
    }
    t.teardown(() => peer.stop());
    t.equal(peer.name, name);
    t.ok(Object.keys(peer.versions).length > 4 && Object.values(peer.versions).every(Boolean), 'versions');

    await t.test('decides like the engine', async (t) => {
      const { packets } = material;
      const counted = await feed(peer, [{ query: 'codec=opus', messages: packets }], expected.windows);
      t.equal(counted.frames_decoded_total, packets.length);
      t.equal(counted.vad_windows_total, expected.windows);
      t.ok(
        Math.abs(counted.speech_windows_total - expected.speech) <= 1,
        `${counted.speech_windows_total} windows of speech, the engine ${expected.speech}`,
      );
      t.ok(expected.starts > 1, 'there is speech');
      t.equal(counted.speech_starts_total, expected.starts);
      t.equal(counted.frames_invalid_total, 0);
      t.equal(counted.frames_dropped_total, 0);
    });

    await t.test('keeps streams apart, and accepts every format', async (t) => {
      const part = material.pcm.subarray(0, 32_000);
      const pcm8 = Uint8Array.from(part, (sample) => (sample >> 8) + 128);
      const opus = material.packets.slice(0, 100);
      const forms = [
        { query: 'codec=opus_fs320', messages: opus },
        { query: 'codec=pcm16', messages: chunks(bytesOf(part), 640) },
        // A window is not a multiple of this message size. Some messages cross the receive buffer at odd offsets.
        { query: 'codec=pcm16', messages: chunks(bytesOf(part), 1998) },
        { query: 'codec=pcm8', messages: chunks(pcm8, 320) },
      ];
      const alone = [];
      for (const form of forms) alone.push(await feed(peer, [form], partWindows));
      for (const [i, { frames_decoded_total, vad_windows_total }] of alone.entries())
        t.same(
          [frames_decoded_total, vad_windows_total],
          [forms[i]!.messages.length, partWindows],
          forms[i]!.query,
        );
      const loud = alone.map(({ speech_windows_total }) => speech_windows_total);
      t.ok(loud[0]! > 20 && Math.max(...loud.slice(0, 3)) - Math.min(...loud.slice(0, 3)) <= 1, `${loud}`);

      const copies = 3;
      const crowd = Array.from({ length: copies }, () => forms).flat();
      const together = await feed(peer, crowd, partWindows * crowd.length);
      t.equal(together.vad_windows_total, partWindows * crowd.length);
      t.equal(together.speech_windows_total, copies * loud.reduce((total, one) => total + one, 0));
    });

    await t.test('survives invalid frames', async (t) => {
      const broken = Uint8Array.of(255, 255, 255, 255);
      const messages = [
        '{"type":"x"}',
        Uint8Array.of(0),
        broken,
        ...material.packets.slice(0, 16),
        'no json',
      ];
      const counted = await feed(peer, [{ query: 'codec=opus', messages }], 10);
      t.equal(counted.frames_decoded_total, 16, 'text and keep-alives are no frames');
      t.equal(counted.frames_invalid_total, 1);
    });

    await t.test('refuses unknown formats', async (t) => {
      for (const query of ['codec=lc3&sample_rate=16000', 'codec=pcm16&sample_rate=8000']) {
        const socket = await open(peer, `uid=u&${query}`);
        const [code] = await once(socket, 'close');
        t.equal(code, 1003, query);
      }
      const unknown = new WebSocket(`${peer.url}/v4/listen?codec=opus`);
      const [error] = (await once(unknown, 'error')) as [Error];
      t.match(error.message, /403/, 'no user');
      t.equal((await fetch(peer.metricsUrl!.replace('metrics', 'nothing'))).status, 404);
    });

    await t.test('reports the duration of windows in the buckets that all servers share', async (t) => {
      const page = await read(peer);
      t.equal(page.buckets.length, 113);
      const bounds = page.buckets.slice(0, -1).map(([le]) => Number(le));
      t.ok(
        bounds.every((bound, k) => Math.abs(bound / (0.0005 * 1.1 ** k) - 1) < 1e-9),
        'bounds',
      );
      t.equal(page.buckets.at(-1)![0], '+Inf');
      const counts = page.buckets.map(([, count]) => count);
      t.same(
        counts,
        [...counts].sort((a, b) => a - b),
        'cumulative',
      );
      t.equal(counts.at(-1), page.vad_windows_total);
      t.equal(page.count, page.vad_windows_total);
      t.match(page.text, /^speech_buffer_bytes 0$/m);
    });

    await t.test('leaves no process and no stream behind', async (t) => {
      const socket = await open(peer, 'uid=u&codec=opus&sample_rate=16000');
      const closed = once(socket, 'close');
      await peer.stop();
      await closed;
      t.notOk(allProcesses().some(({ pid }) => pid === peer.pid));
      await peer.stop();
    });
  });
}

t.test('a server ends with the process that started it', async (t) => {
  const server = fileURLToPath(new URL('../../bench/peers/node/server.js', import.meta.url));
  const prepared = pythonReady ? await preparePython() : { skipped: reason };
  const cases: [PeerName, string[]][] = [['node-workers', [process.execPath, server, 'workers']]];
  if ('skipped' in prepared) t.pass('python', { skip: prepared.skipped });
  else cases.push(['python', [prepared.python, ...prepared.words]]);
  for (const [name, words] of cases) {
    const child = spawn(words[0]!, words.slice(1), { stdio: ['pipe', 'pipe', 'ignore'] });
    const ended = once(child, 'exit');
    await once(createInterface({ input: child.stdout! }), 'line');
    child.stdin!.end();
    t.same(await ended, [0, null], name);
  }
});

t.test('if a server does not start, the error contains its output', async (t) => {
  const cases: readonly [name: string, script: string, message: RegExp][] = [
    ['ends', 'console.error("no such file"); process.exit(3)', /"ends" ended with 3.*no such file/s],
    ['chats', 'console.log("hello"); setInterval(() => 0, 1000)', /"chats" began with hello/],
  ];
  for (const [name, script, message] of cases)
    await t.rejects(startProgram(name, { command: process.execPath, words: ['-e', script] }), { message });
  const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  await t.rejects(startProgram('absent', { command: '/nowhere/at/all', words: [] }), { code: 'ENOENT' });
  t.equal(timers(), before, 'no timer keeps the process alive');
});

t.test('without Python, the peer is skipped with the reason', async (t) => {
  const path = process.env.PATH;
  process.env.PATH = t.testdir();
  t.teardown(() => {
    process.env.PATH = path;
  });
  t.same(await startPeer('python'), { skipped: 'python3 is missing' });
});
