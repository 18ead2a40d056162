/** Tests the stream of a page with a fake engine: what is sent again, waits, tokens, mute, stop and failures. */
import fc from 'fast-check';
import t from 'tap';
import {
  LiveStream,
  type LiveStreamOptions,
  SignedOut,
  type StreamState,
} from '../../../src/console/stream/live-stream.js';
import { FakeEngine, FakeTime, numberedFrame } from './fake-engine.js';

const step = 20;

const startRig = (options: Partial<LiveStreamOptions> & { delay?: number } = {}) => {
  const time = new FakeTime();
  const engine = new FakeEngine(time, options.delay ?? 1);
  const states: StreamState[] = [];
  const spoken: number[] = [];
  let [recorded, tokens] = [0, 0];
  const stream = new LiveStream({
    address: 'ws://engine/v4/web/listen',
    parameters: { source: 'desktop' },
    open: engine.openSocket,
    token: async () => ({ token: `token-${++tokens}`, expires_in: 600 }),
    time,
    random: () => 0.5,
    onState: (state) => states.push(state),
    onMessage: () => undefined,
    ...options,
  });
  /** Records for some seconds. @param isSpeech decides by the number of the frame. */
  const record = async (seconds: number, isSpeech: (frame: number) => boolean): Promise<void> => {
    for (let at = 0; at < seconds * 1000; at += step) {
      const speech = isSpeech(recorded);
      if (speech && !stream.muted) spoken.push(recorded);
      stream.push(numberedFrame(recorded++, speech));
      engine.tick();
      await time.advance(step);
    }
  };
  const wait = async (seconds: number): Promise<void> => {
    for (let at = 0; at < seconds * 1000; at += 100) {
      engine.tick();
      await time.advance(100);
    }
  };
  const kinds = (): string[] => states.map(({ kind }) => kind);
  return { time, engine, states, spoken, stream, record, wait, kinds };
};

/** Speech of 3 s, then silence of 1.2 s. */
const sentences = (frame: number): boolean => frame % 210 < 150;

t.test('connects, sends frames, and ends saved', async (t) => {
  const { engine, stream, record, wait, kinds, states, spoken } = startRig();
  stream.start();
  await record(20, sentences);
  t.match(engine.sockets[0]!.address, /\?source=desktop&codec=pcm16&sample_rate=16000$/);
  t.equal(engine.sockets[0]!.sent[0], '{"type":"auth","token":"token-1"}');
  stream.stop();
  await wait(1);
  t.same(kinds(), ['connecting', 'live', 'stopping', 'saved']);
  t.match(states.at(-1), { conversation: 'talk' });
  t.equal(engine.stops, 1);
  t.equal(engine.sockets[0]!.closeCode, 1000);
  t.same([...engine.stored], spoken, 'in order, once');
});

t.test('an engine at 1.6 times real time loses no speech, whenever connections end', async (t) => {
  const failures = fc.array(
    fc.record({
      after: fc.integer({ min: 1, max: 40 }),
      away: fc.integer({ min: 0, max: 30 }),
      code: fc.constantFrom(1006, 1001, 1011, 1012, 4001),
    }),
    { minLength: 1, maxLength: 4 },
  );
  const speech = fc.record({
    talk: fc.integer({ min: 20, max: 700 }),
    pause: fc.integer({ min: 50, max: 400 }),
    delay: fc.double({ min: 0.1, max: 3.6, noNaN: true }),
  });
  await fc.assert(
    fc.asyncProperty(failures, speech, async (list, { talk, pause, delay }) => {
      const { engine, stream, record, wait, spoken, states } = startRig({ delay });
      const said = (frame: number): boolean => frame % (talk + pause) < talk;
      stream.start();
      for (const { after, away, code } of list) {
        await record(after, said);
        engine.reachable = away === 0;
        engine.socket?.fail(code);
        await record(away, said);
        engine.reachable = true;
      }
      await record(45, said);
      stream.stop();
      await wait(70);
      const last = states.at(-1)!;
      return last.kind === 'saved' && stream.lost === 0 && spoken.every((frame) => engine.stored.has(frame));
    }),
    { numRuns: Number(process.env.CONSOLE_RUNS ?? 40), endOnFailure: true },
  );
  t.pass('every frame of speech was stored');
});

