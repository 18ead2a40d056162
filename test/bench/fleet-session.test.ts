/** A session between a generator and a server that are both played. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import type { Generator, GeneratorSnapshot } from '../../bench/fleet/generator.js';
import { measureCapacity, measureLoad, warmUp } from '../../bench/fleet/measure.js';
import { windowMs } from '../../bench/fleet/server-page.js';
import { Session, type Tick } from '../../bench/fleet/session.js';
import type { Target } from '../../bench/fleet/target.js';

/** What a server that is played does with its streams. */
interface Play {
  /** Streams it takes. */
  readonly takes: number;
  /** ms from frame to decision, by the number of streams. */
  readonly delay?: (streams: number) => number;
}

/** Streams of 20 ms frames that do in real time what they should, and the page of the server they go to. */
const play = async ({ takes, delay = () => 5 }: Play): Promise<{ generator: Generator; target: Target }> => {
  let wanted = 0;
  let at = performance.now();
  const began = at;
  let audioMs = 0;
  let reported = 0;
  const counts = [0, 0];
  const advance = (): void => {
    const now = performance.now();
    const open = Math.min(wanted, takes);
    const gained = open * (now - at);
    audioMs += gained;
    counts[delay(open) <= 100 ? 0 : 1]! += gained / windowMs;
    at = now;
  };
  const server = createServer((_request, response) => {
    advance();
    const lines = [
      `frames_decoded_total ${audioMs / 20}`,
      `vad_windows_total ${audioMs / windowMs}`,
      `connections_active ${Math.min(wanted, takes)}`,
      'process_cpu_seconds_total 1',
      'process_resident_memory_bytes 1048576',
      `frame_to_vad_seconds_bucket{le="0.1"} ${counts[0]}`,
      `frame_to_vad_seconds_bucket{le="0.5"} ${counts[0]! + counts[1]!}`,
    ];
    response.end(lines.join('\n'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const snapshot = async (): Promise<GeneratorSnapshot> => {
    advance();
    const sent = audioMs - reported;
    reported = audioMs;
    return {
      atMs: at - began,
      wanted,
      open: Math.min(wanted, takes),
      framesSent: sent / 20,
      bytesSent: 0,
      keepAlivesSent: 0,
      oddSent: 0,
      audioMs: sent,
      framesBlocked: 0,
      connects: 0,
      reconnects: 0,
      textsReceived: 0,
      segmentsReceived: 0,
      errors: wanted > takes ? { http_503: 1 } : {},
      lateness: [],
      segmentLag: [],
      connectTime: [],
      cpuMs: 1,
    };
  };
  const setStreams = (count: number): void => {
    advance();
    wanted = count;
  };
  const generator = { pid: process.pid, limit: 1000, setStreams, snapshot, stop: snapshot };
  const { port } = server.address() as AddressInfo;
  const metricsUrl = `http://127.0.0.1:${port}/`;
  return { generator, target: { name: 'played', url: '', metricsUrl, versions: {}, stop } };
};

const never = new AbortController().signal;

t.test('slices follow each other without a gap, and ticks tell how it goes', async (t) => {
  const { generator, target } = await play({ takes: 100 });
  t.teardown(target.stop);
  const ticks: Tick[] = [];
  const session = new Session(target, generator, never, (tick) => ticks.push(tick));
  const slices = await measureLoad(session, {
    streams: 50,
    rampPerS: 1000,
    settle: 0.1,
    seconds: 1.2,
    slice: 0.6,
  });
  t.equal(slices.length, 2);
  for (const { seconds, wanted, open, sent, vadWindows, dropped, memory } of slices) {
    t.match({ wanted, open, dropped, memory }, { wanted: 50, open: 50, dropped: 0, memory: { rssKb: 1024 } });
    // Both sides are read within a moment of each other.
    const done = (vadWindows * windowMs) / 1000;
    t.ok(Math.abs(done - 50 * seconds) < 50 * 0.3, `${done} s of audio in ${seconds} s`);
    t.ok(Math.abs(sent.audioMs / 1000 - done) < 50 * 0.3);
  }
  t.match(ticks.at(-1), { wanted: 50, open: 50, errors: 0, cpuCores: undefined });
});

t.test('memory is read when the streams of the warm-up are gone', async (t) => {
  const { generator, target } = await play({ takes: 100 });
  t.teardown(target.stop);
  const session = new Session(target, generator, never);
  t.equal(await warmUp(session), 1024);
  t.equal(session.open, 0);
});

t.test('a capacity is climbed to in one session', async (t) => {
  const { generator, target } = await play({ takes: 1000 });
  t.teardown(target.stop);
  const level = { frameToVadMs: 100, disturbed: false };
  const session = new Session(target, generator, never);
  const task = { rampPerS: 1000, from: 20, most: 30, hold: 0.4, shortHold: 0.2, level };
  t.match(await measureCapacity(session, task), { streams: 30, atLeast: true });
});

t.test('an abort ends a session at its next wait, with its reason', async (t) => {
  const { generator, target } = await play({ takes: 5 });
  t.teardown(target.stop);
  const controller = new AbortController();
  const session = new Session(target, generator, controller.signal, () =>
    controller.abort(new Error('Enough.')),
  );
  await t.rejects(session.reach(50, 60_000), { message: 'Enough.' });
  t.match(session.errorWords(), /^\d+ http_503$/, 'what had gone wrong until then');
});
