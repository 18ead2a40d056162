/**
 * Tests the stream of a page with a fake engine: the audio that is sent again, waits, tokens, mute, stop and failures.
 */
import fc from 'fast-check';
import t from 'tap';
import { SignedOut } from '../../../src/console/stream/live-stream.js';
import { RecordedAudio } from '../../../src/console/stream/recorded-audio.js';
import { sentences, startRig } from './rig.js';

t.test('connects, sends frames, and ends saved', async (t) => {
  const { engine, stream, record, wait, kinds, states, spoken, wrong } = startRig();
  stream.start();
  await record(20, sentences);
  const [, query] = engine.sockets[0]!.address.split('?');
  t.equal(
    query,
    'source=desktop&codec=pcm16&sample_rate=16000&stream_clock=recording-1&confirm=1&clock_at=0',
  );
  t.equal(engine.sockets[0]!.sent[0], '{"type":"auth","token":"token-1"}');
  stream.stop();
  await wait(8);
  t.same(kinds(), ['connecting', 'live', 'stopping', 'saved']);
  t.same(states.at(-1), { kind: 'saved', conversation: 'talk', unconfirmed: 0 });
  t.equal(engine.stops, 1);
  t.equal(engine.sockets[0]!.closeCode, 1000);
  t.same([...engine.stored.keys()], spoken, 'in order');
  t.same(wrong(), [], 'once');
});

t.test('every frame of speech is stored once, whenever connections end', async (t) => {
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
      const { engine, stream, record, wait, states, wrong } = startRig({ delay });
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
      return last.kind === 'saved' && stream.lost === 0 && wrong().length === 0;
    }),
    { numRuns: Number(process.env.CONSOLE_RUNS ?? 40), endOnFailure: true },
  );
  t.pass('nothing is lost, nothing doubled');
});

t.test('a muted stream sends keep-alives and no audio', async (t) => {
  const { engine, stream, record, wait, wrong } = startRig();
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
  stream.stop();
  await wait(20);
  t.same(wrong(), [], 'a pause does not shift positions');
});

t.test('muting ends the last words, and stop after it ends saved', async (t) => {
  const { engine, stream, record, wait, states, wrong, spoken } = startRig();
  stream.start();
  await record(2, () => true);
  stream.mute(true);
  stream.mute(true);
  await wait(3);
  t.equal(engine.stored.size, spoken.length, 'the words do not wait for more audio');
  t.equal(stream.position, 4000, 'silence is added once');
  stream.stop();
  await wait(10);
  t.match(states.at(-1), { kind: 'saved', conversation: 'talk', unconfirmed: 0 });
  t.same(wrong(), []);
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

/** Records and loses the connection. Then records more, and stops while the engine is away. */
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
  const { engine, wait, kinds, wrong } = rig;
  await stopAway(rig);
  await wait(10);
  t.equal(kinds().at(-1), 'stopping');
  engine.reachable = true;
  await wait(30);
  t.equal(kinds().at(-1), 'saved');
  t.same(wrong(), []);
});

t.test('a stop without a connection keeps the audio after a minute, and can be repeated', async (t) => {
  const rig = startRig();
  const { engine, stream, wait, states, wrong } = rig;
  await stopAway(rig);
  await wait(62);
  const failed = states.at(-1)!;
  t.match(failed, { kind: 'failed', remedy: /could not be reached/, conversation: 'talk' });
  t.ok((failed as { kept: number }).kept > 6, 'what followed the first words, and the silence after it');
  t.equal(stream.keptSamples().length, Math.round(stream.kept * 16_000));
  const attempts = engine.sockets.length;
  await wait(60);
  t.equal(engine.sockets.length, attempts, 'no attempt after the end');
  engine.reachable = true;
  stream.retry();
  stream.retry();
  await wait(20);
  t.match(states.at(-1), { kind: 'saved', conversation: 'talk', unconfirmed: 0 });
  t.equal(engine.sockets.length, attempts + 1, 'one connection');
  t.same(wrong(), []);
});

t.test('a stop goes on for longer than a minute while audio is being stored', async (t) => {
  const { engine, stream, record, wait, states, wrong } = startRig();
  stream.start();
  await record(5, sentences);
  engine.reachable = false;
  engine.socket!.fail();
  await record(400, sentences);
  stream.stop();
  engine.reachable = true;
  await wait(400);
  t.match(states.at(-1), { kind: 'saved', unconfirmed: 0 });
  t.same(wrong(), []);
});

t.test('an engine that never confirms gets all audio, and the state says what is not certain', async (t) => {
  const { engine, stream, record, wait, states, wrong } = startRig();
  engine.confirms = false;
  stream.start();
  await record(10, sentences);
  stream.stop();
  await wait(65);
  t.match(states.at(-1), { kind: 'saved', conversation: 'talk', unconfirmed: 10 });
  t.same(wrong(), []);
});

t.test('a connection that breaks after everything is stored is no failure', async (t) => {
  const { engine, stream, record, wait, states, wrong } = startRig();
  stream.start();
  await record(4, sentences);
  stream.stop();
  engine.clientCloses = (socket) => socket.fail(1006);
  await wait(20);
  t.match(states.at(-1), { kind: 'saved', conversation: 'talk', unconfirmed: 0 });
  t.same(wrong(), []);
});