t.test('a muted stream sends keep-alives and no audio', async (t) => {
  const { engine, stream, record, spoken } = startRig();
  stream.start();
  await record(3, sentences);
  stream.mute(true);
  const before = engine.sockets[0]!.sent.length;
  await record(61, sentences);
  const meanwhile = engine.sockets[0]!.sent.slice(before) as Uint8Array[];
  t.equal(meanwhile.length, 6, 'one each 10 s');
  t.ok(meanwhile.every(({ length }) => length === 1));
  stream.mute(false);
  await record(10, sentences);
  engine.socket!.fail();
  await record(30, sentences);
  t.same(
    spoken.slice(0, -1000).filter((frame) => !engine.stored.has(frame)),
    [],
    'a pause does not shift the audio to send again',
  );
});

t.test('renews its token before the end, and again after a failure', async (t) => {
  let calls = 0;
  const { engine, stream, record, kinds } = startRig({
    token: async () => {
      calls++;
      if (calls === 2) throw new Error('network');
      return { token: `t${calls}`, expires_in: 60 };
    },
  });
  stream.start();
  await record(41, () => false);
  t.same(engine.tokens, ['t1'], 'the first renewal failed');
  await record(12, () => false);
  t.same(engine.tokens, ['t1', 't3']);
  t.same(kinds(), ['connecting', 'live']);
});

t.test('waits longer after each failure, and from the beginning after a good connection', async (t) => {
  const { engine, stream, record, wait, time } = startRig();
  engine.reachable = false;
  stream.start();
  await wait(70);
  t.same(engine.sockets.length, 7, 'after 1, 2, 4, 8, 16 and 30 s');
  engine.reachable = true;
  await wait(31);
  await record(61, () => false);
  const before = time.now();
  engine.socket!.fail();
  while (engine.socket === undefined) await wait(0.1);
  t.ok(time.now() - before < 1500);
});

const ends: { title: string; code: number; reason: string; remedy: RegExp | null }[] = [
  { title: 'a codec', code: 1003, reason: 'Codec x is unknown', remedy: /Codec x is unknown/ },
  { title: 'an invalid token', code: 1008, reason: 'Invalid token', remedy: /Sign in again/ },
  {
    title: 'a language',
    code: 1008,
    reason: 'The language is not supported, fr',
    remedy: /not supported, fr/,
  },
  { title: 'a large message', code: 1009, reason: '', remedy: /too large/ },
  { title: 'a signed-out account', code: 4004, reason: 'account or token revoked', remedy: /Sign in again/ },
  { title: 'a flood', code: 1008, reason: 'message_flood: more than 1', remedy: null },
  { title: 'a slow reader', code: 1008, reason: 'slow_reader: more', remedy: null },
  { title: 'a full engine', code: 1013, reason: 'full', remedy: null },
  { title: 'an expired token', code: 4001, reason: 'token expired', remedy: null },
  { title: 'a normal close of the server', code: 1000, reason: '', remedy: null },
];
for (const { title, code, reason, remedy } of ends) {
  t.test(`${title} ${remedy ? 'ends the stream' : 'leads to a new connection'}`, async (t) => {
    const { engine, stream, record, wait, kinds, states } = startRig();
    stream.start();
    await record(2, sentences);
    engine.socket!.fail(code, reason);
    await wait(8);
    t.same(kinds(), ['connecting', 'live', ...(remedy ? ['failed'] : ['reconnecting', 'live'])]);
    if (remedy) t.match((states.at(-1) as { remedy: string }).remedy, remedy);
    t.equal(engine.sockets.length, remedy ? 1 : 2);
  });
}

