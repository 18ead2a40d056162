/** Tests a session between a simulated generator and a simulated server. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import type { Generator, GeneratorSnapshot } from '../../../bench/fleet/generator.js';
import { measureCapacity, measureLoad, warmUp } from '../../../bench/fleet/measure.js';
import { Session, type SessionClock, type Tick } from '../../../bench/fleet/session.js';
import type { Target } from '../../../bench/fleet/target.js';
import { windowMs } from '../../../bench/fleet/targets/server-page.js';

/** A simulated server. */
interface Play {
  /** Number of streams that the server accepts. It refuses further streams. */
  readonly takes: number;
  /** Number of streams whose audio the server processes in time. The audio of further streams waits. */
  readonly decides?: number;
  /** Number of streams above which the server stops answering requests for its metrics page. */
  readonly mute?: number;
}

interface Played {
  readonly generator: Generator;
  readonly target: Target;
  readonly clock: SessionClock;
}

/**
 * Simulates streams of 20 ms frames and a server with one queue. Only waiting moves the clock, so the speed of this machine has no effect.
 */
const play = async ({ takes, decides = takes, mute = Number.POSITIVE_INFINITY }: Play): Promise<Played> => {
  let now = 0;
  let wanted = 0;
  let sentMs = 0;
  let toldMs = 0;
  let decidedMs = 0;
  const counts = [0, 0];
  const open = (): number => Math.min(wanted, takes);
  const live = (ms: number): void => {
    now += ms;
    muted ||= open() > mute;
    sentMs += open() * ms;
    const done = Math.min(sentMs - decidedMs, decides * ms);
    decidedMs += done;
    // The delay is the queued audio divided by the rate of decisions.
    const delay = (sentMs - decidedMs) / decides;
    counts[delay <= 50 ? 0 : 1]! += done / windowMs;
  };
  const clock: SessionClock = {
    now: () => now,
    pause: async (ms) => {
      for (let left = ms; left > 0; left -= 100) live(Math.min(100, left));
    },
  };
  let muted = false;
  const server = createServer((_request, response) => {
    if (muted) {
      response.destroy();
      return;
    }
    const lines = [
      `frames_decoded_total ${decidedMs / 20}`,
      `vad_windows_total ${decidedMs / windowMs}`,
      `connections_active ${open()}`,
      'process_cpu_seconds_total 1',
      'process_resident_memory_bytes 1048576',
      `frame_to_vad_seconds_bucket{le="0.05"} ${counts[0]}`,
      `frame_to_vad_seconds_bucket{le="5"} ${counts[0]! + counts[1]!}`,
    ];
    response.end(lines.join('\n'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const snapshot = async (): Promise<GeneratorSnapshot> => {
    const audioMs = sentMs - toldMs;
    toldMs = sentMs;
    return {
      atMs: now,
      wanted,
      open: open(),
      framesSent: audioMs / 20,
      bytesSent: 0,
      keepAlivesSent: 0,
      oddSent: 0,
      audioMs,
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
    wanted = count;
  };
  const { port } = server.address() as AddressInfo;
  const metricsUrl = `http://127.0.0.1:${port}/`;
  return {
    generator: { pid: process.pid, limit: 1000, setStreams, snapshot, stop: snapshot },
    target: { name: 'played', url: '', metricsUrl, versions: {}, stop },
    clock,
  };
};

const never = new AbortController().signal;

t.test('slices follow each other without a gap, and ticks report the progress', async (t) => {
  const { generator, target, clock } = await play({ takes: 100 });
  t.teardown(target.stop);
  const ticks: Tick[] = [];
  const session = new Session(target, generator, {
    signal: never,
    clock,
    onTick: (tick) => ticks.push(tick),
  });
  const slices = await measureLoad(session, {
    streams: 50,
    rampPerS: 1000,
    settle: 4,
    seconds: 20,
    slice: 5,
  });
  t.equal(slices.length, 4);
  for (const { seconds, wanted, open, sent, vadWindows, dropped, memory } of slices) {
    t.match({ wanted, open, dropped, memory }, { wanted: 50, open: 50, dropped: 0, memory: { rssKb: 1024 } });
    t.equal(seconds, 5);
    t.equal(sent.audioMs, 50 * 5000);
    t.equal(vadWindows * windowMs, sent.audioMs);
  }
  t.match(ticks.at(-1), { wanted: 50, open: 50, errors: {}, cpuCores: undefined });
});

t.test('memory is read after the streams of the warm-up have closed', async (t) => {
  const { generator, target, clock } = await play({ takes: 100 });
  t.teardown(target.stop);
  const session = new Session(target, generator, { signal: never, clock });
  t.equal(await warmUp(session), 1024);
  t.equal(session.open, 0);
});

const level = { frameToVadMs: 100, disturbed: false };

t.test('a capacity is found in one session, and the server recovers after each overload', async (t) => {
  for (const [takes, decides, bound] of [
    [5000, 437, /p99 \d+ ms|of the audio decoded/],
    [321, 900, /^321 of \d+ streams held/],
  ] as const) {
    const { generator, target, clock } = await play({ takes, decides });
    t.teardown(target.stop);
    const session = new Session(target, generator, { signal: never, clock });
    const task = { rampPerS: 100, from: 100, most: 1000, hold: 60, shortHold: 7, level };
    const truth = Math.min(takes, decides);
    const { streams, boundBy } = await measureCapacity(session, task);
    // At a load slightly above the capacity, the server becomes late only after the time for which a load is held.
    t.ok(streams >= truth * 0.965 && streams <= truth * 1.005, `${streams} of ${truth}`);
    t.match(boundBy, bound);
  }
});

t.test('a server that holds every tried number of streams', async (t) => {
  const { generator, target, clock } = await play({ takes: 1000 });
  t.teardown(target.stop);
  const session = new Session(target, generator, { signal: never, clock });
  const task = { rampPerS: 100, from: 20, most: 30, hold: 60, shortHold: 7, level };
  t.match(await measureCapacity(session, task), { streams: 30, atLeast: true });
});

t.test('a server that does not recover is restarted, or ends the search', async (t) => {
  const broken = await play({ takes: 200, decides: 0.001 });
  const whole = await play({ takes: 200 });
  for (const { target } of [broken, whole]) t.teardown(target.stop);
  const open = ({ target, generator, clock }: Played): Session =>
    new Session(target, generator, { signal: never, clock });
  const task = { rampPerS: 100, from: 100, most: 150, hold: 20, shortHold: 7, level };
  await t.rejects(measureCapacity(open(broken), task), { message: /does not recover from 100 streams/ });
  const restart = async (): Promise<Session> => open(whole);
  t.match(await measureCapacity(open(broken), { ...task, restart }), { streams: 150, atLeast: true });
});

t.test('a server that is too busy to answer has failed, and is restarted', async (t) => {
  const servers: Played[] = [];
  for (let i = 0; i < 12; i++) servers.push(await play({ takes: 500, mute: 130 }));
  for (const { target } of servers) t.teardown(target.stop);
  let started = 0;
  const restart = async (): Promise<Session> => {
    const { target, generator, clock } = servers[started++]!;
    return new Session(target, generator, { signal: never, clock });
  };
  const task = { rampPerS: 100, from: 100, most: 500, hold: 20, shortHold: 7, level };
  const { streams, boundBy } = await measureCapacity(await restart(), { ...task, restart });
  t.ok(streams >= 126 && streams <= 130, String(streams));
  t.match(boundBy, /does not show its page/);
  const alone = await restart();
  await t.rejects(measureCapacity(alone, task), { message: /does not show its page/ });
});

t.test('a load that disconnects streams counts as reached at nine tenths of its streams', async (t) => {
  const { generator, target, clock } = await play({ takes: 95 });
  t.teardown(target.stop);
  t.equal(
    await new Session(target, generator, { signal: never, clock, disturbed: true }).reach(100, 60_000),
    true,
  );
  t.equal(await new Session(target, generator, { signal: never, clock }).reach(100, 300), false);
  t.equal(
    await new Session(target, generator, { signal: never, clock, disturbed: true }).reach(110, 300),
    false,
  );
});

t.test('an abort ends a session at its next wait, with the reason of the abort', async (t) => {
  const { generator, target, clock } = await play({ takes: 5 });
  t.teardown(target.stop);
  const controller = new AbortController();
  const session = new Session(target, generator, {
    signal: controller.signal,
    clock,
    onTick: () => controller.abort(new Error('Enough.')),
  });
  await t.rejects(session.reach(50, 60_000), { message: 'Enough.' });
  t.match(session.errorWords(), /^\d+ http_503$/, 'what had gone wrong until then');
});