t.test('a recording without words leads to no conversation', async (t) => {
  const { stream, record, wait, states } = startRig();
  stream.start();
  await record(5, () => false);
  stream.stop();
  await wait(10);
  t.same(states.at(-1), { kind: 'saved', conversation: null, unconfirmed: 0 });
});

t.test('an engine without positions gets each frame once', async (t) => {
  const { engine, stream, record, wait, states } = startRig();
  engine.positions = false;
  stream.start();
  await record(10, sentences);
  engine.socket!.fail();
  await record(10, sentences);
  stream.stop();
  await wait(90);
  t.match(states.at(-1), { kind: 'saved', conversation: 'talk' });
  t.ok([...engine.stored.values()].every((count) => count === 1));
});

t.test('a user who is signed out before the start gets the remedy', async (t) => {
  const { stream, wait, states, engine } = startRig({ token: () => Promise.reject(new SignedOut()) });
  stream.start();
  await wait(1);
  t.match(states.at(-1), { kind: 'failed', remedy: /Sign in again/, kept: 0 });
  t.equal(engine.sockets.length, 0);
});

t.test('a recording goes on while the user is signed out', async (t) => {
  let isSignedIn = true;
  const { engine, stream, record, wait, states, wrong } = startRig({
    token: async () => {
      if (!isSignedIn) throw new SignedOut();
      return { token: 'token', expires_in: 600 };
    },
  });
  stream.start();
  await record(5, sentences);
  isSignedIn = false;
  engine.socket!.fail();
  await record(40, sentences);
  t.match(states.at(-1), { kind: 'reconnecting', signedOut: true });
  isSignedIn = true;
  await record(40, sentences);
  t.equal(stream.state.kind, 'live');
  stream.stop();
  await wait(30);
  t.same(wrong(), []);
});

t.test('an engine that is silent counts as lost', async (t) => {
  const { engine, stream, record, kinds } = startRig();
  engine.pings = false;
  engine.confirms = false;
  stream.start();
  await record(1, () => false);
  await record(38, () => false);
  t.same(kinds(), ['connecting', 'live', 'reconnecting', 'live']);
  t.equal(engine.sockets.length, 2);
});

t.test('an outage of over ten minutes drops the oldest audio and counts it', async (t) => {
  const { engine, stream, record, wait, spoken } = startRig();
  stream.start();
  await record(1, () => false);
  engine.reachable = false;
  engine.socket!.fail();
  await record(630, sentences);
  t.ok(stream.waiting > 569 && stream.waiting <= 600, `${stream.waiting} s`);
  t.ok(stream.lost > 30 && stream.lost < 62, `${stream.lost} s`);
  const kept = spoken.filter((frame) => frame > 3200);
  engine.reachable = true;
  await record(60, sentences);
  stream.stop();
  await wait(500);
  t.equal(stream.state.kind, 'saved');
  t.same(
    kept.filter((frame) => engine.stored.get(frame) !== 1),
    [],
    'positions stay right behind the gap',
  );
});

t.test('the limit of bytes counts both channels', async (t) => {
  const { engine, stream } = startRig({ channels: 2, limit: { seconds: 600, bytes: 1_280_000 } });
  stream.start();
  engine.reachable = false;
  for (let second = 0; second < 60; second++) stream.push(new Int16Array(32_000));
  t.ok(stream.kept <= 20 && stream.kept > 16, `${stream.kept} s of ten seconds a megabyte`);
  t.equal(stream.keptSamples().length, Math.round(stream.kept * 32_000));
});

t.test('audio that is dropped under an open connection opens the stream again behind it', async (t) => {
  const { engine, stream, record, wait, spoken } = startRig({ limit: { seconds: 30, bytes: 20_000_000 } });
  stream.start();
  await record(1, sentences);
  const slow = engine.socket!;
  slow.bufferedAmount = 1_000_000;
  await record(32, sentences);
  t.ok(engine.sockets.length > 1, 'a new connection');
  await record(30, sentences);
  stream.stop();
  await wait(30);
  t.equal(stream.state.kind, 'saved');
  t.ok(stream.lost > 0);
  t.same(
    spoken.slice(-1000).filter((frame) => engine.stored.get(frame) !== 1),
    [],
  );
});

t.test('sent audio that is dropped before it is confirmed counts only if it is not stored', async (t) => {
  for (const isStored of [true, false]) {
    const audio = new RecordedAudio(1, { seconds: 10, bytes: 20_000_000 });
    for (let frame = 0; frame < 500; frame++) audio.add(new Uint8Array(640));
    while (audio.take() !== undefined);
    t.equal(audio.add(new Uint8Array(640)), false, 'the connection has it');
    t.equal(audio.position, 1000);
    t.equal(audio.lost, 0);
    if (isStored) audio.confirm(3000);
    audio.resume(isStored ? 3000 : audio.position);
    t.equal(audio.lost, isStored ? 0 : 1);
    t.equal(Math.round(audio.waiting * 1000), 10_020 - (isStored ? 3000 : 1000));
  }
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