t.test('a replaced stream waits at least 30 s', async (t) => {
  for (const random of [0, 1]) {
    const { engine, stream, record, wait } = startRig({ random: () => random });
    stream.start();
    await record(1, sentences);
    engine.socket!.fail(1012, 'stream_replaced');
    await wait(30);
    t.equal(engine.sockets.length, 1);
    await wait(30);
    t.equal(engine.sockets.length, 2);
  }
});

/** Records, loses the connection, records on and stops while the engine is away. */
const stopAway = async ({ engine, stream, record }: ReturnType<typeof startRig>): Promise<void> => {
  stream.start();
  await record(5, sentences);
  engine.reachable = false;
  engine.socket!.fail();
  await record(5, sentences);
  stream.stop();
};

t.test('a stop without a connection sends the rest when it comes back', async (t) => {
  const rig = startRig();
  const { engine, wait, kinds, spoken } = rig;
  await stopAway(rig);
  await wait(10);
  t.equal(kinds().at(-1), 'stopping');
  engine.reachable = true;
  await wait(20);
  t.equal(kinds().at(-1), 'saved');
  t.ok(spoken.every((frame) => engine.stored.has(frame)));
});

t.test('a stop without a connection gives up after a minute, and says what was not sent', async (t) => {
  const rig = startRig();
  const { engine, wait, states } = rig;
  await stopAway(rig);
  await wait(62);
  t.match(states.at(-1), { kind: 'failed', unsent: 7 }, 'the words of the first 3 s had arrived');
  const attempts = engine.sockets.length;
  await wait(60);
  t.equal(engine.sockets.length, attempts, 'no attempt after the end');
});

t.test('a user who is signed out gets the remedy', async (t) => {
  const { stream, wait, states, engine } = startRig({ token: () => Promise.reject(new SignedOut()) });
  stream.start();
  await wait(1);
  t.match(states.at(-1), { kind: 'failed', remedy: /Sign in again/ });
  t.equal(engine.sockets.length, 0);
});

t.test('an engine that is silent counts as lost', async (t) => {
  const { engine, stream, record, kinds } = startRig();
  engine.pings = false;
  stream.start();
  await record(1, () => false);
  await record(38, () => false);
  t.same(kinds(), ['connecting', 'live', 'reconnecting', 'live']);
  t.equal(engine.sockets.length, 2);
});

t.test('an outage of over ten minutes drops the oldest audio and counts it', async (t) => {
  const { engine, stream, record } = startRig();
  stream.start();
  await record(1, () => false);
  engine.reachable = false;
  engine.socket!.fail();
  await record(630, () => false);
  t.equal(stream.waiting, 600);
  t.equal(Math.round(stream.lost), 31);
});

t.test('a backlog is sent within the budget of the engine', async (t) => {
  const { engine, stream, record } = startRig();
  stream.start();
  await record(1, () => false);
  engine.reachable = false;
  engine.socket!.fail();
  await record(300, () => false);
  engine.reachable = true;
  while (engine.socket === undefined) await record(0.1, () => false);
  await record(1, () => false);
  const audio = (): number => engine.socket!.sent.filter((data) => typeof data !== 'string').length / 50;
  t.ok(audio() > 95 && audio() <= 104, `${audio()} s at once`);
  await record(10, () => false);
  t.ok(audio() <= 135, `${audio()} s after 10 s more`);
});

t.test('samples of any number become frames of 20 ms', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 20 }), async (parts) => {
      const { engine, stream, wait } = startRig();
      stream.start();
      await wait(0.2);
      let sample = 0;
      for (const length of parts) stream.push(Int16Array.from({ length }, () => sample++ & 0x7fff));
      const sent = engine.socket!.sent.filter((data) => typeof data !== 'string') as Uint8Array[];
      const all = sent.flatMap((frame) => [...new Int16Array(frame.buffer, frame.byteOffset, 320)]);
      return (
        sent.every(({ length }) => length === 640) &&
        all.length === sample - (sample % 320) &&
        all.every((value, at) => value === (at & 0x7fff))
      );
    }),
    { numRuns: 50 },
  );
  t.pass('nothing is lost or doubled at the borders');
});
